"""What is known of deleted cases: how many there were of each kind in each month, without user or text."""

from typing import Final

from sqlite_utils import Database

CASE_FACTS: Final = "guild, month, class, phase, family, locale, state, verdict, asked, rounds"
STEP_FACTS: Final = "guild, month, family, lever, rule, outcome"


def count(db: Database, seq: int) -> None:
    """Add a case and its steps to the counters, just before it is deleted."""
    for table, view, facts in (
        ("counted_cases", "case_facts", CASE_FACTS),
        ("counted_steps", "step_facts", STEP_FACTS),
    ):
        db.execute(
            f"INSERT INTO {table} ({facts}, n) SELECT {facts}, count(*) FROM {view} WHERE seq = ?"  # noqa: S608 - ours
            f" GROUP BY {facts} ON CONFLICT DO UPDATE SET n = n + excluded.n",
            [seq],
        )


def forget_guild(db: Database, guild: int) -> None:
    """Drop the counters of a server that is gone."""
    db.execute("DELETE FROM counted_cases WHERE guild = ?", [guild])
    db.execute("DELETE FROM counted_steps WHERE guild = ?", [guild])
