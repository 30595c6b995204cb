"""Locks by key: what belongs together is dealt with one after the other."""

import asyncio
from collections.abc import Hashable
from weakref import WeakValueDictionary


class Locks:
    """A lock for each key, for as long as somebody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._locks

    def of(self, key: Hashable) -> asyncio.Lock:
        """The lock of a key."""
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock
