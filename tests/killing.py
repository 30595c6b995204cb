"""Killing a process that records cases, and counting what is left: shared by the tests of the store and of the bot.

A line `<message> <case id>` on the child's standard output is the reply that goes out: it is written after the case's
future is set, never before. Run as a program, this module is such a child.
"""

import os
import queue
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass
class Figures:
    """What happened. `replies` maps a message to the ids that were replied with, in order."""

    kills: int = 0
    replies: dict[int, list[str]] = field(default_factory=dict)
    cases: int = 0
    lost: int = 0
    doubled: int = 0

    def __str__(self) -> str:
        return (
            f"kill test: {self.kills} kills, {len(self.replies)} replies, {self.cases} cases, "
            f"{self.lost} lost, {self.doubled} doubled"
        )

    def count(self, stored: Sequence[tuple[int, str]]) -> None:
        """Compare with the (message, case id) pairs that the file holds."""
        ids_of: dict[int, set[str]] = {}
        for message, case_id in stored:
            ids_of.setdefault(message, set()).add(case_id)
        self.cases = len({case_id for _, case_id in stored})
        self.lost = sum(not set(ids) <= ids_of.get(message, set()) for message, ids in self.replies.items())
        doubled_rows = sum(n - 1 for n in Counter(message for message, _ in stored).values())
        doubled_replies = sum(len(set(ids)) - 1 for ids in self.replies.values())
        self.doubled = doubled_rows + doubled_replies


class Child:
    """A process to be killed; `lines` yields what it wrote, whole lines alone."""

    def __init__(self, command: Sequence[str]) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT)
        self.lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout:
            if line.endswith("\n"):
                self.lines.put(line.strip())
        self.lines.put(None)

    def kill(self) -> list[str]:
        """SIGKILL, at once. Returns what it had still written."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._reader.join()
        self.process.stdout.close()
        rest = []
        while (line := self.lines.get()) is not None:
            rest.append(line)
        return rest


def kill_and_count(path: Path, *, kills: int, per_life: int, together: int = 1, seed: int = 1) -> Figures:
    """Let `together` children at a time record and kill them at random moments, `kills` times.

    Each next life replays the last messages of the one before, as a gateway does after a reconnect. The caller
    compares with the file (`Figures.count`).
    """
    rng = random.Random(seed)
    figures = Figures()
    first = [1_000_000 * number for number in range(together)]
    for _ in range(kills):
        children = [Child([sys.executable, "-m", "tests.killing", str(path), str(start)]) for start in first]
        for number, child in enumerate(children):
            wanted = rng.randrange(1, 2 * per_life)
            lines = [line for _ in range(wanted) if (line := child.lines.get()) is not None]
            if number + 1 == together:
                for other in children:
                    lines += other.kill()
                    figures.kills += 1
            for line in lines:
                message, case_id = line.split()
                figures.replies.setdefault(int(message), []).append(case_id)
        first = [
            max([start, *(message - 5 for message in figures.replies if message // 1_000_000 == number)])
            for number, start in enumerate(first)
        ]
    return figures


def child(path: Path, first: int) -> None:
    """Record one message after the other until killed."""
    from bot.cases.book import CaseBook
    from bot.cases.store import Store
    from tests.cases.making import new_case

    with CaseBook(Store(path, busy_timeout_ms=60_000)) as book:
        for message in range(first, first + 900_000):
            recorded = book.record(new_case(message=message, receipts=(f"nonce:{message}",))).result()
            sys.stdout.write(f"{message} {recorded.id}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    child(Path(sys.argv[1]), int(sys.argv[2]))
