"""Undoing what chat, terminals and log collectors do to text, keeping each line's place in what was pasted."""

from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from typing import NamedTuple, overload

import re2

from bot.intake.text.folds import fold
from bot.intake.text.rows import FOLDED, KEYNAMES, LONG, MARKUP, MONTHS, Row

MAX_LINES = 12_000  # cleaned lines that are read of one source
# Whatever a stage works on holds one of these, is a long row, or begins as `_is_clean` looks for.
_MARKS = re2.compile(
    MARKUP
    + r"|\n[ \t]*(?:[^\w\s\"'`{}\[\]]{1,4}|:?\w*:|[(\[#]\d{1,5}[)\]]?|[\"'`])[ \t]*(?:\[[ xX]?\][ \t]+)?(?:train|model|datasets|network|sample|config):[ \t\"'`,]*\n"
    + r"|\r|\n\n\n|\n\+|\n[ \t]{1,8}\d{1,5}[ \t:|]| \|[ \n]|wandb:|python(?:\.exe)? : | pid=| > |\n[ \t]+>|[\x{2502}\x{256d}]|\{\"|\\n|Traceback|\(\)main\(\)|\(\)job\.run\(\)"
)

# By themselves: together with those above they are ten times as slow.
_ROWS = re2.compile(rf"{KEYNAMES}|{FOLDED}|(?:^|\n)(?:[0-9>\[]|{'|'.join(sorted(MONTHS))})|^\+|^\s*[0-9]")


class Line(NamedTuple):
    """A cleaned line and its 1-based number in the source it came from. Several lines may share one number."""

    text: str
    number: int


class Numbered(Sequence[Line]):
    """The rows of a text in which nothing had to be undone: each is made a line when somebody asks for it."""

    def __init__(self, rows: list[str]) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Line]:
        return map(Line._make, zip(self.rows, count(1), strict=False))

    @overload
    def __getitem__(self, at: int) -> Line: ...
    @overload
    def __getitem__(self, at: slice) -> "Sequence[Line]": ...
    def __getitem__(self, at: int | slice) -> "Line | Sequence[Line]":
        numbers = range(1, len(self.rows) + 1)[at]
        if isinstance(numbers, int):
            return Line(self.rows[numbers - 1], numbers)
        return [Line(self.rows[number - 1], number) for number in numbers]


class Cleaned(NamedTuple):
    """The lines of a source. `left_out` counts lines that went because there were too many.

    `restored` and `lost` are lines that held a config without its line breaks: taken apart again, or left as they are.
    """

    lines: Sequence[Line]
    left_out: int = 0
    restored: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()


def clean(text: str, gap: int | None = None, gap_lines: int = 0) -> Cleaned:
    """Clean one source. `gap` is an offset in it at which `gap_lines` line feeds are missing.

    Text with nothing to undo passes with one look at each kind of damage.
    """
    folded = fold(text)
    if "\r" in folded:
        folded = folded.replace("\r\r\n", "\n").replace("\r\n", "\n")
    rows = folded.split("\n")
    if gap is None and _is_clean(folded, rows):
        return Cleaned(Numbered(rows))
    jump = len(rows) if gap is None else text.count("\n", 0, gap)
    numbered = [(row, at if at <= jump else at + gap_lines) for at, row in enumerate(rows, 1)]
    return _undone(folded, numbered)


def _undone(folded: str, numbered: list[Row]) -> Cleaned:
    """Every stage, one after the other."""
    from bot.intake.text.keynames import restored
    from bot.intake.text.markup import without_markup
    from bot.intake.text.oneline import unfolded
    from bot.intake.text.prefixes import strip_prefixes
    from bot.intake.text.reflow import split_long, undouble

    numbered, lost = _ends(numbered, 2 * MAX_LINES)
    if "\r" in folded:
        numbered = [(piece, number) for row, number in numbered for piece in _frames(row)]
    apart = unfolded(strip_prefixes(folded, numbered))
    numbered = undouble(folded, split_long(restored(without_markup(restored(apart.rows)))))
    numbered, more = _ends(_without_blank_runs(numbered), MAX_LINES)
    return Cleaned(tuple(map(Line._make, numbered)), lost + more, apart.restored, apart.lost)


def _is_clean(text: str, rows: list[str]) -> bool:
    """Whether no stage has anything to undo: a look at the whole text and at how rows begin, no row by row work."""
    if len(rows) > MAX_LINES or max(map(len, rows)) > LONG or rows.count("") * 5 > len(rows) * 2:
        return False
    return not (any(map(str.isspace, rows)) or _MARKS.search(text) or _ROWS.search(text))


def _ends(rows: list[Row], most: int) -> tuple[list[Row], int]:
    """The first and the last rows, `most` together, and how many went."""
    if len(rows) <= most:
        return rows, 0
    return rows[: most // 2] + rows[-most // 2 :], len(rows) - most


def _frames(row: str) -> list[str]:
    """The pieces between bare carriage returns, without progress-bar frames that another one overwrites."""
    pieces = row.rstrip("\r").split("\r")
    last = pieces.pop()
    kept = [a for a, b in zip(pieces, [*pieces[1:], last], strict=False) if a and ("%|" not in a or "%|" not in b)]
    return [*kept, last]


def _without_blank_runs(lines: list[Row]) -> list[Row]:
    """Each run of blank lines becomes one; where every other line is blank, all go."""
    blank = [not row or row.isspace() for row, _ in lines]
    blanks = sum(blank)
    if blanks < 2:
        return lines
    if len(lines) > 12 and blanks * 5 > len(lines) * 2 and not _pairs(blank):
        return [line for line, empty in zip(lines, blank, strict=True) if not empty]
    return [line for at, line in enumerate(lines) if not (at and blank[at] and blank[at - 1])]


def _pairs(blank: list[bool]) -> int:
    """How often two lines with text stand together, beyond what a stray wrapped line explains."""
    together = sum(not a and not b for a, b in pairwise(blank))
    return max(0, together - len(blank) // 20)
