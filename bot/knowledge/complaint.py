"""A fault of knowledge/, and where in its file it stands."""

from collections.abc import Iterator
from dataclasses import dataclass


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
