"""Lists of cases, newest first: by filters, by words, page by page."""

import sqlite3
from dataclasses import dataclass
from typing import Any, Final

from bot.cases.finding import cases, exists
from bot.cases.ids import meant
from bot.cases.model import Case, Scope, State, Verdict
from bot.cases.search_index import match_expression
from bot.cases.texts import clean

PAGE: Final = 10


@dataclass(frozen=True, slots=True)
class Filters:
    """What to list; each that is None lets all through.

    `since` is a time as stored, `lever` one ever offered; `words` must occur in the texts or notes, or be the id;
    `unexplained` are pastes of a failure in which no rule found anything.
    """

    state: State | None = None
    problem_class: str | None = None
    family: str | None = None
    lever: str | None = None
    locale: str | None = None
    asker: int | None = None
    since: str | None = None
    verdict: Verdict | None = None
    assigned: int | None = None
    words: str | None = None
    unexplained: bool = False

    def condition(self) -> tuple[list[str], list[Any]]:
        """SQL conditions over table `cases` and their parameters."""
        columns = {
            "state": self.state, "class": self.problem_class, "family": self.family, "locale": self.locale,
            "asker": self.asker, "verdict": self.verdict, "assigned": self.assigned,
        }  # fmt: skip
        given = {name: value for name, value in columns.items() if value is not None}
        parts, values = [f"cases.{name} = ?" for name in given], [_stored(value) for value in given.values()]
        if self.since is not None:
            parts.append("cases.created_at >= ?")
            values.append(self.since)
        if self.lever is not None:
            parts.append("EXISTS (SELECT 1 FROM steps WHERE steps.seq = cases.seq AND steps.lever = ?)")
            values.append(clean(self.lever))
        if self.unexplained:
            parts.append("findings = 0 AND class <> 'none' AND coalesce(cases.lever, 'ask') = 'ask'")
        return parts, values


EVERYTHING: Final = Filters()


@dataclass(frozen=True, slots=True)
class Page:
    """Some cases, and where the next page starts: None on the last one."""

    cases: tuple[Case, ...]
    after: int | None


def listed(
    connection: sqlite3.Connection,
    scope: Scope,
    filters: Filters = EVERYTHING,
    *,
    after: int | None = None,
    size: int = PAGE,
) -> Page:
    """A page of the cases that pass the filters.

    `after` is the `after` of the page before: the list stays in place while new cases come in.
    """
    condition, values = scope.condition()
    parts, more = filters.condition()
    join = ""
    if filters.words is not None:
        join, where, found = _by_words(connection, scope, filters.words)
        parts, more = [where, *parts], [*found, *more]
    if after is not None:
        # Where the index leads, its own row number must be the bound: through the join it would not reach FTS5.
        parts.append(f"{'case_search.rowid' if join else 'cases.seq'} < ?")
        more.append(after)
    order = "case_search.rowid" if join else "cases.seq"
    rest = f"{join} WHERE {' AND '.join([condition, *parts])} ORDER BY {order} DESC LIMIT ?"
    found_cases = cases(connection, rest, [*values, *more, size + 1])
    page = tuple(found_cases[:size])
    return Page(page, page[-1].seq if len(found_cases) > size else None)


def _by_words(connection: sqlite3.Connection, scope: Scope, words: str) -> tuple[str, str, list[Any]]:
    """Join, condition and parameters for what was typed into a search box: an id that exists, else words."""
    words = clean(words)
    case_id = meant(words)
    expression = match_expression(words, scope.guild)
    if expression is None or (case_id is not None and exists(connection, scope.of(case_id))):
        return "", "cases.id = ?", [case_id or ""]
    return "JOIN case_search ON case_search.rowid = cases.seq", "case_search MATCH ?", [expression]


def _stored(value: Any) -> Any:
    return clean(value) if isinstance(value, str) else value
