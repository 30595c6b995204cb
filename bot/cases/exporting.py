"""Cases written out: JSON with everything that is kept, or CSV with one line a case."""

import csv
import io
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, fields
from typing import Any, Final, Literal

from bot.cases.finding import full
from bot.cases.listing import Filters, listed
from bot.cases.model import Case, FullCase, Scope
from bot.cases.people import guild_settings, moderated, user_settings

SCHEMA: Final = "oom-medic/cases/1"
Form = Literal["csv", "json"]
_PAGE: Final = 200
# What makes a spreadsheet take a cell for a formula, those of full width included (OWASP, CSV injection).
_FORMULA: Final = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
_CASE_FIELDS: Final = tuple(field.name for field in fields(Case) if field.name != "seq")


def written(connection: sqlite3.Connection, scope: Scope, filters: Filters, form: Form) -> Iterator[str]:
    """The file piece by piece, newest case first, so that a large one need not be held in memory."""
    return _csv(connection, scope, filters) if form == "csv" else _json(connection, scope, filters)


def entry(case: FullCase) -> dict[str, Any]:
    """One case as it stands in the JSON file."""
    made = asdict(case)
    made["case"].pop("seq")
    replies = [{"message": message, "channel": channel, "role": "reply"} for channel, message in case.replies]
    pastes = [{"message": message, "channel": case.places[message], "role": "paste"} for message in case.pastes]
    del made["pastes"], made["places"], made["replies"]
    return {**made, "messages": pastes + replies}


def _json(connection: sqlite3.Connection, scope: Scope, filters: Filters) -> Iterator[str]:
    head: dict[str, Any] = {"schema": SCHEMA}
    if scope.guild:
        head["guild_settings"] = {
            "guild": scope.guild,
            "settings": guild_settings(connection, scope.guild).model_dump(mode="json"),
        }
    if scope.asker is not None:
        head["user_settings"] = {"user": scope.asker, **asdict(user_settings(connection, scope.asker))}
        head["as_moderator"] = asdict(moderated(connection, scope.asker))
    yield json.dumps(head, ensure_ascii=False, indent=1)[:-2] + ',\n "cases": ['
    between = "\n"
    for case in _cases(connection, scope, filters):
        yield between + json.dumps(entry(full(connection, case.seq)), ensure_ascii=False)
        between = ",\n"
    yield "\n ]\n}\n"


def _csv(connection: sqlite3.Connection, scope: Scope, filters: Filters) -> Iterator[str]:
    yield _line([*_CASE_FIELDS, "steps"])
    for case in _cases(connection, scope, filters):
        steps = connection.execute(
            "SELECT lever || ': ' || outcome FROM steps WHERE seq = ? ORDER BY position", [case.seq]
        )
        values = [getattr(case, name) for name in _CASE_FIELDS]
        yield _line([*values, "; ".join(step for (step,) in steps)])


def _line(values: list[Any]) -> str:
    made = io.StringIO()
    csv.writer(made).writerow(["" if value is None else _harmless(value) for value in values])
    return made.getvalue()


def _harmless(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: some of the values come from a stranger's config."""
    return f"'{value}" if isinstance(value, str) and value[:1] in _FORMULA else value


def _cases(connection: sqlite3.Connection, scope: Scope, filters: Filters) -> Iterator[Case]:
    after: int | None = None
    while True:
        page = listed(connection, scope, filters, after=after, size=_PAGE)
        yield from page.cases
        after = page.after
        if after is None:
            return
