"""Numbers: cases of each kind, and how often each lever helped. Deleted cases are in them through the counters."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

from bot.cases.counters import CASE_FACTS, STEP_FACTS
from bot.cases.model import Scope

BY: Final = ("class", "phase", "family", "locale", "state", "verdict")
# Two-sided 95 % of the normal distribution.
_Z: Final = 1.96


@dataclass(slots=True)
class Success:
    """What became of a lever or a rule, in steps offered."""

    offered: int = 0
    worked: int = 0
    failed: int = 0
    undone: int = 0
    unanswered: int = 0

    @property
    def answered(self) -> int:
        """Steps of which it is known whether they helped."""
        return self.worked + self.failed

    @property
    def rate(self) -> float | None:
        """Share that worked of those answered, 0 to 1; None before the first answer."""
        return self.worked / self.answered if self.answered else None

    @property
    def sure_rate(self) -> float:
        """The rate that is at least reached with 97.5 % certainty: the lower bound of Wilson's interval.

        It orders lists, so that one success out of one does not come before ninety out of a hundred.
        """
        if not self.answered:
            return 0.0
        n, p = self.answered, self.worked / self.answered
        spread = _Z * sqrt(p * (1 - p) / n + _Z * _Z / (4 * n * n))
        return (p + _Z * _Z / (2 * n) - spread) / (1 + _Z * _Z / n)


@dataclass(frozen=True, slots=True)
class Spot:
    """How many cases there were of one problem, phase and family (an empty one: not known)."""

    problem_class: str
    phase: str
    family: str
    n: int


@dataclass(frozen=True, slots=True)
class Stats:
    """`by` counts cases by each name of BY (an empty value: not known). `rounds` is how many rounds until it worked.

    `live` of the cases are still there. `asked` are the spots at which the bot had to ask for more, `gave_up` those at
    which the ladder's end was reached and it still failed; most frequent first.
    """

    cases: int
    live: int
    by: Mapping[str, Mapping[str, int]]
    levers: Mapping[str, Success]
    rules: Mapping[str, Success]
    rounds: Mapping[int, int]
    asked: tuple[Spot, ...]
    gave_up: tuple[Spot, ...]


def stats(connection: sqlite3.Connection, scope: Scope, since: str | None = None) -> Stats:
    """Count within a scope. Of deleted cases only months are known: `since` counts them from the whole month on."""
    by: dict[str, Counter[str]] = {name: Counter() for name in BY}
    rounds: Counter[int] = Counter()
    asked: Counter[tuple[str, str, str]] = Counter()
    gave_up: Counter[tuple[str, str, str]] = Counter()
    live = 0
    for row in _rows(connection, ("case_facts", "counted_cases"), CASE_FACTS, (scope, since)):
        live += row["n"] if row["live"] else 0
        for name in BY:
            by[name][row[name]] += row["n"]
        if row["rounds"]:
            rounds[row["rounds"]] += row["n"]
        spot = (row["class"], row["phase"], row["family"])
        if row["asked"]:
            asked[spot] += row["n"]
        if row["state"] == "failed":
            gave_up[spot] += row["n"]
    levers: dict[str, Success] = {}
    rules: dict[str, Success] = {}
    for row in _rows(connection, ("step_facts", "counted_steps"), STEP_FACTS, (scope, since)):
        _add(levers.setdefault(row["lever"], Success()), row["outcome"], row["n"])
        _add(rules.setdefault(row["rule"], Success()), row["outcome"], row["n"])
    return Stats(
        cases=by["class"].total(),
        live=live,
        by={name: dict(counts.most_common()) for name, counts in by.items()},
        levers=dict(sorted(levers.items(), key=lambda item: -item[1].offered)),
        rules=dict(sorted(rules.items(), key=lambda item: (-item[1].sure_rate, -item[1].offered))),
        rounds=dict(sorted(rounds.items())),
        asked=_spots(asked),
        gave_up=_spots(gave_up),
    )


def _spots(counts: Counter[tuple[str, str, str]]) -> tuple[Spot, ...]:
    return tuple(Spot(problem_class, phase, family, n) for (problem_class, phase, family), n in counts.most_common())


def _rows(
    connection: sqlite3.Connection, tables: tuple[str, str], facts: str, wanted: tuple[Scope, str | None]
) -> Iterable[Mapping[str, Any]]:
    """Counts by all facts together, of the cases that are there and of those that were."""
    (live, counted), (scope, since) = tables, wanted
    names = [name.strip() for name in facts.split(",")]
    where, values = ["1"], []
    if scope.guild is not None:
        where.append("guild = ?")
        values.append(scope.guild)
    own, own_values = (["asker = ?"], [scope.asker]) if scope.asker is not None else ([], [])
    times = ([], [], [], []) if since is None else (["created_at >= ?"], [since], ["month >= ?"], [since[:7]])
    queries = [(live, f"{facts}, count(*)", [*where, *own, *times[0]], [*values, *own_values, *times[1]])]
    if scope.asker is None:
        queries.append((counted, f"{facts}, n", [*where, *times[2]], [*values, *times[3]]))
    for table, columns, conditions, parameters in queries:
        grouped = f" GROUP BY {facts}" if table == live else ""
        found = connection.execute(
            f"SELECT {columns} FROM {table} WHERE {' AND '.join(conditions)}{grouped}",  # noqa: S608 - ours
            parameters,
        )
        for row in found:
            yield dict(zip([*names, "n", "live"], [*row, table == live], strict=True))


def _add(success: Success, outcome: str, n: int) -> None:
    success.offered += n
    if outcome == "works":
        success.worked += n
    elif outcome == "still_fails":
        success.failed += n
    elif outcome == "undone":
        success.undone += n
    else:
        success.unanswered += n
