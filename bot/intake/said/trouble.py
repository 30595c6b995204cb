"""Which of several cards or sizes is the one in trouble: `works on my 4090, fails on the 3060`."""

from collections.abc import Iterator
from re import Match
from typing import Protocol, TypeVar

from bot.intake.text.passage import Passage
from bot.knowledge.hosts import Hosts

T = TypeVar("T")
_LEAD = 16  # characters in front of a card that may say whose it is
_OF_OTHERS = -4


class Pattern(Protocol):
    """A compiled pattern, of RE2 or of `re`."""

    def finditer(self, text: str) -> Iterator[Match[str]]:
        """Every match in the text."""


def most_troubled(found: list[tuple[T, int, int]], passage: Passage, hosts: Hosts) -> list[T]:
    """The things (with their first and last characters), those in trouble first, then one's own, those of others last."""
    if len(found) < 2:
        return [thing for thing, _, _ in found]
    starts, ends = [start for _, start, _ in found] + [len(passage.plain)], [0] + [end for _, _, end in found]
    told = [
        _trouble(passage, (ends[at], start, end, starts[at + 1]), hosts) for at, (_, start, end) in enumerate(found)
    ]
    ranked = sorted(zip(told, found, strict=True), key=lambda one: -one[0])
    return [thing for _, (thing, _, _) in ranked]


def _trouble(passage: Passage, span: tuple[int, int, int, int], hosts: Hosts) -> int:
    """2 where the words around tell of trouble, -2 where they tell that it runs; 1 more where it is one's own.

    `span`: where the thing before ends, where this one starts and ends, where the next one starts.
    """
    behind, start, end, ahead = span
    near = _around(passage, span, hosts)
    lead = passage.plain[max(_clause_start(passage, start), behind) : start]
    own, others = _last(hosts.card_own, lead), _last(hosts.card_people, lead)
    if others > own or hosts.card_idle.search(passage.plain[end:ahead]) is not None:
        return _OF_OTHERS
    fine = [match[1] or match[2] for match in hosts.card_fine.finditer(near)]
    if hosts.card_trouble.search(near) is not None or any(fine):
        return 2 + (own >= 0)
    given_up = hosts.card_of_others.search(passage.plain[max(0, start - _LEAD) : start]) is not None
    return (-2 if fine or given_up else 0) + (own >= 0)


def _last(pattern: Pattern, text: str) -> int:
    """Where the last match begins; -1 where there is none."""
    return max((match.start() for match in pattern.finditer(text)), default=-1)


def _clause_start(passage: Passage, at: int) -> int:
    """What stands in brackets belongs to the words in front of them: `not on mine (3060)`."""
    start, _ = passage.clause_at(at)
    if passage.plain[max(0, start - 1) : start] not in {"(", "\uff08"}:
        return start
    return passage.clause_at(start - 1)[0]


def _around(passage: Passage, span: tuple[int, int, int, int], hosts: Hosts) -> str:
    """The part of the sentence around a card that no comma, no `but` and no other card divides."""
    behind, start, end, ahead = span
    first, last = passage.clause_at(start)
    before, after = passage.plain[max(first, behind) : start], passage.plain[end : max(end, min(last, ahead))]
    cuts = [match.end() for match in hosts.contrast.finditer(before)]
    cut = hosts.contrast.search(after)
    return before[cuts[-1] if cuts else 0 :] + " \x00 " + after[: cut.start() if cut else None]
