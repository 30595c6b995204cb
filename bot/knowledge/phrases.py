"""knowledge/phrases.yaml and settings.yaml: what people say, and settings they give in prose."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import re2

from bot.facts import FACTS
from bot.knowledge.names import plain
from bot.knowledge.reading import read_as
from bot.knowledge.record import NONE, Record, changed
from bot.knowledge.schema import Slug

if TYPE_CHECKING:
    from bot.knowledge.load import Knowledge


_GAP = re.compile(r"(\[\^[^\]]{1,9}\])\{0,\d{1,3}\}")
_COUNTED = re.compile(r"(\\[wd])\{(\d),\d{1,2}\}")
# `Wan 2.2`, `log.txt`: no end of a sentence. Such a dot stands as this while phrases are looked for.
_INNER = "\x1f"
_INNER_DOT = re.compile(r"(?<=\w)\.(?=\w)")


class Phrase(Record):
    """One thing that people say, in any of their languages."""

    means: str
    patterns: tuple[str, ...]
    unless: tuple[str, ...] = ()
    drops: tuple[Slug, ...] = ()
    states: Mapping[str, bool | int | float | str] = NONE

    def _check(self) -> None:
        unknown = self.states.keys() - FACTS.keys()
        if unknown:
            raise ValueError(f"there is no fact '{min(unknown)}'; the names are in bot/facts.py")


class _File(Record):
    phrases: dict[Slug, Phrase]


class Said(NamedTuple):
    """A phrase found: its id and where it stands."""

    phrase: str
    start: int
    end: int


def _relaxed(pattern: str) -> str:
    """A pattern that finds at least as much: counted repeats are what makes an automaton large."""
    pattern = _GAP.sub(r"\1*", pattern)
    return _COUNTED.sub(lambda found: found[1] + ("*" if found[2] == "0" else "+"), pattern)


def _with_inner_dots(pattern: str) -> str:
    """A pattern whose own dots are found within a word too."""
    return pattern.replace(r"\.", f"[.{_INNER}]").replace("[.,]", f"[.,{_INNER}]")


def _without_accents(phrase: Phrase) -> Phrase:
    return changed(phrase, unless=tuple(plain(word) for word in phrase.unless))


class Phrases:
    """Every phrase; one automaton over all patterns tells in one pass which are worth looking at."""

    def __init__(self, phrases: dict[str, Phrase]) -> None:
        self.phrases = phrases
        self._flat = [(slug, _with_inner_dots(plain(one))) for slug, phrase in phrases.items() for one in phrase.patterns]
        self._compiled: dict[int, Any] = {}

    @classmethod
    def load(cls, knowledge: "Knowledge") -> Self:
        """Read and check phrases.yaml. Raises pydantic.ValidationError or ValueError for a phrase that is not there."""
        phrases = read_as(_File, knowledge.read("phrases.yaml")).phrases
        for slug, phrase in phrases.items():
            missing = set(phrase.drops) - phrases.keys()
            if missing:
                raise ValueError(f"phrases.{slug}.drops: there is no phrase '{min(missing)}'")
        return cls({slug: _without_accents(phrase) for slug, phrase in phrases.items()})

    @cached_property
    def _automaton(self) -> Any:
        automaton = re2.Set.SearchSet()
        for _, pattern in self._flat:
            automaton.Add(_relaxed(pattern))
        automaton.Compile()
        return automaton

    def search(self, text: str) -> Iterator[Said]:
        """Where each pattern that is in the text (small letters, no accents) stands, at most twenty places of each."""
        text = _INNER_DOT.sub(_INNER, text)
        for index in self._automaton.Match(text) or ():
            slug, pattern = self._flat[index]
            compiled = self._compiled.get(index)
            if compiled is None:
                compiled = self._compiled[index] = re2.compile(pattern)
            for count, match in enumerate(compiled.finditer(text)):
                if count == 20:
                    break
                yield Said(slug, match.start(), match.end())
