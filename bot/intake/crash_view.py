"""The two views that patterns run on, and the way back from one to the other."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from bot.facts import Place
from bot.intake.text import Line

CAP = 400_000
_PLACE_TEXT = 200


@dataclass(frozen=True, slots=True)
class View:
    """Lines of one source and the same text squeezed: lower case, no white space, UTF-8.

    `starts[i]` is the offset in `squeezed` at which line i begins.
    """

    source: int
    lines: Sequence[Line]
    squeezed: bytes
    starts: Sequence[int]

    def line_of(self, offset: int) -> int:
        """Index of the line that holds an offset of the squeezed text."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def place(self, offset: int) -> Place:
        """The line that holds an offset, to be cited."""
        line = self.lines[self.line_of(offset)]
        return Place(self.source, line.number, line.text.strip()[:_PLACE_TEXT])

    def begins_line(self, offset: int) -> bool:
        """Whether a line (an empty one does not count) begins at this offset."""
        return self.starts[self.line_of(offset)] == offset

    def end_of_line(self, offset: int) -> int:
        """Where, in the squeezed text, the line that holds this offset ends."""
        index = bisect_right(self.starts, offset)
        return self.starts[index] if index < len(self.starts) else len(self.squeezed)


def make_view(source: int, lines: Sequence[Line]) -> View:
    """Squeeze the lines; of a very long text only the head and the tail (half of CAP characters each) are kept."""
    kept = _head_and_tail(lines)
    pieces = ["".join(line.text.split()).lower().encode("utf-8", "replace") for line in kept]
    starts = list(accumulate((len(piece) for piece in pieces), initial=0))
    return View(source, kept, b"".join(pieces), starts[:-1] or [0])


def occurrences(text: bytes, word: bytes, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Offsets of a word, first to last."""
    stop = len(text) if end is None else end
    found = text.find(word, start, stop)
    while found != -1:
        yield found
        found = text.find(word, found + len(word), stop)


def last_occurrences(text: bytes, word: bytes, most: int) -> Iterator[int]:
    """Offsets of a word, last to first, `most` at the most."""
    end = len(text)
    for _ in range(most):
        found = text.rfind(word, 0, end)
        if found == -1:
            return
        yield found
        end = found + len(word) - 1


def _head_and_tail(lines: Sequence[Line]) -> Sequence[Line]:
    if sum(len(line.text) for line in lines) <= CAP:
        return lines
    head = _within(lines, CAP // 2)
    tail = _within(lines[len(head) :][::-1], CAP // 2)[::-1]
    return [*head, *tail]


def _within(lines: Sequence[Line], budget: int) -> Sequence[Line]:
    taken: list[Line] = []
    for line in lines:
        room = budget - len(line.text)
        taken.append(line if room >= 0 else Line(line.text[:budget], line.number))
        budget = room
        if budget <= 0:
            break
    return taken
