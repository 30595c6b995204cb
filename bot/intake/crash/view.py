"""The two views that patterns run on, and the way back from one to the other."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate

from bot.facts import Place
from bot.intake.text.clean import Line

CAP = 256_000
_PLACE_TEXT = 200
_BLANKS = b" \t\n\r\v\f"


class View:
    """Lines of one source and the same text squeezed: lower case, no (ASCII) white space, UTF-8.

    Of a very long text only the head and the tail (half of CAP characters each) are kept.
    """

    def __init__(self, source: int, lines: Sequence[Line]) -> None:
        self.source = source
        self.lines = _head_and_tail(lines)
        self.squeezed = _squeeze("\n".join([line.text for line in self.lines]))

    @cached_property
    def starts(self) -> Sequence[int]:
        """For each line the offset in `squeezed` at which it begins."""
        lengths = (len(_squeeze(line.text)) for line in self.lines)
        return list(accumulate(lengths, initial=0))[:-1] or [0]

    @cached_property
    def _cased(self) -> bytes:
        """The squeezed text with its capitals."""
        return "\n".join([line.text for line in self.lines]).encode("utf-8", "replace").translate(None, _BLANKS)

    def begins_as_printed(self, offset: int) -> bool:
        """Whether what stands there can begin a line of a log that lost its line ends: no small letter, as in `offloading transformer`."""
        if len(self._cased) != len(self.squeezed):
            return True
        return not self._cased[offset : offset + 1].islower() or not self._cased[offset - 1 : offset].isalnum()

    def line_of(self, offset: int) -> int:
        """Index of the line that holds an offset of the squeezed text."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def place(self, offset: int) -> Place:
        """The line that holds an offset, to be cited."""
        line = self.lines[self.line_of(offset)]
        return Place(self.source, line.number, line.text.strip()[:_PLACE_TEXT])

    def end_of_line(self, offset: int) -> int:
        """Where, in the squeezed text, the line that holds this offset ends."""
        index = bisect_right(self.starts, offset)
        return self.starts[index] if index < len(self.starts) else len(self.squeezed)


def _squeeze(text: str) -> bytes:
    return text.lower().encode("utf-8", "replace").translate(None, _BLANKS)


def occurrences(text: bytes, word: bytes) -> Iterator[int]:
    """Offsets of a word, first to last."""
    found = text.find(word)
    while found != -1:
        yield found
        found = text.find(word, found + len(word))


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
