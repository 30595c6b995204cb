"""A copy of the case file that can be put in its place: consistent, checked, one file."""

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.cases.connections import beside
from bot.cases.errors import StoreError, explained
from bot.cases.schema import is_ours


def write(source: sqlite3.Connection, path: Path) -> Path:
    """Copy the database behind `source` to `path`, through SQLite's backup interface, checked before it gets its name.

    Others may read and write meanwhile: the copy is as of one moment. An earlier backup at `path` is replaced only by
    a whole and sound one. Raises OSError (FileExistsError for a file that is no backup), StoreError, and sqlite3.Error
    in passing.
    """
    path = path.resolve()
    _refuse_to_replace(path)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        # Redacted or not, what people pasted is for the operator's eyes.
        unfinished.touch(mode=0o600)
        with closing(sqlite3.connect(unfinished)) as copy:
            source.backup(copy)
            # One file alone: a copy in WAL mode would want a log beside it as soon as it is opened.
            copy.execute("PRAGMA journal_mode = DELETE")
            check(copy, unfinished)
        _to_disk(unfinished)
        unfinished.replace(path)
        _to_disk(path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    except sqlite3.OperationalError as error:
        if explained(error, str(path)).remedy != "disk_full":
            raise
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path)) from error
    finally:
        unfinished.unlink(missing_ok=True)
    return path


def _refuse_to_replace(path: Path) -> None:
    """Only an earlier backup may be replaced: not a file of another kind, nor one that is in use.

    A file in use has its log beside it, which belongs to the old file and would damage the new one.
    """
    if not path.exists():
        return
    if any(companion.exists() for companion in beside(path)) or not is_ours(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))


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
