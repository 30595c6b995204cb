"""What is known of deleted cases: how many there were of each kind in each month, without user or text."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlite_utils import Database

CASE_FACTS: Final = "guild, month, class, phase, family, locale, state, verdict, asked, rounds"
STEP_FACTS: Final = "guild, month, family, lever, rule, outcome"


_COUNTED: Final = (("counted_cases", "case_facts", CASE_FACTS), ("counted_steps", "step_facts", STEP_FACTS))
# What never changes of a case or a step between an export and its deletion.
_FIXED: Final = {"guild", "month", "lever", "rule"}


def count(db: Database, seq: int) -> None:
    """Add a case and its steps to the counters, just before it is deleted."""
    for table, view, facts in _COUNTED:
        db.execute(
            f"INSERT INTO {table} ({facts}, n) SELECT {facts}, count(*) FROM {view} WHERE seq = ?"  # noqa: S608 - ours
            f" GROUP BY {facts} ON CONFLICT DO UPDATE SET n = n + excluded.n",
            [seq],
        )


def uncount(db: Database, seq: int) -> None:
    """Take a case that was deleted, and is back from an export, out of the counters again.

    Nothing says which entry was its own, and it may have moved on between export and deletion: the likest goes.
    """
    for table, view, facts in _COUNTED:
        names = facts.split(", ")
        for values in db.execute(f"SELECT {facts} FROM {view} WHERE seq = ?", [seq]).fetchall():  # noqa: S608 - ours
            _take_one(db, table, names, values)


def _take_one(db: Database, table: str, names: Sequence[str], values: Sequence[Any]) -> None:
    fixed = {name: value for name, value in zip(names, values, strict=True) if name in _FIXED}
    alike = " + ".join(f"({name} = ?)" for name in names)
    likest = db.execute(
        f"SELECT {', '.join(names)} FROM {table} WHERE {_all_equal(fixed)} ORDER BY {alike} DESC LIMIT 1",  # noqa: S608 - ours
        [*fixed.values(), *values],
    ).fetchone()
    if likest is not None:
        db.execute(f"UPDATE {table} SET n = n - 1 WHERE {_all_equal(names)}", list(likest))  # noqa: S608 - ours
        db.execute(f"DELETE FROM {table} WHERE n = 0")  # noqa: S608 - ours


def _all_equal(names: Iterable[str]) -> str:
    return " AND ".join(f"{name} = ?" for name in names)


def forget_guild(db: Database, guild: int) -> None:
    """Drop the counters of a server that is gone."""
    db.execute("DELETE FROM counted_cases WHERE guild = ?", [guild])
    db.execute("DELETE FROM counted_steps WHERE guild = ?", [guild])
