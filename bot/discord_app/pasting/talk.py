"""What somebody said of their hardware shortly before they paste ("4090, 32 GB RAM"): kept in memory for ten minutes."""

import time
from collections import OrderedDict, deque

from bot.intake.read import Pasted

SECONDS, LINES, PEOPLE = 600.0, 2, 2000


class Talk:
    """The last lines about hardware of each person in each channel. Never stored unless a paste follows."""

    def __init__(self) -> None:
        self._said: OrderedDict[tuple[int, int], deque[tuple[float, str]]] = OrderedDict()

    def note(self, channel: int, user: int, text: str) -> None:
        """Remember a line."""
        lines = self._said.setdefault((channel, user), deque(maxlen=LINES))
        lines.append((time.monotonic(), text))
        self._said.move_to_end((channel, user))
        if len(self._said) > PEOPLE:
            self._said.popitem(last=False)

    def recent(self, channel: int, user: int) -> tuple[Pasted, ...]:
        """The lines of the last ten minutes; they are taken out."""
        lines = self._said.pop((channel, user), ())
        since = time.monotonic() - SECONDS
        return tuple(Pasted("message.txt", text) for at, text in lines if at >= since)
