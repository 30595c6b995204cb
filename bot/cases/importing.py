"""Cases taken in from a file that `exporting` wrote: a move to another host, or one server's share of a backup."""

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import from_json
from sqlite_utils import Database

from bot.cases import search_index
from bot.cases.exporting import SCHEMA
from bot.cases.ids import new_id
from bot.cases.model import NewDocument, Outcome, State, Verdict
from bot.cases.people import GuildSettings, set_guild_settings
from bot.cases.texts import as_json, clean, fingerprint


class ImportRefusedError(ValueError):
    """The text is no export of cases, or not of this version; the message says where."""


@dataclass(frozen=True, slots=True)
class Imported:
    """How many cases were taken in; were here already; or were deleted here before and therefore left out."""

    taken: int
    present: int
    deleted: int


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Case(_Strict):
    id: str
    guild: int
    channel: int | None
    link: str | None
    asker: int | None
    locale: str
    origin: str
    created_at: str
    changed_at: str
    source_tool: str
    problem_class: str
    phase: str
    family: str | None
    arch: str | None
    gpu: str | None
    vram_gib: float | None
    lever: str | None
    rule: str | None
    findings: int
    state: State
    verdict: Verdict | None
    assigned: int | None


class _Document(_Strict):
    name: str
    kind: str
    text: str
    message: int | None


class _Step(_Strict):
    position: int
    round: int
    ladder: int | None
    lever: str
    rule: str
    diff: str | None
    offered_at: str
    outcome: Outcome
    answered_at: str | None


class _Note(_Strict):
    author: int | None
    at: str
    verdict: Verdict | None
    text: str


class _Message(_Strict):
    message: int
    channel: int
    role: Literal["paste", "reply"]


class Entry(_Strict):
    """One case with everything that belongs to it, as `exporting.entry` writes it."""

    case: _Case
    diagnosis: dict[str, Any]
    documents: tuple[_Document, ...]
    steps: tuple[_Step, ...]
    notes: tuple[_Note, ...]
    messages: tuple[_Message, ...]


class _GuildSettings(_Strict):
    guild: int
    settings: GuildSettings


class _File(_Strict):
    # `schema` itself is a method of pydantic's BaseModel, so the field is read under its own name by the caller.
    cases: tuple[Entry, ...]
    guild_settings: _GuildSettings | None = None
    user_settings: dict[str, Any] | None = None


def take_in(db: Database, text: str, *, again: bool = False) -> Imported:
    """Store the cases of an export, oldest first, all or none. Raises ImportRefusedError.

    A case that is here already stays as it is. One whose id was deleted here is left out, so that an old export does
    not bring back what somebody had deleted, unless `again`. One whose id is another case's here gets a new id.
    """
    file = _parsed(text)
    if file.guild_settings is not None:
        _set_if_unset(db, file.guild_settings)
    counts = {"taken": 0, "present": 0, "deleted": 0}
    for entry in reversed(file.cases):
        counts[take(db, entry, again=again)] += 1
    return Imported(**counts)


def _parsed(text: str) -> _File:
    try:
        raw = from_json(text)
        if not isinstance(raw, dict) or raw.pop("schema", None) != SCHEMA:
            raise ImportRefusedError(f"no export of cases: its `schema` is not {SCHEMA}")
        return _File.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ImportRefusedError(f"{where}: {first['msg']}") from error
    except ValueError as error:
        raise ImportRefusedError(str(error)) from error


def _set_if_unset(db: Database, found: _GuildSettings) -> None:
    if not db.execute("SELECT 1 FROM guilds WHERE guild = ?", [found.guild]).fetchone():
        set_guild_settings(db, found.guild, found.settings)


def take(db: Database, entry: Entry, *, again: bool) -> Literal["taken", "present", "deleted"]:
    """Store one case; see `take_in`."""
    case = entry.case
    there = db.execute("SELECT guild, created_at FROM cases WHERE id = ?", [case.id]).fetchone()
    if there == (case.guild, case.created_at):
        return "present"
    retired = db.execute("SELECT 1 FROM retired WHERE id = ?", [case.id]).fetchone()
    if retired and not again:
        return "deleted"
    row = case.model_dump()
    row["class"] = row.pop("problem_class")
    row["id"] = new_id(db) if there else case.id
    row["fingerprint"] = fingerprint(NewDocument(**document.model_dump()) for document in entry.documents)
    seq = _insert(db, "cases", row)
    db.execute("DELETE FROM retired WHERE id = ?", [row["id"]])
    _insert(db, "diagnoses", {"seq": seq, "json": as_json(entry.diagnosis)})
    for position, document in enumerate(entry.documents):
        _insert(db, "documents", {"seq": seq, "position": position, **document.model_dump()})
    for table, rows in (("steps", entry.steps), ("notes", entry.notes)):
        for below in rows:
            _insert(db, table, {"seq": seq, **below.model_dump()})
    for message in entry.messages:
        _insert(db, "messages", {"seq": seq, **message.model_dump()})
    search_index.add(db, seq)
    return "taken"


def _insert(db: Database, table: str, row: dict[str, Any]) -> int:
    values = [clean(value) if isinstance(value, str) else value for value in row.values()]
    made = db.execute(
        f"INSERT OR IGNORE INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",  # noqa: S608 - ours
        values,
    )
    return int(made.lastrowid or 0)
