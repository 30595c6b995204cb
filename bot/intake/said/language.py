"""The language of the prose in a paste."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from bot.intake.text.clean import Line
from bot.knowledge.load import Knowledge
from bot.knowledge.reading import read_as
from bot.knowledge.record import Record
from bot.knowledge.spelling import plain

_WORD = re.compile(r"[^\W\d_]+")
_TECHNICAL = re.compile(r"\S*(?:[\d_/\\=<>{}\[\]|@#]|:(?=\S))\S*|--\S+")
# What trainers print in English whatever language people speak.
_PRINTED = re.compile(r"\b(?:out of memory|batch size|num frames|no error)\b")
_READ = 6000


class _File(Record):
    scripts: Mapping[str, tuple[str, str]]
    words: Mapping[str, frozenset[str]]
    least: int
    lead: float
    enough_words: int


@lru_cache(maxsize=2)
def languages_of(knowledge: Knowledge) -> _File:
    """Read and check languages.yaml. Raises pydantic.ValidationError."""
    return read_as(_File, knowledge.read("languages.yaml"))


def language_of(lines: Sequence[Line], knowledge: Knowledge) -> str | None:
    """The tag of the language (`en`, `de`, `zh`, …) that people write around a paste, or None where nothing tells.

    Scripts and small words decide. Only a text of some length with the small words of several languages goes to
    py3langid, which takes half a second to load; one without any is no sentence: a command, a piece of a log.
    """
    if not lines:
        return None
    languages = languages_of(knowledge)
    text = plain("\n".join(line.text for line in lines)[:_READ].lower())
    by_script = None if text.isascii() else _script("".join(_WORD.findall(text)), languages)
    if by_script is not None:
        return by_script
    letters = _WORD.findall(_PRINTED.sub(" ", _TECHNICAL.sub(" ", text)))
    counts = {tag: sum(word in words for word in letters) for tag, words in languages.words.items()}
    (best, most), (_, second) = sorted(counts.items(), key=lambda pair: -pair[1])[:2]
    if most >= languages.least and most >= languages.lead * second:
        return best
    if not most or len(letters) < languages.enough_words:
        return None
    return _asked(" ".join(letters), tuple(languages.words)) if second else best


def _script(letters: str, languages: _File) -> str | None:
    for tag, (first, last) in languages.scripts.items():
        if letters and sum(first <= letter <= last for letter in letters) * 10 >= len(letters):
            return tag
    return None


@lru_cache(maxsize=1)
def _identifier(tags: tuple[str, ...]) -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(tags))
    return identifier


def _asked(text: str, tags: tuple[str, ...]) -> str | None:
    tag, probability = _identifier(tags).classify(text)
    return str(tag) if probability > 0.6 else None
