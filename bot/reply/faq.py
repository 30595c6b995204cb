"""Matching a question typed in any language to an answer of the FAQ.

The data is `knowledge/faq/answers.yaml`: for each answer, by language, what people write. A phrase is a few word
beginnings that must all occur, in any order (`qualit check` is found in "does checkpointing hurt quality"). A beginning
that many answers share counts less than one that only a single answer has.
"""

import math
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.knowledge.reading import read_as
from bot.knowledge.record import Record
from bot.knowledge.schema import Slug
from bot.knowledge.spelling import plain as without_accents

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.knowledge.load import Knowledge
    from bot.knowledge.locale import Locale

MAX_QUESTION = 500
# A match on one beginning that half of the answers share is no match.
THRESHOLD = 1.2
# Where words are written without blanks, or with what belongs to them glued on, a beginning may stand within a word.
_NO_BLANKS = re.compile(r"[\u1100-\u11ff\u3040-\ud7af]")


class Entry(Record):
    """One answer. Words: `faq.<id>.question` and `faq.<id>.answer`. `see` names answers that go with it."""

    id: Slug
    phrases: dict[str, tuple[str, ...]]
    see: tuple[Slug, ...] = ()


class File(Record):
    """knowledge/faq/answers.yaml: small words that tell a language, and the answers."""

    languages: dict[str, tuple[str, ...]]
    answers: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """An answer and how well it fits the question; only the order of scores means something."""

    id: str
    score: float


class Faq:
    """Every answer of the FAQ, in the file's order."""

    def __init__(self, file: File) -> None:
        entries = file.answers
        self._small_words = {tag: frozenset(tokens(" ".join(words))) for tag, words in file.languages.items()}
        self.entries: Mapping[str, Entry] = {entry.id: entry for entry in entries}
        self._phrases = {entry.id: _phrases(entry) for entry in entries}
        self._own_phrases = _own_phrases(entries)
        shared = Counter(
            stem for phrases in self._phrases.values() for stem in {stem for one in phrases for stem in one}
        )
        self._weight = {stem: 1 + math.log(len(entries) / count) for stem, count in shared.items()}

    @classmethod
    def load(cls, knowledge: "Knowledge") -> "Faq":
        """Read knowledge/faq. Raises pydantic.ValidationError or ValueError on what does not fit."""
        made = cls(read_as(File, knowledge.read("faq/answers.yaml")))
        missing = {
            (name, other) for name, entry in made.entries.items() for other in entry.see if other not in made.entries
        }
        if missing:
            name, other = min(missing)
            raise ValueError(f"answers.{name}.see: there is no answer '{other}'")
        return made

    def match(self, question: str, limit: int = 3) -> tuple[Match, ...]:
        """The answers that fit a question, best first; none where nothing fits."""
        words = tokens(question[:MAX_QUESTION])
        found = (Match(name, self._score(phrases, words)) for name, phrases in self._phrases.items())
        fitting = sorted((one for one in found if one.score >= THRESHOLD), key=lambda one: -one.score)
        return tuple(fitting[:limit])

    def language(self, question: str) -> str | None:
        """The language of a typed question by its small words, else by what is only asked so in one; None where two are as likely."""
        words = tokens(question[:MAX_QUESTION])
        known = frozenset(words)
        told = _likeliest({tag: len(known & small) for tag, small in self._small_words.items()})
        return told or _likeliest(
            {tag: sum(_holds(one, words) for one in phrases) for tag, phrases in self._own_phrases.items()}
        )

    def _score(self, phrases: tuple[tuple[str, ...], ...], words: tuple[str, ...]) -> float:
        """The best phrase that holds, plus a little for each further one."""
        scores = [sum(self._weight[stem] for stem in phrase) for phrase in phrases if _holds(phrase, words)]
        return max(scores) + 0.1 * (len(scores) - 1) if scores else 0.0


def _holds(phrase: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return all(
        any(stem in word if _NO_BLANKS.match(stem) else word.startswith(stem) for word in words) for stem in phrase
    )


def _likeliest(hits: dict[str, int]) -> str | None:
    best, *others = sorted(hits, key=lambda tag: -hits[tag])
    return best if hits[best] > max((hits[tag] for tag in others), default=0) else None


def tokens(text: str) -> tuple[str, ...]:
    """Lower-case words without accents; everything but letters and digits parts words."""
    bare = "".join(
        char
        for char in unicodedata.normalize("NFKD", without_accents(text.casefold()))
        if not unicodedata.combining(char)
    )
    return tuple("".join(char if char.isalnum() else " " for char in bare).split())


def _phrases(entry: Entry) -> tuple[tuple[str, ...], ...]:
    written = (phrase for phrases in entry.phrases.values() for phrase in phrases)
    return tuple(dict.fromkeys(stems for stems in map(tokens, written) if stems))


def _own_phrases(entries: tuple[Entry, ...]) -> dict[str, frozenset[tuple[str, ...]]]:
    """By language the phrases that no other language has."""
    tags = {tag for entry in entries for tag in entry.phrases}
    of = {tag: {tokens(phrase) for entry in entries for phrase in entry.phrases.get(tag, ())} for tag in tags}
    return {tag: frozenset(of[tag].difference(*(of[other] for other in tags - {tag}))) for tag in tags}


def answer_text(locale: "Locale", name: str) -> tuple[str, str]:
    """Question and answer in words."""
    return locale.text(f"faq.{name}.question"), locale.text(f"faq.{name}.answer")
