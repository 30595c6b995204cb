"""A copy of the case file that can be put in its place: consistent, checked, one file."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.cases.errors import StoreError


def write(source: sqlite3.Connection, path: Path) -> Path:
    """Copy the database behind `source` to `path`, through SQLite's backup interface, checked before it gets its name.

    Others may read and write meanwhile: the copy is as of one moment. An earlier backup at `path` is replaced only by
    a whole and sound one. Raises StoreError, and sqlite3.Error in passing.
    """
    if not path.parent.is_dir():
        raise StoreError("folder_missing", str(path), f"there is no folder {path.parent}")
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        with closing(sqlite3.connect(unfinished)) as copy:
            source.backup(copy)
            # One file alone: a copy in WAL mode would want a log beside it as soon as it is opened.
            copy.execute("PRAGMA journal_mode = DELETE")
            check(copy, unfinished)
        _to_disk(unfinished)
        unfinished.replace(path)
        _to_disk(path.parent)
    except OSError as error:
        raise StoreError("cannot_open", str(path), error.strerror or str(error)) from error
    finally:
        unfinished.unlink(missing_ok=True)
    return path


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Read every page of a file, and the search index against the texts. Raises StoreError `damaged`."""
    problems = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)") if row[0] != "ok"]
    problems += [f"{row[0]}: row without its case" for row in connection.execute("PRAGMA foreign_key_check")]
    if problems:
        raise StoreError("damaged", str(path), "; ".join(problems))
    connection.execute("INSERT INTO case_search (case_search, rank) VALUES ('integrity-check', 1)")


def _to_disk(path: Path) -> None:
    """Have the system write a file, or a folder's entries, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
