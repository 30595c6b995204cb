"""Undoing what chat, terminals and log collectors do to text, keeping each line's place in what was pasted."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A cleaned line and its 1-based number in the source it came from. Several lines may share one number."""

    text: str
    number: int
