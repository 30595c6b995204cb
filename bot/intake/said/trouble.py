"""Which of several cards or sizes is the one in trouble: `works on my 4090, fails on the 3060`."""

from typing import TypeVar

from bot.intake.text.passage import Passage
from bot.knowledge.hosts import Hosts

T = TypeVar("T")
_LEAD = 16  # characters in front of a card that may say whose it is


def most_troubled(found: list[tuple[T, int, int]], passage: Passage, hosts: Hosts) -> list[T]:
    """The things (with their first and last characters), those in trouble first, those that run fine last."""
    if len(found) < 2:
        return [thing for thing, _, _ in found]
    starts, ends = [start for _, start, _ in found] + [len(passage.plain)], [0] + [end for _, _, end in found]
    told = [
        _trouble(passage, (ends[at], start, end, starts[at + 1]), hosts) for at, (_, start, end) in enumerate(found)
    ]
    ranked = sorted(zip(told, found, strict=True), key=lambda one: -one[0])
    return [thing for _, (thing, _, _) in ranked]


def _trouble(passage: Passage, span: tuple[int, int, int, int], hosts: Hosts) -> int:
    """1 where the words around tell of trouble, -1 where they tell that it runs or is another's, 0 where neither.

    `span`: where the thing before ends, where this one starts and ends, where the next one starts.
    """
    _, start, _, _ = span
    near = _around(passage, span, hosts)
    fine = [match[1] or match[2] for match in hosts.card_fine.finditer(near)]
    troubled = hosts.card_trouble.search(near) is not None or any(fine)
    if troubled:
        return 1
    before = passage.plain[max(0, start - _LEAD) : start]
    return -1 if fine or hosts.card_of_others.search(before) is not None else 0


def _around(passage: Passage, span: tuple[int, int, int, int], hosts: Hosts) -> str:
    """The part of the sentence around a card that no comma, no `but` and no other card divides."""
    behind, start, end, ahead = span
    first, last = passage.clause_at(start)
    before, after = passage.plain[max(first, behind) : start], passage.plain[end : max(end, min(last, ahead))]
    cuts = [match.end() for match in hosts.contrast.finditer(before)]
    cut = hosts.contrast.search(after)
    return before[cuts[-1] if cuts else 0 :] + " \x00 " + after[: cut.start() if cut else None]
