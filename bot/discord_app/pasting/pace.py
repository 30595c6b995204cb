"""How often somebody is answered, what was dealt with already, and whose case is still open: all of it in memory."""

import time
from collections import OrderedDict, deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

JOIN_S = 600.0


class Cooldown:
    """At most `count` answers in `seconds` for each key; the oldest keys are forgotten beyond `keys`."""

    def __init__(self, count: int, seconds: float, keys: int = 20_000) -> None:
        self.count, self.seconds, self.keys = count, seconds, keys
        self._given: OrderedDict[Hashable, deque[float]] = OrderedDict()

    def wait(self, key: Hashable) -> float:
        """Seconds until this key is answered again; 0 takes one of its answers."""
        now = time.monotonic()
        given = self._given.setdefault(key, deque())
        self._given.move_to_end(key)
        while given and now - given[0] >= self.seconds:
            given.popleft()
        if len(given) >= self.count:
            return self.seconds - (now - given[0])
        given.append(now)
        if len(self._given) > self.keys:
            self._given.popitem(last=False)
        return 0.0


class Seen:
    """The last so many events: `first` is true once for each."""

    def __init__(self, most: int = 8192) -> None:
        self.most = most
        self._ids: OrderedDict[Hashable, None] = OrderedDict()

    def __contains__(self, event: Hashable) -> bool:
        return event in self._ids

    def first(self, event: Hashable) -> bool:
        """Whether this event comes for the first time."""
        if event in self._ids:
            return False
        self._ids[event] = None
        if len(self._ids) > self.most:
            self._ids.popitem(last=False)
        return True


@dataclass(frozen=True, slots=True)
class OpenCase:
    """A case that further messages of its asker join until `until` (monotonic seconds)."""

    case_id: str
    until: float


class OpenCases:
    """Who has an open case in which channel."""

    def __init__(self, most: int = 20_000) -> None:
        self.most = most
        self._open: OrderedDict[tuple[int, int], OpenCase] = OrderedDict()

    def open(self, channel: int, user: int, case_id: str, pastes: Iterable[int]) -> None:
        """A case of these messages: in a thread under one of them, which has the message's id, the talk goes on."""
        for place in (channel, *pastes):
            self.touch(place, user, case_id)

    def touch(self, channel: int, user: int, case_id: str) -> None:
        """Begin or prolong the time in which messages join."""
        self._open[channel, user] = OpenCase(case_id, time.monotonic() + JOIN_S)
        self._open.move_to_end((channel, user))
        if len(self._open) > self.most:
            self._open.popitem(last=False)

    def get(self, channel: int, user: int) -> str | None:
        """The case that a message of this person in this channel belongs to."""
        found = self._open.get((channel, user))
        if found is None:
            return None
        if found.until < time.monotonic():
            del self._open[channel, user]
            return None
        return found.case_id

    def drop(self, case_id: str) -> None:
        """Nothing joins this case any more."""
        for key in [key for key, found in self._open.items() if found.case_id == case_id]:
            del self._open[key]
