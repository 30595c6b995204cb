"""What a call names: files, standard input, sizes in GiB."""

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from bot.cli.refuse import Refused, refuse
from bot.intake.read import Pasted

if TYPE_CHECKING:
    from bot.evidence import Evidence
    from bot.knowledge.locale import Locale

# More than any log that helps; what lies beyond is not read, so that an endless stream ends too.
MAX_BYTES = 64 * 2**20
STDIN = "-"
STDIN_NAME = "stdin"
_FAILURES: tuple[tuple[type[OSError], str], ...] = (
    (FileNotFoundError, "missing_file"),
    (NotADirectoryError, "missing_file"),
    (IsADirectoryError, "folder"),
    (PermissionError, "no_permission"),
)


def gib(_context: click.Context, _parameter: click.Parameter, written: str | None) -> float | None:
    """A size in GiB: `24`, `23.7`, `24GB`, `24 GiB`. GB and GiB are taken as the same, as people and sellers do.

    A click callback. Raises Refused.
    """
    if written is None:
        return None
    text = written.strip().lower().replace(",", ".")
    for unit in ("gib", "gb", "g"):
        text = text.removesuffix(unit)
    try:
        size = float(text)
    except ValueError:
        size = math.nan
    if not 0 < size < 1e5:
        raise refuse("bad_size", value=written)
    return size


def read_inputs(files: tuple[str, ...]) -> list[Pasted]:
    """The bytes of every file; standard input for `-`, or for no file at all when something is piped in."""
    if not files:
        if sys.stdin is None or sys.stdin.isatty():
            raise refuse("no_input")
        files = (STDIN,)
    if "" in files:
        raise refuse("no_name")
    if files.count(STDIN) > 1:
        raise refuse("stdin_twice")
    if STDIN in files and sys.stdin is None:
        raise refuse("no_input")
    return [_read(name) for name in files]


def check_read(evidence: "Evidence", words: "Locale") -> None:
    """Refuse, once it was looked at, what is no text at all, and a card that nobody knows. Raises Refused."""
    told = dict(evidence.notices)
    unread = [words.text(f"notices.{key}", values) for key, values in evidence.notices if key in {"image", "binary"}]
    if unread and not any(source.text for source in evidence.sources):
        raise Refused("\n".join(unread), words)
    if "unknown-gpu" in told:
        raise Refused(words.text("memory.no_gpu", told["unknown-gpu"]), words)


def _read(name: str) -> Pasted:
    if name == STDIN:
        return Pasted(STDIN_NAME, _limited(sys.stdin.buffer))
    try:
        with Path(name).open("rb") as stream:
            return Pasted(Path(name).name, _limited(stream))
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from None


def _unreadable(name: str, error: OSError | ValueError) -> Refused:
    for kind, key in _FAILURES:
        if isinstance(error, kind):
            return refuse(key, name=name)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return refuse("unreadable", name=name, reason=reason)


def _limited(stream: BinaryIO) -> bytes:
    return stream.read(MAX_BYTES)
