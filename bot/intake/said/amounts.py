"""Sizes of memory in prose, and which kind of memory each is about."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple

from bot.intake.text.passage import Passage
from bot.knowledge.hosts import Hosts

Kind = Literal["vram", "ram", "shared", "used", "bare"]
_REACH = 30
_MOST = 100
_PAIR = 16
_USED = re.compile(r"(\d{1,4}(?:[.,]\d{1,3})?) ?(?:gi?b)? ?/ ?")


class Amount(NamedTuple):
    """A size in GiB with its characters in the passage."""

    gib: float
    kind: Kind
    start: int
    end: int


def amounts(passage: Passage, hosts: Hosts) -> list[Amount]:
    """The first hundred sizes with a unit, in order, then those without. `bare` has no word beside it that tells its kind."""
    text = passage.plain
    found = []
    for match in islice(hosts.amount.finditer(text), _MOST):
        start, end = match.span()
        after = text[end : end + _REACH]
        cut = hosts.cut_after.search(after)
        after = after[: cut.start()] if cut else after
        before = text[max(0, start - _REACH) : start]
        cuts = list(hosts.cut_before.finditer(before))
        before = before[cuts[-1].end() :] if cuts else before
        used = _used_of_shared(text, start, hosts)
        found.append(
            Amount(_number(match[1]), _kind(before, after, hosts), start, end)
            if used is None
            else Amount(used, "shared", start, end)
        )
    return [*found, *_unitless(text, hosts, found)]


def _used_of_shared(text: str, start: int, hosts: Hosts) -> float | None:
    """`Shared GPU memory 0.2/31.9 GB`: what is used, where the size is the second of such a pair."""
    pair = _USED.search(text, max(0, start - _PAIR), start)
    if pair is None or text[pair.end() : start].strip():
        return None
    before = text[max(0, pair.start() - _REACH) : pair.start()]
    return _number(pair[1]) if hosts.memory["shared"].search(before.rpartition(",")[2]) else None


def _number(written: str) -> float:
    return float(written.replace(",", "."))


def _unitless(text: str, hosts: Hosts, found: list[Amount]) -> Iterator[Amount]:
    """`32 ram`, `VRAM: 24`: only where no size with a unit stands there, and only sizes that such memory comes in."""
    taken = {amount.start for amount in found}
    usual = {"vram": hosts.usual_vram, "ram": hosts.usual_ram}
    for kind, pattern in hosts.unitless.items():
        for match in islice(pattern.finditer(text), _MOST):
            group = 1 if match.group(1) is not None else 2
            start, end = match.start(group), match.end(group)
            if start not in taken and int(match.group(group)) in usual[kind]:
                yield Amount(float(match.group(group)), kind, start, end)


def _kind(before: str, after: str, hosts: Hosts) -> Kind:
    """What goes on being used tells no size of a card; the word after a size counts before the word in front of it."""
    ignored: tuple[Kind, ...] = ("shared", "used")
    told: tuple[Kind, ...] = ("vram", "ram")
    for kind in ignored:
        if hosts.memory[kind].search(before) or hosts.memory[kind].search(after):
            return kind
    for words, nearest_first in ((after, True), (before, False)):
        seen: dict[Kind, int] = {}
        for kind in told:
            match = hosts.memory[kind].search(words)
            if match is not None:
                seen[kind] = match.start()
        if seen:
            return min(seen, key=lambda kind: seen[kind]) if nearest_first else max(seen, key=lambda kind: seen[kind])
    return "bare"
