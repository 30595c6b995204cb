"""What the toolkit's log shows besides the error: markers, progress bars, banners, buckets, and how it ends."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from bot.intake.crash.view import View, last_occurrences, occurrences
from bot.knowledge.signature_file import Marker
from bot.knowledge.signatures import Signatures

_LONG_LINE = 160
_FIRST, _LAST = 6, 12
_MOST_BANNERS = 400
_MOST_BUCKETS = 400
_MOST_BARS = 60
_BAR = re.compile(r"%\|[^|]{0,200}\|\s{0,9}(\d{1,9})/(\d{1,9})\s{0,9}\[([^\]]{0,140})")
_NAME = re.compile(r"([^|\]]{0,90}?):\s{0,5}\d{1,3}$")
_RATE = re.compile(r"(\d{1,7}(?:\.\d{1,6})?)\s{0,3}(s/it|it/s)")
_BANNER = re.compile(rb"oomduringtrainingstep,skippingbatch(\d{1,3})/3")
_BANNER_WORD = b"oomduringtrainingstep,skippingbatch"
_ABORTED = b"oomduringtrainingstep3timesinarow"
# `The last line is Loading T5`: somebody tells where the log ends.
_TOLD = tuple(
    f"{words}{joint}".encode()
    for words in ("lastlogline", "lastline", "letztezeile", "ultimariga", "últimalínea", "dernièreligne", "últimalinha",
                  "последняястрока", "最后一行", "最後一行", "最後の行")
    for joint in ("", ":", "is", "is:", "was", "was:", "ist", "ist:", "è", "è:", "es", "es:", "est", "est:", "é", "是", "是:", "は")
)  # fmt: skip
_FRAMING = b"#`>"  # a log pasted as YAML comments, in backticks or quoted
_BAR_TAIL = 300


class Sign(NamedTuple):
    """A marker where it stands in the squeezed text. The training loop's bar has no marker: phase `train`."""

    offset: int
    phase: str | None
    marker: Marker | None = None


class Bar(NamedTuple):
    """One frame of a progress bar of the training loop."""

    offset: int
    step: int
    total: int
    seconds: float | None


class Banner(NamedTuple):
    """One `OOM during training step, skipping batch k/3`."""

    offset: int
    k: int


class Log(NamedTuple):
    """All of it, in order of place. `alive` are the places that show that the run was going on."""

    signs: tuple[Sign, ...]
    alive: tuple[int, ...]
    bars: tuple[Bar, ...]
    banners: tuple[Banner, ...]
    aborted: bool
    buckets: tuple[tuple[int, int, int], ...]

    @property
    def markers(self) -> tuple[str, ...]:
        """Ids of the markers seen, in order of first appearance."""
        return tuple(dict.fromkeys(sign.marker.id for sign in self.signs if sign.marker))

    def phase_before(self, offset: int) -> str | None:
        """What the run was doing when it printed the text at this offset."""
        return next((sign.phase for sign in reversed(self.signs) if sign.offset < offset and sign.phase), None)

    def life_between(self, start: int, end: int) -> bool:
        """Whether the run went on between two places."""
        index = bisect_left(self.alive, start)
        return index < len(self.alive) and self.alive[index] < end

    def failure_at(self, offset: int, end: int) -> tuple[int, int]:
        """The stretch around a place without a sign of life but the one it begins with; the text ends at `end`."""
        index = bisect_right(self.alive, offset)
        before = self.alive[index - 1] if index else 0
        return before, self.alive[index] if index < len(self.alive) else end

    def bar_before(self, offset: int) -> Bar | None:
        """The last frame of the training loop's bar before a place."""
        index = bisect_left(self.bars, offset, key=lambda bar: bar.offset)
        return self.bars[index - 1] if index else None


def read_log(view: View, signatures: Signatures, present: frozenset[str]) -> Log:
    """Read what the squeezed text holds; `present` is what the gate let through."""
    banners = tuple(_banners(view))
    bars = tuple(_training_bars(view, signatures, banners))
    signs = [Sign(bar.offset, "train") for bar in bars]
    signs += [sign for marker in signatures.file.markers if marker.text in present for sign in _signs(view, marker)]
    signs.sort(key=lambda sign: sign.offset)
    alive = tuple(sign.offset for sign in signs if sign.marker is None or sign.marker.life)
    aborted = _ABORTED in view.squeezed
    return Log(tuple(signs), alive, bars, banners, aborted, _buckets(view, signatures))


def _banners(view: View) -> Iterator[Banner]:
    for offset in sorted(last_occurrences(view.squeezed, _BANNER_WORD, _MOST_BANNERS)):
        match = _BANNER.match(view.squeezed, offset)
        if match:
            yield Banner(offset, int(match[1]))


