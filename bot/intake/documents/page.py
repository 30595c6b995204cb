"""One source as it is searched for documents: its cleaned rows, and the way back to the text as it came."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from bot.intake.text.clean import Line, Numbered
from bot.intake.text.folds import ESCAPED_KEY, fold

_FENCE = re.compile(
    r"(?:`{3,8}|~{3,8})[ \t]*(?:(?:ya?ml|json[c5]?|py(?:thon)?|te?xt|log|ba?sh|console|diff|toml|ini|plain)\b[ \t]*)?"
)
_CODES = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|&(?:quot|gt|lt|amp|apos|nbsp|#\d{1,5});|\[0m")
# Blanks, quotes, dashes and bullets that only chat and word processors write, where a config has its structure: at the
# beginning of a row, around the colon of a key, before the first value, at the end of a row.
_BLANK = "\u00a0\u1680\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff"
_QUOTE = "\u2018-\u201f\u2033\uff02\u00ab\u00bb"
_KEY = r"^[ \t-]*[\"']?[\w.-]{1,80}[\"']?"
_ODD_STRUCTURE = re.compile(
    rf"(?m)^[ \t]*(?:-[ \t]*)?[{_BLANK}{_QUOTE}\u2010-\u2015\u2212\u2022\u25e6\u25aa\u2023\u00b7]|[{_BLANK}][ \t]*$"
    rf"|{_KEY}[{_BLANK}{_QUOTE}]{{1,4}}[ \t]*[:\uff1a]|{_KEY}[ \t]*(?:\uff1a|:[ \t]*(?:\[[ \t]*)?[{_BLANK}{_QUOTE}])"
)


@dataclass(frozen=True)
class Page:
    """The rows of a source.

    `text` is the source after redaction, `rows` its cleaned rows without fences, `breaks` the rows that a fence stands
    before. Rows after `gap_row` (1-based, in `text`) are numbered `gap_lines` higher than they stand.
    """

    source: int
    text: str
    lines: Sequence[Line]
    rows: Sequence[str]
    breaks: frozenset[int]
    gap_row: int | None = None
    gap_lines: int = 0

    @cached_property
    def joined(self) -> str:
        """All rows, one under the other: what offsets of spans are offsets in."""
        return "\n".join(self.rows)

    @cached_property
    def is_untouched(self) -> bool:
        """Whether cleaning changed nothing at all."""
        return len(self.joined) == len(self.text) and self.joined == self.text

    @cached_property
    def starts(self) -> Sequence[int]:
        """The offset in `joined` of each row."""
        return list(accumulate((len(row) + 1 for row in self.rows), initial=0))

    def row_at(self, offset: int) -> int:
        """Index of the row that holds an offset of `joined`."""
        return min(bisect_right(self.starts, offset) - 1, len(self.rows) - 1)

    def original(self, start: int, end: int) -> tuple[int, int] | None:
        """The span of `text` that a span of `joined` came from, if it holds the same rows in the same order.

        Same means: typographic characters, line ends and blank rows aside. None where more was undone.
        """
        if self.is_untouched:
            return start, end
        first, last = self.row_at(start), self.row_at(end)
        came_from = self._column(first, start - self.starts[first])
        goes_to = self._column(last, end - self.starts[last])
        if came_from is None or goes_to is None or goes_to <= came_from:
            return None
        if not came_from and self.text[0] == "\ufeff":
            came_from = 1  # a byte order mark is no part of a document
        slice_ = fold(self.text[came_from:goes_to]).replace("\r\n", "\n")
        mine = [row for row in self.joined[start:end].split("\n") if row.strip()]
        return (came_from, goes_to) if mine == [row for row in slice_.split("\n") if row.strip()] else None

    def is_odd(self, start: int, end: int) -> bool:
        """Whether a span of `text` holds what is no part of a config: codes, or typography outside of its values."""
        if self.is_untouched:
            return False
        piece = self.text[start:end]
        if _CODES.search(piece) or ("\\_" in piece and ESCAPED_KEY.search(piece)):
            return True
        return not piece.isascii() and _ODD_STRUCTURE.search(piece) is not None

    def _column(self, row: int, column: int) -> int | None:
        """The offset in `text` of a column of a row."""
        number = self.lines[row].number
        if self.gap_row is not None and number > self.gap_row:
            number -= self.gap_lines
        if number > len(self._text_starts):
            return None
        start = self._text_starts[number - 1]
        end = self._text_starts[number] - 1 if number < len(self._text_starts) else len(self.text)
        as_it_came = self.text[start:end].rstrip("\r")
        folded = fold(as_it_came)
        shift = folded.find(self.rows[row])
        if shift < 0:
            return None
        at = shift + column
        if len(folded) != len(as_it_came):
            ends = {0: 0, len(folded): len(as_it_came)}
            return start + ends[at] if at in ends else None
        return start + at

    @cached_property
    def _text_starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]


def make_page(source: int, text: str, lines: Sequence[Line], gap_row: int | None = None, gap_lines: int = 0) -> Page:
    """Rows without code fences, and without one pair of backticks put around a whole text."""
    rows = list(lines.rows) if isinstance(lines, Numbered) else [line.text for line in lines]
    breaks: set[int] = set()
    if "```" in text or "~~~" in text:
        for at, row in enumerate(rows):
            if "```" in row or "~~~" in row:
                rows[at] = _without_fence(at, row, breaks)
    for at, row in enumerate(rows) if "`" in text else ():
        if "`" in row:
            rows[at] = _without_ticks(row)
    return Page(source, text, lines, rows, frozenset(breaks), gap_row, gap_lines)


def _without_ticks(row: str) -> str:
    """Without the backticks around a whole row, or a lone one at its end."""
    bare, count = row.strip(), row.count("`")
    if count == 2 and bare[0] == "`" == bare[-1]:
        return row.replace("`", "")
    return row.strip("`") if count % 2 and "`" in (row[:1], row[-1:]) else row


def _without_fence(at: int, row: str, breaks: set[int]) -> str:
    fences = list(_FENCE.finditer(row))
    if len(fences) != 1:
        return _FENCE.sub("", row)
    fence = fences[0]
    before, after = row[: fence.start()], row[fence.end() :]
    if before.strip() and not after.strip():
        breaks.add(at + 1)
        return before
    breaks.add(at)
    if not after.strip():
        breaks.add(at + 1)
        return ""
    return before + after if before.strip() else after
