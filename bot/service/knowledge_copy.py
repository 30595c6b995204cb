"""The knowledge in force: a private copy of the folder, so that nothing half-edited is ever read.

An engine process that has to be started anew reads the same rules as before, whatever a moderator is writing meanwhile.
"""

import asyncio
import contextlib
import fcntl
import json
import logging
import shutil
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

log = logging.getLogger(__name__)
CHECK_S, YOUNG_S = 120.0, 60.0
PREFIX, LOCK = "oom-medic-knowledge-", "in-use"
_COMMAND = (sys.executable, "-m", "bot.service.checking")


@dataclass(frozen=True, slots=True)
class Copy:
    """A copied folder; `root` is what has to be deleted with it. `taken_at` is Unix time.

    `held` is a file whose lock says that a living process uses the copy.
    """

    root: Path
    folder: Path
    taken_at: float
    held: BinaryIO

    def delete(self) -> None:
        """Remove it from the disk. May be called twice."""
        shutil.rmtree(self.root, ignore_errors=True)
        self.held.close()


def take(folder: Path) -> Copy:
    """Copy knowledge/ into a new temporary folder, with the cases of its rules where they lie beside it. Raises OSError."""
    _sweep()
    root = Path(tempfile.mkdtemp(prefix=PREFIX))
    held = (root / LOCK).open("wb")
    fcntl.flock(held, fcntl.LOCK_EX)
    made = Copy(root, root / "knowledge", time.time(), held)
    try:
        shutil.copytree(folder, made.folder)
        cases = folder.parent / "tests" / "rules"
        if cases.is_dir():
            shutil.copytree(cases, root / "tests" / "rules")
    except OSError:
        made.delete()
        raise
    return made


def _sweep() -> None:
    """Delete the copies of processes that were killed."""
    for root in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            # A moment passes between making a folder and locking it.
            if root.is_symlink() or time.time() - root.stat().st_mtime < YOUNG_S:
                continue
            with (root / LOCK).open("ab") as held:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(root, ignore_errors=True)


def last_good(database: Path) -> Path:
    """Where the knowledge that was in force last lies: beside the case file."""
    return database.with_suffix(".knowledge")


def remember(copy: Copy, database: Path) -> None:
    """Keep a copy as the last good one, so that the bot starts whatever is being edited just then."""
    place = last_good(database)
    try:
        made = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
        try:
            shutil.copytree(copy.root, made / "new")
            if place.exists():
                place.rename(made / "old")
            (made / "new").rename(place)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        # Another process of this host may be at it too, or the disk be full; the next reload tries again.
        log.warning("the knowledge in force was not kept for the next start: %s", error.strerror)


async def complaints(folder: Path) -> list[str]:
    """Everything that is wrong with a folder, one sentence each, found by a process of its own.

    In this process it would hold up the event loop for as long as it takes.
    """
    process = await asyncio.create_subprocess_exec(*_COMMAND, str(folder), stdout=PIPE, stderr=PIPE)
    try:
        async with asyncio.timeout(CHECK_S):
            output, errors = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        return [f"the check took longer than {CHECK_S:.0f} seconds"]
    if process.returncode:
        last = errors.decode("utf-8", "replace").strip().splitlines()[-1:]
        return [f"the check itself failed: {' '.join(last)}"]
    return [str(one) for one in json.loads(output)]
