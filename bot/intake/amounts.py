"""Sizes of memory in prose, and which kind of memory each is about."""

import re
from dataclasses import dataclass
from typing import Literal

from bot.intake.passage import Passage
from bot.knowledge.hosts import Hosts

Kind = Literal["vram", "ram", "shared", "used", "bare"]
_AMOUNT = re.compile(r"(?<![\w.])(\d{1,4}(?:[.,]\d{1,2})?)[ \u00a0]?-?(gib|gigs?|gb|go|гб|гиг|g)(?![a-z0-9])")
_CUT_AFTER = re.compile(r"[,;:\n/|)\]+]|->|\d|[.?!](?:\s|$)|\s(?:and|und|e|y|et|и|with|mit|con)\s")
_CUT_BEFORE = re.compile(r"[,;\n|(\[+]|->|\d|[.?!]\s|\s(?:and|und|e|y|et|и|with|mit|con)\s")
_REACH = 30


@dataclass(frozen=True, slots=True)
class Amount:
    """A size in GiB with its characters in the passage."""

    gib: float
    kind: Kind
    start: int
    end: int


def amounts(passage: Passage, hosts: Hosts) -> list[Amount]:
    """Every size with a unit, in order. `bare` has no word beside it that tells its kind."""
    text = passage.lowered
    found = []
    for match in _AMOUNT.finditer(text):
        start, end = match.span()
        after = text[end : end + _REACH]
        cut = _CUT_AFTER.search(after)
        after = after[: cut.start()] if cut else after
        before = text[max(0, start - _REACH) : start]
        cuts = list(_CUT_BEFORE.finditer(before))
        before = before[cuts[-1].end() :] if cuts else before
        found.append(Amount(float(match[1].replace(",", ".")), _kind(before, after, hosts), start, end))
    return found


def _kind(before: str, after: str, hosts: Hosts) -> Kind:
    """What goes on being used tells no size of a card; the word after a size counts before the word in front of it."""
    for kind in ("shared", "used"):
        if hosts.memory[kind].search(before) or hosts.memory[kind].search(after):
            return kind
    for words, nearest_first in ((after, True), (before, False)):
        seen: dict[Kind, int] = {}
        for kind in ("vram", "ram"):
            match = hosts.memory[kind].search(words)
            if match is not None:
                seen[kind] = match.start()
        if seen:
            return min(seen, key=lambda kind: seen[kind]) if nearest_first else max(seen, key=lambda kind: seen[kind])
    return "bare"
