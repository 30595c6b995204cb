"""Taking turns at logging in: Discord allows so many identifies each five seconds, over all processes of a bot.

Shard `n` belongs to bucket `n % max_concurrency`; of each bucket one shard may identify in five seconds. Processes of
one host agree through a file beside the case file. Each takes the next free moment and writes down when the one after
is: the file is locked for microseconds, and a process that dies leaves nothing locked.
"""

import asyncio
import fcntl
import json
import logging
import os
import time
from pathlib import Path

log = logging.getLogger(__name__)
# Discord's five seconds and something for the way there.
PERIOD_S = 5.25
# Monotonic time begins anew with each boot. A boot is known by its moment, which a corrected clock moves a little.
SAME_BOOT_S = 60.0


class Turns:
    """The file is `<case file>.identify`. `buckets` is Discord's max_concurrency."""

    def __init__(self, database: Path, buckets: int) -> None:
        self.path, self.buckets = database.with_suffix(".identify"), max(1, buckets)
        self._boot = time.time() - time.monotonic()

    async def wait(self, shard: int) -> float:
        """Wait for a shard's turn. Returns the seconds waited."""
        try:
            pause = await asyncio.to_thread(self.take, shard % self.buckets, time.monotonic())
        except OSError as error:
            log.warning("no turns between processes, %s cannot be used: %s", self.path, error.strerror)
            pause = PERIOD_S
        await asyncio.sleep(pause)
        return pause

    def take(self, bucket: int, now: float) -> float:
        """Take the bucket's next moment; returns the seconds until then."""
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            taken = self._read(os.read(descriptor, 1 << 16))
            moment = max(now, taken.get(bucket, now))
            taken[bucket] = moment + PERIOD_S
            kept = {one: until for one, until in taken.items() if until > now}
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, json.dumps([self._boot, list(kept.items())]).encode("ascii"), 0)
        finally:
            os.close(descriptor)
        return moment - now

    def _read(self, text: bytes) -> dict[int, float]:
        """Bucket -> when it is free again. A file cut short, or of another boot, is as good as none."""
        try:
            boot, taken = json.loads(text)
            same = abs(float(boot) - self._boot) < SAME_BOOT_S
            return {int(bucket): float(until) for bucket, until in taken} if same else {}
        except (ValueError, TypeError):
            return {}
