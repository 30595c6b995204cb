"""A fault of knowledge/, and where in its file it stands."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.yamledit import Limits, Parsed, parse

_LIMITS = Limits(characters=4_000_000, nodes=400_000)


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


def located(file: Path) -> Parsed:
    """A knowledge file with the places of its keys."""
    return parse(file.read_text(encoding="utf-8"), _LIMITS)
