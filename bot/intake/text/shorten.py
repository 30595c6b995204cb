"""The head and the tail of a large text, progress-bar frames collapsed, without looking at the rest."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import AnyStr, Generic

KEEP = 200_000  # characters (or bytes) kept of the head, and of the tail
_CHUNK = 1 << 15


@dataclass(frozen=True, slots=True)
class Parts(Generic[AnyStr]):
    """`tail` is None where the head reaches the end. `left_out` counts what is missing, frames included."""

    head: AnyStr
    tail: AnyStr | None = None
    gap_lines: int = 0
    left_out: int = 0


def shorten(data: AnyStr, lf: AnyStr, cr: AnyStr, bar: AnyStr, budget: int) -> Parts[AnyStr]:
    """At most about KEEP of either end. `bar` is what a progress-bar frame holds.

    Frames are overwritten on a terminal: of a run of them between bare carriage returns only the last was to be
    seen. Leaving them out lets a day's log fit whole, and no line break goes with them.
    """
    size = len(data)
    if size <= 2 * KEEP:
        return Parts(data)
    stop = min(size, max(budget // 2, KEEP)) if budget < size else size
    kept: list[AnyStr] = []
    at = have = 0
    for start, end in _forward(data, stop, lf, cr):
        kept.append(_collapse(data[start:end], lf, cr, bar))
        have, at = have + len(kept[-1]), end
        if have >= KEEP:
            break
    head = data[:0].join(kept)
    if at >= size:
        return Parts(head, left_out=size - len(head))
    ends: list[AnyStr] = []
    have, to = 0, size
    for start, end in _backward(data, max(at, size - budget // 2), lf, cr):
        ends.append(_collapse(data[start:end], lf, cr, bar))
        have, to = have + len(ends[-1]), start
        if have >= KEEP:
            break
    tail = data[:0].join(reversed(ends))
    if to <= at:
        return Parts(head + tail, left_out=size - len(head) - len(tail))
    return Parts(head, tail, data.count(lf, at, to), size - len(head) - len(tail))


def _forward(data: AnyStr, stop: int, lf: AnyStr, cr: AnyStr) -> Iterator[tuple[int, int]]:
    start = 0
    while start < stop:
        end = min(start + _CHUNK, stop)
        if end < stop:
            end = max(data.rfind(lf, start, end), data.rfind(cr, start, end)) + 1 or end
        yield start, end
        start = end


def _backward(data: AnyStr, stop: int, lf: AnyStr, cr: AnyStr) -> Iterator[tuple[int, int]]:
    end = len(data)
    while end > stop:
        start = max(end - _CHUNK, stop)
        if start > stop:
            breaks = [at for at in (data.find(lf, start, end - 1), data.find(cr, start, end - 1)) if at >= 0]
            start = min(breaks, default=start - 1) + 1
        yield start, end
        end = start


def _collapse(chunk: AnyStr, lf: AnyStr, cr: AnyStr, bar: AnyStr) -> AnyStr:
    """Without the frames that another frame overwrites."""
    if cr not in chunk or bar not in chunk:
        return chunk
    return lf.join([_collapse_line(line, cr, bar) for line in chunk.split(lf)])


def _collapse_line(line: AnyStr, cr: AnyStr, bar: AnyStr) -> AnyStr:
    breaks = line.count(cr)
    if breaks < 2:
        return line
    last = line.rfind(cr)
    if line.count(bar, 0, last) >= breaks:
        # Frames throughout: the last but one is kept too, for what follows it may be no frame.
        return line[line.rfind(cr, 0, last) + 1 :]
    if isinstance(line, bytes) and isinstance(bar, bytes):
        # The same characters, in the type whose substring search is four times as fast.
        return _apart(line.decode("latin-1"), "\r", bar.decode("latin-1")).encode("latin-1")
    return _apart(line, cr, bar)


def _apart(line: AnyStr, cr: AnyStr, bar: AnyStr) -> AnyStr:
    pieces = line.split(cr)
    following = pieces[1:]
    following.append(line[:0])
    return cr.join([a for a, b in zip(pieces, following, strict=True) if bar not in a or bar not in b])
