"""What intake hands to the engine: the documents of a paste and the facts in them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from bot.facts import Fact, Facts, Place
from bot.yamledit import Parsed
from bot.yamledit.path import Path


class Source(NamedTuple):
    """One pasted text or file after redaction. `name` is what diffs are headed with."""

    name: str
    text: str


class Redaction(NamedTuple):
    """A secret or personal detail replaced by a placeholder.

    `start` and `end` are offsets in the text as pasted (before redaction), so that a patch can be carried back to the
    person's own original.
    """

    source: int
    kind: str
    start: int
    end: int
    placeholder: str


class Repair(NamedTuple):
    """One certain repair of text that does not parse: what, where, and the words' key."""

    kind: str
    place: Place


class Misplaced(NamedTuple):
    """A key that ai-toolkit ignores where it stands. `meant` is the path it was meant for, or None."""

    path: str
    meant: str | None
    place: Place | None


@dataclass(frozen=True, slots=True)
class ConfigDocument:
    """A config that can be read.

    `text` is what a diff is made against: the slice of the source, with chat mangling undone where there was any
    (`verbatim` is false then). `root` leads from the document's root to the process: ("config", "process", 0) for a
    whole job, () for a dump or a fragment. `broken` is the slice before repairs, where there were any. `homes` is the
    section of each key where keys stand without one; a list without its key is of the section under "". `line` is the
    first row's in the paste, 1-based; `numbers` are all of them where one is no more than the one before plus one.
    `above` counts rows that reading put before the person's own.
    """

    source: int
    start: int
    end: int
    line: int
    text: str
    verbatim: bool
    format: Literal["yaml", "json"]
    parsed: Parsed
    root: Path
    repairs: tuple[Repair, ...] = ()
    broken: str | None = None
    cut: bool = False
    homes: Mapping[str, str] | None = None
    above: int = 0
    numbers: tuple[int, ...] | None = None

    def line_at(self, row: int) -> int:
        """The line of the paste, 1-based, in which a row of `text` (from 0) stands."""
        return self.line + row if self.numbers is None else self.numbers[min(row, len(self.numbers) - 1)]


class Crash(NamedTuple):
    """The error that ended the run. `numbers` are bytes; names as in the contract."""

    signature: str
    error: str | None
    backend: str | None
    gpu_index: int | None
    step: int | None
    numbers: Mapping[str, int]
    place: Place | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was found. `config` is the document that patches are for; `others` are further configs."""

    sources: tuple[Source, ...]
    facts: Facts
    config: ConfigDocument | None = None
    others: tuple[ConfigDocument, ...] = ()
    misplaced: tuple[Misplaced, ...] = ()
    crash: Crash | None = None
    redactions: tuple[Redaction, ...] = ()
    prose_language: str | None = None
    notices: tuple[tuple[str, Mapping[str, Any]], ...] = field(default_factory=tuple)


def value(facts: Facts, name: str) -> Any:
    """The value of a fact, or None where it is not known."""
    fact: Fact | None = facts.get(name)
    return None if fact is None else fact.value
