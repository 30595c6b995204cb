"""Connections to the case file: one that writes, and read-only ones."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from sqlite_utils import Database

from bot.cases import schema
from bot.cases.errors import StoreError, explained

BUSY_TIMEOUT_MS: Final = 5000


def _refuse_unusable(path: Path, *, create: bool) -> None:
    """Look at the file through a read-only connection, which cannot change a byte of it."""
    if not path.parent.is_dir():
        raise StoreError("folder_missing", str(path), f"there is no folder {path.parent}")
    if not path.exists():
        if not create:
            raise StoreError("missing", str(path), "there is no such file")
        return
    if not path.is_file():
        raise StoreError("cannot_open", str(path), "it is no file")
    connection = read_only(path)
    try:
        schema.check(connection, str(path))
    finally:
        connection.close()


def _made_private(path: Path) -> None:
    with suppress(OSError):
        path.touch(mode=0o600, exist_ok=False)


def beside(path: Path) -> tuple[Path, Path]:
    """The write-ahead log and the shared memory of a case file that is in use."""
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def writable(path: Path, *, create: bool = True, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> Database:
    """The writing connection, its file brought to this version. Raises StoreError, and sqlite3.Error in passing.

    synchronous=FULL: a commit is on the disk before it returns, so that no answer goes out whose case a power cut
    could lose. secure_delete: what is deleted is overwritten with zeros. A new file is its owner's alone; SQLite gives
    the log beside it the same rights.
    """
    _refuse_unusable(path, create=create)
    _made_private(path)
    connection = sqlite3.connect(path, timeout=busy_timeout_ms / 1000)
    try:
        db = Database(connection)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA secure_delete = ON")
        with transaction(db):
            schema.upgrade(db)
    except BaseException:
        connection.close()
        raise
    return db


def read_only(path: Path, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> sqlite3.Connection:
    """A connection that can only read, usable from one thread at a time. Rows are `sqlite3.Row`."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, timeout=busy_timeout_ms / 1000, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    return connection


@contextmanager
def transaction(db: Database) -> Iterator[Database]:
    """A write transaction from its first statement on.

    `Database.atomic` begins as a reader and would fail at once, whatever the busy timeout, where another process
    wrote between its first read and its first write. Inside this block `atomic` makes savepoints.
    """
    db.execute("BEGIN IMMEDIATE")
    try:
        yield db
    except BaseException:
        db.rollback()
        raise
    try:
        db.execute("COMMIT")
    except BaseException:
        db.rollback()
        raise


@contextmanager
def explaining(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        raise explained(error, str(path)) from error
