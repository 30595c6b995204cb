"""Reading single cases, always within a scope. Connections have `sqlite3.Row` rows, or plain tuples in the writer."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any, Final

from bot.cases.errors import NoSuchCaseError
from bot.cases.ids import meant
from bot.cases.model import Case, Document, FullCase, Note, OfferedStep, Scope, Target

_COLUMNS: Final = (
    "seq", "id", "guild", "channel", "link", "asker", "locale", "origin", "created_at", "changed_at", "source_tool",
    "class", "phase", "family", "arch", "gpu", "vram_gib", "lever", "rule", "findings", "state", "verdict", "assigned",
)  # fmt: skip
CASE_COLUMNS: Final = ", ".join(f"cases.{name}" for name in _COLUMNS)


def seq_of(connection: sqlite3.Connection, target: Target) -> int:
    """The row of a case. Raises NoSuchCaseError where there is none, or none within the scope."""
    condition, values = target.scope.condition()
    found = connection.execute(
        f"SELECT seq FROM cases WHERE id = ? AND {condition}",  # noqa: S608 - the condition is ours
        [meant(target.id) or "", *values],
    ).fetchone()
    if found is None:
        raise NoSuchCaseError(target.id)
    return int(found[0])


def exists(connection: sqlite3.Connection, target: Target) -> bool:
    """Whether there is such a case within the scope."""
    try:
        seq_of(connection, target)
    except NoSuchCaseError:
        return False
    return True


def cases(connection: sqlite3.Connection, rest: str, values: Iterable[Any]) -> list[Case]:
    """The cases that `rest` (joins and conditions after `FROM cases`, ours) selects."""
    found = connection.execute(f"SELECT {CASE_COLUMNS} FROM cases {rest}", list(values))  # noqa: S608 - ours
    return [Case(*row) for row in found]


def find(connection: sqlite3.Connection, target: Target) -> FullCase:
    """Everything about a case. Raises NoSuchCaseError."""
    return full(connection, seq_of(connection, target))


def full(connection: sqlite3.Connection, seq: int) -> FullCase:
    """Everything about the case of a row that is known to be within the scope."""
    by_case = [seq]
    messages = connection.execute(
        "SELECT message, channel, role FROM messages WHERE seq = ? ORDER BY message", by_case
    ).fetchall()
    diagnosis = connection.execute("SELECT json FROM diagnoses WHERE seq = ?", by_case).fetchone()
    documents = connection.execute(
        "SELECT name, kind, text, message FROM documents WHERE seq = ? ORDER BY position", by_case
    )
    steps = connection.execute(
        "SELECT position, round, ladder, lever, rule, diff, offered_at, outcome, answered_at"
        " FROM steps WHERE seq = ? ORDER BY position",
        by_case,
    )
    notes = connection.execute("SELECT author, at, verdict, text FROM notes WHERE seq = ? ORDER BY id", by_case)
    return FullCase(
        case=cases(connection, "WHERE seq = ?", by_case)[0],
        diagnosis=json.loads(diagnosis[0]),
        documents=tuple(Document(*row) for row in documents),
        steps=tuple(OfferedStep(*row) for row in steps),
        notes=tuple(Note(*row) for row in notes),
        pastes=tuple(message for message, _, role in messages if role == "paste"),
        places={message: channel for message, channel, role in messages if role == "paste"},
        replies=tuple((channel, message) for message, channel, role in messages if role == "reply"),
    )


def by_message(connection: sqlite3.Connection, scope: Scope, message: int) -> FullCase | None:
    """The case that a message belongs to, as a paste or as the reply."""
    condition, values = scope.condition()
    found = connection.execute(
        f"SELECT seq FROM cases JOIN messages USING (seq) WHERE message = ? AND {condition}",  # noqa: S608 - ours
        [message, *values],
    ).fetchone()
    return None if found is None else full(connection, found[0])


def replies_to(connection: sqlite3.Connection, user: int) -> list[tuple[int, int]]:
    """The messages that answered a person: channel and id."""
    found = connection.execute(
        "SELECT messages.channel, message FROM messages JOIN cases USING (seq) WHERE role = 'reply' AND asker = ?",
        [user],
    )
    return [(channel, message) for channel, message in found]


def pasted_in(connection: sqlite3.Connection, scope: Scope, channel: int) -> list[FullCase]:
    """The cases of which a paste stood in a channel."""
    condition, values = scope.condition()
    pasted = f"SELECT DISTINCT seq FROM messages JOIN cases USING (seq) WHERE messages.channel = ? AND {condition}"  # noqa: S608 - ours
    found = connection.execute(f"{pasted} AND role = 'paste'", [channel, *values]).fetchall()
    return [full(connection, seq) for (seq,) in found]


def joinable(connection: sqlite3.Connection, scope: Scope, channel: int, asker: int, since: str) -> Case | None:
    """The latest open case that this person began or added to in this channel since then."""
    condition, values = scope.condition()
    found = cases(
        connection,
        f"WHERE asker = ? AND channel = ? AND changed_at >= ? AND state = 'open' AND {condition} ORDER BY seq DESC LIMIT 1",
        [asker, channel, since, *values],
    )
    return found[0] if found else None


def same_text(connection: sqlite3.Connection, scope: Scope, digest: str, since: str) -> Case | None:
    """The latest case made of the same texts (`texts.fingerprint`) since then."""
    condition, values = scope.condition()
    found = cases(
        connection,
        f"WHERE fingerprint = ? AND created_at >= ? AND {condition} ORDER BY seq DESC LIMIT 1",
        [digest, since, *values],
    )
    return found[0] if found else None


def unanswered(connection: sqlite3.Connection, scope: Scope, since: str) -> list[Case]:
    """Cases that came in as a message since then and have no reply tied to them: what a killed bot left open."""
    condition, values = scope.condition()
    has = "EXISTS (SELECT 1 FROM messages WHERE messages.seq = cases.seq AND role = '{}')"
    pending = f"{has.format('paste')} AND NOT {has.format('reply')}"
    return cases(connection, f"WHERE created_at >= ? AND {pending} AND {condition} ORDER BY seq", [since, *values])
