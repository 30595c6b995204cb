"""knowledge/phrases.yaml: what people say."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import re2

from bot.facts import FACTS
from bot.knowledge.reading import read_as
from bot.knowledge.record import NONE, Record
from bot.knowledge.schema import Slug
from bot.knowledge.spelling import PlainWords, plain

if TYPE_CHECKING:
    from bot.knowledge.folder import DataFolder


_MOST = 20  # places of one pattern
# What the automaton of all patterns, and the states that texts drive it through, may take: four times RE2's default, of
# which the patterns fill more than half.
_AUTOMATON_BYTES = 2**25
_COUNTED = re.compile(r"(\[\^[^\]]{1,9}\]|\\[wd])\{(\d),\d{1,3}\}")
# `Wan 2.2`, `log.txt`: no end of a sentence. Such a dot stands as this while phrases are looked for.
_INNER = "\x1f"
_LAST_LATIN = "\u036f"
_INNER_DOT = re.compile(r"(?<=\w)\.(?=\w)")


class Phrase(Record):
    """One thing that people say, in any of their languages."""

    means: str
    patterns: tuple[str, ...] = ()
    other_scripts: tuple[str, ...] = ()
    unless: PlainWords = ()
    unless_anywhere: PlainWords = ()
    drops: tuple[Slug, ...] = ()
    covers: tuple[Slug, ...] = ()
    states: Mapping[str, bool | int | float | str] = NONE

    def _check(self) -> None:
        if not (self.patterns or self.other_scripts):
            raise ValueError("a phrase needs a pattern")
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
    return _COUNTED.sub(lambda found: found[1] + ("*" if found[2] == "0" else "+"), pattern)


def _with_inner_dots(pattern: str) -> str:
    """A pattern whose own dots are found within a word too."""
    return pattern.replace(r"\.", f"[.{_INNER}]").replace("[.,]", f"[.,{_INNER}]")


class _Automaton:
    """Patterns of which one pass over a text tells the few that are worth looking at."""

    def __init__(self, patterns: list[tuple[str, str]]) -> None:
        self._written = patterns
        self._compiled: dict[int, Any] = {}

    @cached_property
    def _patterns(self) -> list[tuple[str, str]]:
        return [(slug, _with_inner_dots(plain(pattern))) for slug, pattern in self._written]

    @cached_property
    def _all(self) -> Any:
        options = re2.Options()
        options.max_mem = _AUTOMATON_BYTES
        automaton = re2.Set.SearchSet(options)
        for _, pattern in self._patterns:
            automaton.Add(_relaxed(pattern))
        automaton.Compile()
        return automaton

    def search(self, text: str) -> Iterator[Said]:
        for index in self._all.Match(text) or ():
            slug, pattern = self._patterns[index]
            compiled = self._compiled.get(index)
            if compiled is None:
                compiled = self._compiled[index] = re2.compile(pattern)
            for match in islice(compiled.finditer(text), _MOST):
                yield Said(slug, match.start(), match.end())


class Phrases:
    """Every phrase. What holds letters beyond Latin ones is only looked for, and compiled, where a text has such letters."""

    def __init__(self, phrases: dict[str, Phrase]) -> None:
        self.phrases = phrases
        self._latin = _Automaton([(slug, one) for slug, phrase in phrases.items() for one in phrase.patterns])
        self._other = _Automaton([(slug, one) for slug, phrase in phrases.items() for one in phrase.other_scripts])

    @classmethod
    def load(cls, knowledge: "DataFolder") -> Self:
        """Read and check phrases.yaml. Raises pydantic.ValidationError or ValueError for a phrase that is not there."""
        phrases = read_as(_File, knowledge.read("phrases.yaml")).phrases
        for slug, phrase in phrases.items():
            missing = {*phrase.drops, *phrase.covers} - phrases.keys()
            if missing:
                raise ValueError(f"phrases.{slug}: there is no phrase '{min(missing)}' to drop or to cover")
        return cls(phrases)

    def search(self, text: str) -> Iterator[Said]:
        """Where each pattern that is in the text (small letters, no accents) stands, at most twenty places of each."""
        text = _INNER_DOT.sub(_INNER, text)
        yield from self._latin.search(text)
        if not text.isascii() and max(text) > _LAST_LATIN:
            yield from self._other.search(text)

    def uncovered(self, found: Sequence[Said]) -> Iterator[Said]:
        """Without what overlaps a phrase that covers it: `oom` in `runs without an oom`."""
        covering = [(said, covers) for said in found if (covers := self.phrases[said.phrase].covers)]
        for said in found:
            if not any(
                said.phrase in covers and one.start < said.end and said.start < one.end for one, covers in covering
            ):
                yield said
