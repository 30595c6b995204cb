"""Cleaned lines joined into one text, with the way back to the line that was pasted."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

from bot.facts import Place
from bot.intake.text.clean import Line
from bot.knowledge.spelling import plain

_CLAUSE_END = re.compile(r"[.!?]+(?=\s|$)|[\u3002\uff01\uff1f\n]")
_SHOWN = 160
_NEAR = 400
_FULL = 50  # characters from which on a line may have been broken because it was full
_GOES_ON = re.compile(r"[^\W\d_][^\n:=]{0,24}(?:[\s.,;!?)]|:?$)|\(?\d")


def _is_broken(line: Line, after: Line) -> bool:
    """Whether the next line only goes on with a full line's sentence: a small letter or a number, no new key or item."""
    text = line.text.rstrip()
    if after.number != line.number + 1 or len(text) < _FULL or text[-1] in ".!?:;{}[]|#":
        return False
    first = after.text[:1]
    return (first.islower() or first.isdigit() or first == "(") and _GOES_ON.match(after.text) is not None


class Passage:
    """The text of some lines, at most `limit` characters of it, and the place of each character."""

    def __init__(self, source: int, lines: Sequence[Line], limit: int = 40_000, *, prose: bool = False) -> None:
        """`prose`: a sentence goes on behind a line end where a mail or an editor has broken it."""
        self._source = source
        self._lines: list[Line] = []
        self._starts: list[int] = []
        size = 0
        for line in lines:
            if size >= limit:
                break
            self._lines.append(line)
            self._starts.append(size)
            size += len(line.text) + 1
        pairs = zip(self._lines, self._lines[1:], strict=False)
        ends = [" " if prose and _is_broken(line, after) else "\n" for line, after in pairs]
        self.text = "".join(line.text + end for line, end in zip(self._lines, [*ends, ""], strict=False))[:limit]

    @cached_property
    def plain(self) -> str:
        """The text in small letters without accents, each character in its place (what grows in lowering stays as it is)."""
        lowered = self.text.lower()
        if len(lowered) != len(self.text):
            lowered = "".join(low if len(low := char.lower()) == 1 else char for char in self.text)
        return plain(lowered)

    def place(self, at: int) -> Place | None:
        """The line that the character at `at` stands in."""
        if not self._lines:
            return None
        line = self._lines[max(0, bisect_right(self._starts, at) - 1)]
        return Place(self._source, line.number, line.text.strip()[:_SHOWN])

    @cached_property
    def sentences(self) -> tuple[tuple[int, int], ...]:
        """Start and end of each sentence; a line end ends one, its closing mark belongs to it."""
        found, start = [], 0
        for end in _CLAUSE_END.finditer(self.text):
            found.append((start, end.end()))
            start = end.end()
        return (*found, (start, len(self.text)))

    def plain_sentence_at(self, at: int) -> str:
        """The sentence around a character, in small letters without accents."""
        start, end = self.sentence(at)
        return self.plain[start:end]

    def plain_clause_at(self, at: int) -> str:
        """The part of the sentence around a character that no comma or semicolon divides, as `plain`."""
        start, end = self.clause_at(at)
        return self.plain[start:end]

    def clause_at(self, at: int) -> tuple[int, int]:
        """Start and end of the part of the sentence around a character that no comma or semicolon divides."""
        start, end = self.sentence(at)
        starts = [max(self.plain.rfind(mark, start, at) + 1 for mark in ",;(\uff0c\uff1b"), start]
        ends = [found for mark in ",;)\uff0c\uff1b" if (found := self.plain.find(mark, at, end)) >= 0]
        return max(starts), min([*ends, end])

    def sentence(self, at: int) -> tuple[int, int]:
        """Start and end of the sentence around a character, of an endless one what is near."""
        index = max(0, bisect_right(self._sentence_starts, at) - 1)
        start, end = self.sentences[index]
        return max(start, at - _NEAR), min(end, at + _NEAR)

    @cached_property
    def _sentence_starts(self) -> list[int]:
        return [start for start, _ in self.sentences]
