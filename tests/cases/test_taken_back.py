"""Files in which a press that was taken back stands as it was written before are brought to what is written now."""

import sqlite3

import pytest
from sqlite_utils import Database

from bot.cases.schema import migrations
from tests.cases.versions.make import ROWS

# Rule and outcome of each round before, and the outcomes after.
HISTORIES = {
    "back to the step before": (
        [("a", "still_fails"), ("b", "undone"), ("a", "waiting")],
        ["undone", "undone", "waiting"],
    ),
    "it works, taken back": (
        [("a", "still_fails"), ("b", "undone"), ("b", "waiting")],
        ["still_fails", "undone", "waiting"],
    ),
    "twice back": (
        [("a", "still_fails"), ("b", "still_fails"), ("c", "undone"), ("b", "undone"), ("a", "works")],
        ["undone", "undone", "undone", "undone", "works"],
    ),
    "back and on again": (
        [("a", "still_fails"), ("b", "undone"), ("a", "still_fails"), ("b", "works")],
        ["undone", "undone", "still_fails", "works"],
    ),
    "nothing before it": ([("a", "undone"), ("a", "works")], ["undone", "works"]),
}


@pytest.mark.parametrize("history", HISTORIES)
def test_each_press_taken_back_is_marked(history: str) -> None:
    before, after = HISTORIES[history]
    db = Database(sqlite3.connect(":memory:"))
    migrations.apply(db, stop_before="0005_taken_back")
    db.conn.executescript(ROWS)
    for number, (rule, outcome) in enumerate(before):
        db.execute(
            "INSERT INTO steps (seq, position, round, lever, rule, offered_at, outcome) VALUES (2, ?, ?, 'x', ?, '', ?)",
            [number, number + 1, rule, outcome],
        )
    migrations.apply(db)
    assert [outcome for (outcome,) in db.execute("SELECT outcome FROM steps WHERE seq = 2 ORDER BY round")] == after
    made = sum(outcome in {"works", "still_fails"} for outcome in after) if "works" in after else 0
    assert db.execute("SELECT rounds FROM case_facts WHERE seq = 2").fetchone()[0] == made
    db.close()