def _signs(view: View, marker: Marker) -> Iterator[Sign]:
    """Where the marker stands: the first few times and the last few times."""
    word = marker.text.encode()
    found = {*islice(occurrences(view.squeezed, word), _FIRST), *last_occurrences(view.squeezed, word, _LAST)}
    for offset in found:
        if _stands(view, marker, offset, offset + len(word)):
            yield Sign(offset, marker.phase, marker)


def _stands(view: View, marker: Marker, offset: int, end: int) -> bool:
    if marker.digit and not view.squeezed[end : end + 1].isdigit():
        return False
    if marker.at == "any" or view.squeezed.endswith(_TOLD, 0, offset):
        return True
    begin = view.starts[view.line_of(offset)]
    if view.squeezed[begin:offset].strip(_FRAMING):
        collapsed = marker.at == "start" and view.end_of_line(offset) - begin > _LONG_LINE
        return collapsed and view.begins_as_printed(offset)
    return marker.at == "start" or view.end_of_line(offset) == end


def _training_bars(view: View, signatures: Signatures, banners: Sequence[Banner]) -> Iterator[Bar]:
    """Frames of the training loop's bar: the last ones, and those in front of the banners."""
    found = [*last_occurrences(view.squeezed, b"%|", _MOST_BARS)]
    before = (view.squeezed.rfind(b"%|", 0, banner.offset) for banner in banners[-_MOST_BARS:])
    found += [offset for offset in before if offset != -1]
    lines = dict.fromkeys(sorted(view.line_of(offset) for offset in found))
    for index in lines:
        yield from _bars_of_line(view, signatures, index)


def _bars_of_line(view: View, signatures: Signatures, index: int) -> Iterator[Bar]:
    text = view.lines[index].text
    where = text.find("%|")
    squeezed_at = view.starts[index]
    following = view.lines[index + 1].text if index + 1 < len(view.lines) else ""
    for _ in range(_MOST_BARS):
        if where == -1:
            return
        squeezed_at = view.squeezed.find(b"%|", squeezed_at)
        bar = _BAR.match((text[where : where + _BAR_TAIL] + following)[:_BAR_TAIL])
        if bar and _is_training(text[max(0, where - 96) : where], bar[3], signatures.file.other_bars):
            yield Bar(squeezed_at, int(bar[1]), int(bar[2]), _seconds(bar[3]))
        squeezed_at += 2
        where = text.find("%|", where + 2)


def _is_training(before: str, inside: str, others: Sequence[str]) -> bool:
    if "lr:" in inside:
        return True
    named = _NAME.search(before)
    name = "".join(named[1].split()).lower() if named else ""
    return bool(name) and not any(other in name for other in others)


def _seconds(inside: str) -> float | None:
    rate = _RATE.search(inside)
    if rate is None or float(rate[1]) == 0:
        return None
    return float(rate[1]) if rate[2] == "s/it" else 1 / float(rate[1])


def _buckets(view: View, signatures: Signatures) -> tuple[tuple[int, int, int], ...]:
    if b"bucket" not in view.squeezed:
        return ()
    start = max(0, view.squeezed.find(b"bucket") - 20)
    sizes = {
        (int(match[1]), int(match[2]), int(match[3] or 1)): None
        for written in signatures.file.buckets
        for match in islice(signatures.pattern(written).finditer(view.squeezed, start), _MOST_BUCKETS)
    }
    return tuple(sizes)


def resets(log: Log) -> bool:
    """Whether a step succeeded after a banner: the counter began again, or the loop went on past it."""
    if any(later.k <= earlier.k for earlier, later in pairwise(log.banners)):
        return not counted_every_step(log)
    if log.aborted or not log.banners:
        return False
    last = log.banners[-1]
    before = log.bar_before(last.offset)
    went_on = [
        bar for bar in log.bars if bar.offset > last.offset and (before is None or bar.step > before.step + last.k)
    ]
    later = [sign for sign in log.signs if sign.offset > last.offset and sign.phase in {"sample", "save"}]
    return bool(went_on or later)


def counted_every_step(log: Log) -> bool:
    """The counter of builds between 2025-09-27 and 2025-10-20: begins anew at each step, so it always reads 1/3."""
    if len(log.banners) < 4 or any(banner.k != 1 for banner in log.banners):
        return False
    steps = [bar.step for banner in log.banners if (bar := log.bar_before(banner.offset))]
    return len(steps) == len(log.banners) and all(later - earlier == 1 for earlier, later in pairwise(steps))
