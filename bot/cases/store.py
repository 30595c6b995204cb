"""The case file as the rest of the program sees it: jobs that write, jobs that read, and how it is doing."""

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self, TypeVar

from sqlite_utils import Database

from bot.cases.connections import BUSY_TIMEOUT_MS, explaining, read_only
from bot.cases.errors import StoreError
from bot.cases.writer import RETRY_S, Scrub, Writer

T = TypeVar("T")
READERS: Final = 2


@dataclass(frozen=True, slots=True)
class Health:
    """`error` is None while all is well; otherwise the last fault, whose remedy an operator can act on.

    `cleaning`: something deleted may still have traces in the file, because a reader (a backup, Litestream) is in the
    way of emptying the log; it is tried again until it works.
    """

    error: StoreError | None
    cleaning: bool = False

    @property
    def ok(self) -> bool:
        """Whether the last job that wrote got through."""
        return self.error is None


class Store:
    """One case file. Opening never fails: a file that cannot be used fails each job, until it can be used again.

    So the bot keeps answering (without a case id) while the disk is full or the file locked, and goes on recording
    by itself once that is mended. The terminal calls `ready` first and stops with the reason.
    Every future can be waited for with `.result()`, or in asyncio with `asyncio.wrap_future`.
    """

    def __init__(
        self,
        path: Path,
        *,
        create: bool = True,
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
        retry_s: float = RETRY_S,
    ) -> None:
        self.path = path
        self._writer = Writer(path, create=create, busy_timeout_ms=busy_timeout_ms, retry_s=retry_s)
        self._pool = ThreadPoolExecutor(READERS, thread_name_prefix="case-reader")
        self._idle: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        # Brings the file to this version and takes up what an earlier process left undone.
        self._opened = self._writer.submit(lambda _: None)

    def ready(self) -> Self:
        """Wait until the file is open and of this version. Raises StoreError."""
        try:
            self._opened.result()
        except StoreError:
            self.close()
            raise
        return self

    def health(self) -> Health:
        """How the file is doing, as of the last job that wrote."""
        return Health(self._writer.error, self._writer.cleaning)

    def write(self, work: Callable[[Database], T], *, scrubbing: Scrub | None = None) -> "Future[T]":
        """Run `work` in a transaction. The future is set when it is on the disk; see `Writer.submit`."""
        try:
            return self._writer.submit(work, scrubbing=scrubbing)
        except StoreError as error:
            return _failed(error)

    def read(self, work: Callable[[sqlite3.Connection], T]) -> "Future[T]":
        """Run `work` on a read-only connection, in a thread of its own. Sees every write whose future is set."""
        try:
            return self._pool.submit(self._read, work)
        except RuntimeError:
            return _failed(StoreError("stopped", str(self.path), "the case history is closed"))

    def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        # Until the file was opened once there may be no tables, or those of a version that is not ours.
        fault = self._opened.exception()
        if not self._writer.opened:
            raise fault or StoreError("cannot_open", str(self.path), "it was never opened")
        with explaining(self.path):
            connection = self._borrow()
            try:
                result = work(connection)
            except BaseException:
                connection.close()
                raise
        with self._lock:
            self._idle.append(connection)
        return result

    def _borrow(self) -> sqlite3.Connection:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return read_only(self.path)

    def close(self) -> None:
        """Finish what is under way and let go of the file."""
        self._pool.shutdown()
        for connection in self._idle:
            connection.close()
        self._idle.clear()
        self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _failed(error: StoreError) -> "Future[T]":
    future: Future[T] = Future()
    future.set_exception(error)
    return future
