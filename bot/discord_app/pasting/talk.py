"""What somebody said of their hardware shortly before they paste ("4090, 32 GB RAM"): kept in memory for ten minutes."""

import time
from collections import OrderedDict, deque
from collections.abc import Collection

from bot.intake.read import Pasted

SECONDS, LINES, PEOPLE = 600.0, 2, 2000


class Talk:
    """The last lines about hardware of each person in each channel. Never stored unless a paste follows."""

    def __init__(self) -> None:
        self._said: OrderedDict[tuple[int, int], deque[tuple[float, int, str]]] = OrderedDict()

    def note(self, channel: int, user: int, message: int, text: str) -> None:
        """Remember a line, and the message that it is."""
        lines = self._said.setdefault((channel, user), deque(maxlen=LINES))
        lines.append((time.monotonic(), message, text))
        self._said.move_to_end((channel, user))
        if len(self._said) > PEOPLE:
            self._said.popitem(last=False)

    def forget(self, messages: Collection[int]) -> None:
        """Drop what was deleted."""
        for lines in self._said.values():
            for line in [line for line in lines if line[1] in messages]:
                lines.remove(line)

    def recent(self, channel: int, user: int) -> tuple[Pasted, ...]:
        """The lines of the last ten minutes; they are taken out."""
        lines = self._said.pop((channel, user), ())
        since = time.monotonic() - SECONDS
        return tuple(Pasted("message.txt", text) for at, _, text in lines if at >= since)
