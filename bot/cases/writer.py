"""The one thread that writes: it owns the connection, takes jobs from a queue and answers through futures."""

import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from sqlite_utils import Database

from bot.cases import scrub
from bot.cases.connections import explaining, transaction, writable
from bot.cases.errors import StoreError

T = TypeVar("T")
Scrub = Literal["soon", "thorough"]
# After a failure to open the file, jobs are refused at once for so long; then the next one tries again.
RETRY_S: Final = 5.0
# What was deleted is scrubbed when no job waits, or after this long even if some do.
SCRUB_WITHIN_S: Final = 2.0
# Where a reader is in the way, cleaning is tried again soon, and after GIVE_UP_S without anyone waiting for it.
SOON_S: Final = 0.25
GIVE_UP_S: Final = 3.0
LATER_S: Final = 60.0


@dataclass(slots=True)
class _Job:
    work: Callable[[Database], Any]
    future: Future[Any]
    scrub: "Scrub | None" = None


@dataclass(slots=True)
class _Owed:
    """Deletions made but not yet scrubbed from the file: their futures wait for it. Times by the monotonic clock."""

    since: float
    next_try: float
    waiting: list[tuple[Future[Any], Any]] = field(default_factory=list)
    stage: scrub.Stage = "begin"
    thorough: bool = False

    @classmethod
    def from_now(cls) -> "_Owed":
        moment = time.monotonic()
        return cls(moment, moment)

    def answer(self) -> None:
        """Set the futures of the deletions."""
        for future, result in self.waiting:
            future.set_result(result)
        self.waiting.clear()


class Writer:
    """Runs each job in a transaction of its own; its future is set only once that is on the disk."""

    def __init__(self, path: Path, *, create: bool = True, busy_timeout_ms: int, retry_s: float = RETRY_S) -> None:
        self._path = path
        self._create = create
        self._busy_timeout_ms = busy_timeout_ms
        self._retry_s = retry_s
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._db: Database | None = None
        self._owed: _Owed | None = None
        self._retry_at = 0.0
        self.error: StoreError | None = None
        self.opened = False
        self._gate = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._loop, name="case-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[Database], T], *, scrubbing: "Scrub | None" = None) -> "Future[T]":
        """Queue a job. With `scrubbing`, its future waits until what it deleted is gone from the file.

        `thorough` cleans a large file whole at once too, see `scrub.some`.

        The future raises StoreError where the file cannot be used; what `work` raises comes through as it is.
        """
        future: Future[T] = Future()
        with self._gate:
            if self._closed:
                raise StoreError("stopped", str(self._path), "the case history is closed")
            self._queue.put(_Job(work, future, scrubbing))
        return future

    @property
    def cleaning(self) -> bool:
        """Whether something deleted is not yet scrubbed from the file."""
        return self._owed is not None

    def close(self) -> None:
        """Finish what is queued, then let go of the file. May be called twice."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _loop(self) -> None:
        while True:
            job = self._next()
            if job is None:
                break
            if job.future.set_running_or_notify_cancel():
                self._run(job)
        while self._owed is not None and self._scrub_some():
            pass
        if self._owed is not None:
            self._owed.answer()
        self._drop_connection()

    def _next(self) -> _Job | None:
        while (owed := self._owed) is not None:
            moment = time.monotonic()
            wait = max(0.0, owed.next_try - moment)
            if wait or moment - owed.since < SCRUB_WITHIN_S:
                try:
                    return self._queue.get(timeout=wait)
                except queue.Empty:
                    pass
            self._scrub_some()
        return self._queue.get()

    def _run(self, job: _Job) -> None:
        try:
            with explaining(self._path):
                db = self._connected()
                with transaction(db):
                    before = db.conn.total_changes
                    result = job.work(db)
                    # Most messages that are deleted in a channel were no case's: nothing to clean up after them.
                    scrubbing = job.scrub and (db.conn.total_changes != before or scrub.is_owed(db))
                    if scrubbing:
                        scrub.owe(db)
        except Exception as error:  # noqa: BLE001 - whatever it is belongs to the one who asked, not to this thread
            self._note(error)
            job.future.set_exception(error)
            return
        self.error = None
        if not scrubbing:
            job.future.set_result(result)
            return
        before_it = self._owed or _Owed.from_now()
        self._owed = _Owed.from_now()
        if before_it.stage != "log":
            self._owed.since = before_it.since
        self._owed.waiting = [*before_it.waiting, (job.future, result)]
        self._owed.thorough = before_it.thorough or job.scrub == "thorough"

    def _connected(self) -> Database:
        if self._db is None:
            if self.error is not None and time.monotonic() < self._retry_at:
                raise self.error.with_traceback(None)
            self._db = writable(self._path, create=self._create, busy_timeout_ms=self._busy_timeout_ms)
            self.opened = True
            if self._owed is None and scrub.is_owed(self._db):
                self._owed = _Owed.from_now()
        return self._db

    def _note(self, error: Exception) -> None:
        """Remember a fault of the file; with a damaged or vanished one, connect anew next time."""
        if not isinstance(error, StoreError) or error.remedy == "unexpected":
            return
        if error is not self.error:
            self._retry_at = time.monotonic() + self._retry_s
        self.error = error
        if error.remedy not in {"locked", "disk_full"}:
            self._drop_connection()

    def _scrub_some(self) -> bool:
        """One round of cleaning. False when it cannot go on just now: a reader is in the way, or the disk is full.

        The deletions are answered when all is clean, or at the latest GIVE_UP_S later; what is owed stays written in
        the file and is tried again, also by the next process.
        """
        owed = self._owed or _Owed.from_now()
        try:
            with explaining(self._path):
                owed.stage = scrub.some(self._connected(), owed.stage, thorough=owed.thorough)
            blocked = owed.stage == "log"
        except Exception as error:  # noqa: BLE001 - cleaning is tried again; without this thread nothing is written
            self._note(error)
            blocked = True
        if owed.stage == "clean":
            self._owed = None
            owed.answer()
        if blocked:
            moment = time.monotonic()
            late = moment - owed.since > GIVE_UP_S
            owed.next_try = moment + (LATER_S if late else SOON_S)
            if late:
                owed.answer()
        return not blocked

    def _drop_connection(self) -> None:
        if self._db is None:
            return
        db, self._db = self._db, None
        try:
            db.close()
        except sqlite3.Error as error:
            # Nothing is lost by it: every commit is on the disk already.
            self.error = self.error or StoreError("unexpected", str(self._path), str(error))
