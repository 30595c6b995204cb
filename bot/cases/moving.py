"""Servers that move to another host, whole: cases, settings, counters, and what their people have set.

The file has one JSON object a line: a head, a case a line, and an end that tells a whole file from one cut short.
Unlike an export, it carries what statistics and promises need: counters of deleted cases, the wish not to be stored.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from sqlite_utils import Database

from bot.cases import importing
from bot.cases.counters import CASE_FACTS, STEP_FACTS
from bot.cases.exporting import entry
from bot.cases.finding import full
from bot.cases.importing import Entry, ImportRefusedError
from bot.cases.people import GuildSettings, servers
from bot.cases.shards import Shards

Shape = TypeVar("Shape", bound=BaseModel)
SCHEMA: Final = "oom-medic/move/1"
_COUNTERS: Final = {"counted_cases": CASE_FACTS, "counted_steps": STEP_FACTS}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Guild(_Strict):
    guild: int
    settings: GuildSettings
    left_at: str | None


class _User(_Strict):
    user: int
    language: str | None
    opted_out: bool


class _Head(_Strict):
    move: Literal["oom-medic/move/1"]
    servers: tuple[int, ...]
    guilds: tuple[_Guild, ...]
    users: tuple[_User, ...]
    counted_cases: tuple[tuple[int | str, ...], ...]
    counted_steps: tuple[tuple[int | str, ...], ...]


class _End(_Strict):
    end: int


@dataclass(frozen=True, slots=True)
class Moved:
    """How many servers and cases came in, and how many of the cases were here already."""

    servers: int
    taken: int
    present: int


def leaving(connection: sqlite3.Connection, stays: Shards) -> list[int]:
    """The servers that do not belong to the shards that stay."""
    return sorted(guild for guild in servers(connection) if not stays.serve(guild))


def written(connection: sqlite3.Connection, guilds: Sequence[int]) -> Iterator[str]:
    """The file line by line."""
    yield _line(_head(connection, guilds))
    count = 0
    for guild in guilds:
        for (seq,) in connection.execute("SELECT seq FROM cases WHERE guild = ? ORDER BY seq", [guild]).fetchall():
            yield _line(entry(full(connection, seq)))
            count += 1
    yield _line({"end": count})


def write(connection: sqlite3.Connection, guilds: Sequence[int], path: Path) -> int:
    """Write a new file that is on the disk when this returns. Returns how many cases. Raises OSError."""
    lines = 0
    with path.open("x", encoding="utf-8") as file:
        path.chmod(0o600)
        connection.execute("BEGIN")
        try:
            for line in written(connection, guilds):
                file.write(line)
                lines += 1
        finally:
            connection.rollback()
        file.flush()
        os.fsync(file.fileno())
    return lines - 2


def take_in(db: Database, path: Path) -> Moved:
    """Store everything of a file, or nothing. Raises ImportRefusedError, OSError.

    Taken in twice, a file changes nothing the second time. Its counters replace those of its servers.
    """
    with path.open(encoding="utf-8") as lines:
        head = _parsed(_Head, next(lines, ""))
        _set(db, head)
        counts = {"taken": 0, "present": 0, "deleted": 0}
        for number, line in enumerate(lines):
            if line.startswith('{"end"'):
                if _parsed(_End, line).end == number:
                    return Moved(len(head.servers), counts["taken"], counts["present"])
                break
            counts[importing.take(db, _parsed(Entry, line), again=True, recount=False)] += 1
    raise ImportRefusedError("the file is cut short: its end is missing")


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def _head(connection: sqlite3.Connection, guilds: Sequence[int]) -> dict[str, Any]:
    wanted = set(guilds)
    people = _people(connection, wanted)
    return {
        "move": SCHEMA,
        "servers": list(guilds),
        "guilds": [
            {"guild": guild, "settings": json.loads(settings), "left_at": left_at}
            for guild, settings, left_at in connection.execute("SELECT guild, settings, left_at FROM guilds")
            if guild in wanted
        ],
        "users": [
            {"user": user, "language": language, "opted_out": bool(opted_out)}
            for user, language, opted_out in connection.execute("SELECT user, language, opted_out FROM users")
            # The wish that nothing be stored holds everywhere, also before the first case.
            if opted_out or user in people
        ],
        **{
            table: [list(row) for row in connection.execute(f"SELECT {facts}, n FROM {table}") if row[0] in wanted]  # noqa: S608 - ours
            for table, facts in _COUNTERS.items()
        },
    }


def _people(connection: sqlite3.Connection, guilds: set[int]) -> set[int]:
    found = connection.execute("SELECT DISTINCT guild, asker FROM cases WHERE asker IS NOT NULL")
    return {asker for guild, asker in found if guild in guilds}


def _parsed(shape: type[Shape], line: str) -> Shape:
    try:
        return shape.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ImportRefusedError(f"{where or 'a line'}: {first['msg']}") from error


def _set(db: Database, head: _Head) -> None:
    for guild in head.guilds:
        db.execute(
            "INSERT OR IGNORE INTO guilds (guild, settings, left_at) VALUES (?, ?, ?)",
            [guild.guild, guild.settings.model_dump_json(), guild.left_at],
        )
    for user in head.users:
        db.execute(
            "INSERT INTO users (user, language, opted_out) VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
            " SET language = coalesce(language, excluded.language), opted_out = max(opted_out, excluded.opted_out)",
            [user.user, user.language, int(user.opted_out)],
        )
    for table, rows in (("counted_cases", head.counted_cases), ("counted_steps", head.counted_steps)):
        _count(db, table, rows, head.servers)


def _count(db: Database, table: str, rows: Iterable[tuple[int | str, ...]], guilds: Iterable[int]) -> None:
    for guild in guilds:
        db.execute(f"DELETE FROM {table} WHERE guild = ?", [guild])  # noqa: S608 - ours
    facts = f"{_COUNTERS[table]}, n"
    marks = ", ".join("?" * (facts.count(",") + 1))
    for row in rows:
        db.execute(f"INSERT INTO {table} ({facts}) VALUES ({marks})", list(row))  # noqa: S608 - ours
