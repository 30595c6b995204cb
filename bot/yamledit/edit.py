"""Symbolic patches by path, applied as splices."""

from dataclasses import dataclass
from typing import Any, Literal

from bot.yamledit.parse import Parsed
from bot.yamledit.path import Path


class EditError(ValueError):
    """A patch that cannot be made here. `reason` is a word (`alias`, `duplicate-key`, `missing`, …), `path` where."""

    def __init__(self, reason: str, path: Path, message: str) -> None:
        super().__init__(message)
        self.reason, self.path = reason, path


@dataclass(frozen=True, slots=True)
class Patch:
    """One change. `add` makes the last key (and missing mappings on the way); `replace` on an absent key is an error.

    `append` and `remove_item` work on the list at `path` (`remove_item` by value).
    """

    op: Literal["replace", "add", "remove", "append", "remove_item"]
    path: Path
    value: Any = None


@dataclass(frozen=True, slots=True)
class Edit:
    """A splice: characters `start` to `end` of the text before become `new`."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Edited:
    """The text after, parsed again, with the splices (offsets in the text before, ascending)."""

    parsed: Parsed
    edits: tuple[Edit, ...]


def apply(parsed: Parsed, patches: tuple[Patch, ...]) -> Edited:
    """Apply patches in order; the result differs in the patched paths alone. Raises EditError."""
    raise NotImplementedError
