"""The stand-in's own clock and the ids made from it."""

import itertools
import time
from datetime import UTC, datetime

DISCORD_EPOCH_MS = 1_420_070_400_000


class Clock:
    """Runs with the real clock; `advance` jumps ahead, so that deadlines can pass without waiting for them."""

    def __init__(self):
        self.offset = 0.0
        self._serial = itertools.count(1)

    def now(self):
        return time.time() + self.offset

    def advance(self, seconds):
        self.offset += seconds

    def iso(self):
        return datetime.fromtimestamp(self.now(), UTC).isoformat()

    def snowflake(self):
        return str(((int(self.now() * 1000) - DISCORD_EPOCH_MS) << 22) | (next(self._serial) & 0x3FFFFF))
