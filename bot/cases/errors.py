"""What can go wrong with the case file, each with the key of its remedy (`cases.remedy.<key>` in the locale files)."""

import shutil
import sqlite3
from pathlib import Path
from typing import Final, Literal

Remedy = Literal[
    "cannot_open", "damaged", "disk_full", "folder_missing", "foreign", "input_output", "locked", "missing", "newer",
    "read_only", "stopped", "unexpected",
]  # fmt: skip

# Primary result codes of SQLite (https://www.sqlite.org/rescode.html); the low byte of an extended code.
_BY_CODE: Final[dict[int, Remedy]] = {
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_PERM: "read_only",
    sqlite3.SQLITE_IOERR: "input_output",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_CANTOPEN: "cannot_open",
}
# Bytes SQLite's shared memory grows by.
_ONE_PAGE: Final = 32 * 1024


class StoreError(Exception):
    """The case file cannot be used just now. `remedy` names what the operator can do; `detail` is SQLite's word."""

    def __init__(self, remedy: Remedy, path: str, detail: str) -> None:
        """`path` is the case file's, as the operator set it."""
        super().__init__(f"{path}: {remedy.replace('_', ' ')}: {detail}")
        self.remedy: Remedy = remedy
        self.path = path
        self.detail = detail


class NoSuchCaseError(LookupError):
    """No case of that id, message or asker within the scope: absent and out of sight are one answer."""


def explained(error: sqlite3.Error, path: str) -> StoreError:
    """SQLite's error as ours. An error that is no fault of the file (a broken constraint) is `unexpected`."""
    code = getattr(error, "sqlite_errorcode", None)
    remedy: Remedy = "unexpected" if code is None else _BY_CODE.get(code & 0xFF, "unexpected")
    if remedy == "input_output" and _is_full(path):
        remedy = "disk_full"
    return StoreError(remedy, path, str(error))


def _is_full(path: str) -> bool:
    """Whether the file's disk has no room left: where SQLite cannot grow its shared memory, it speaks of an I/O error."""
    try:
        return shutil.disk_usage(Path(path).parent).free < _ONE_PAGE
    except OSError:
        return False
