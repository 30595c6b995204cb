"""Certain repairs of YAML and JSON that does not parse: tabs, open quotes, Windows paths, lost indentation, cut ends."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mend:
    """One repair: its kind (kebab-case, words `repairs.<kind>` in the locales) and 1-based line within the text."""

    kind: str
    line: int


@dataclass(frozen=True, slots=True)
class Mended:
    """A text that parses now. `cut` is true where an end was missing and was closed for reading only."""

    text: str
    mends: tuple[Mend, ...]
    cut: bool


def mend(text: str) -> Mended | None:
    """The text with the certain repairs made, or None where nothing certain makes it parse."""
    raise NotImplementedError
