"""Presses that were taken back, in files of before `undone` was written on the step that it is about.

They had "undone" on the step that was on offer when Undo was pressed, and "still fails" left on the step before,
whose press was meant.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from sqlite_utils import Database


def mark(db: Database) -> None:
    """Write `undone` on each step whose "still fails" was taken back."""
    cases = db.execute("SELECT DISTINCT seq FROM steps WHERE outcome = 'undone'").fetchall()
    for (seq,) in cases:
        steps = db.execute(
            "SELECT round, outcome, rule, diff FROM steps WHERE seq = ? ORDER BY position", [seq]
        ).fetchall()
        for taken_back in _taken_back(steps):
            db.execute("UPDATE steps SET outcome = 'undone' WHERE seq = ? AND round = ?", [seq, taken_back])


def _taken_back(steps: Iterable[tuple[int, str, Any, Any]]) -> list[int]:
    """The rounds. One that was undone and is followed by another step went back; by the same step, it stayed."""
    rounds = [(number, list(offered)) for number, offered in groupby(steps, key=lambda step: step[0])]
    made: list[int] = []
    found: list[int] = []
    for (number, offered), after in zip(rounds, [*rounds[1:], None], strict=True):
        outcome = offered[0][1]
        if outcome == "still_fails":
            made.append(number)
        elif outcome == "undone" and made and after is not None and _content(offered) != _content(after[1]):
            found.append(made.pop())
    return found


def _content(offered: list[tuple[int, str, Any, Any]]) -> list[tuple[Any, Any]]:
    return [(rule, diff) for _, _, rule, diff in offered]
