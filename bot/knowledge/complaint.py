"""A fault of knowledge/, and where in its file it stands."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.yamledit import Parsed
from bot.yamledit.path import Path


@dataclass(frozen=True, slots=True)
class Complaint:
    """One fault: the file inside knowledge/ (or tests/), the 1-based line, what is wrong and what to do."""

    file: str
    line: int
    message: str
    remedy: str

    def __str__(self) -> str:
        """`file:line: message — remedy`."""
        return f"{self.file}:{self.line}: {self.message} — {self.remedy}"


Complaints = Iterator[Complaint]


def nearest_line(parsed: Parsed, path: Path) -> int:
    """The line of the longest part of a path that stands in the file, else 1."""
    lines = (parsed.line_of(path[:length]) for length in range(len(path), 0, -1))
    return next((line for line in lines if line is not None), 1)
