"""What repairing gives, and what is repaired at most."""

from typing import NamedTuple

from bot.yamledit import LimitError, Parsed, ParseError, parse

# A config has a few thousand characters in a few hundred lines.
LONGEST = 50_000
LINES = 1_500


class Mend(NamedTuple):
    """One repair: its kind (kebab-case, words `repairs.<kind>` in the locales) and 1-based line within the text."""

    kind: str
    line: int


class Mended(NamedTuple):
    """A text that parses now, and its parse. `cut` is true where an end was missing and was closed for reading only.

    `above` counts lines put before the first one (a section's head that was not copied); no other repair moves a line.
    """

    text: str
    mends: tuple[Mend, ...]
    cut: bool
    parsed: Parsed
    above: int = 0


def attempt(text: str) -> Parsed | ParseError | None:
    """The parse, or where it stopped; None where the text is beyond the limits."""
    try:
        return parse(text)
    except ParseError as error:
        return error
    except LimitError:
        return None
