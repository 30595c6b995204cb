"""Cases taken in from a file that `exporting` wrote: a move to another host, or one server's share of a backup."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, FiniteFloat, ValidationError
from pydantic_core import from_json
from sqlite_utils import Database

from bot.cases import counters, search_index
from bot.cases.exporting import SCHEMA
from bot.cases.ids import ALPHABET, SHORTEST, new_id
from bot.cases.model import NewDocument, Outcome, State, Verdict
from bot.cases.people import GuildSettings, set_guild_settings, user_settings
from bot.cases.texts import as_json, clean, fingerprint, without_text


class ImportRefusedError(ValueError):
    """The text is no export of cases, or not of this version; the message says where."""


@dataclass(frozen=True, slots=True)
class Imported:
    """How many cases were taken in; were here already; or were deleted here before and therefore left out."""

    taken: int
    present: int
    deleted: int


def _is_diagnosis(value: dict[str, Any]) -> dict[str, Any]:
    """What deleting its text goes by is there."""
    for part in ("findings", "steps"):
        entries = value.get(part)
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise ValueError(f"a diagnosis has a list of {part}")
    return value


# A file is somebody's word: what it says must be what retention, deletion and file names can go by.
Number = Annotated[int, Field(ge=0, lt=2**63)]
Id = Annotated[str, Field(pattern=f"^[{ALPHABET}]{{{SHORTEST},32}}$")]
Moment = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
Link = Annotated[str, Field(pattern=r"^https://[a-z.]{0,10}discord(app)?\.com/channels/[0-9@me/]+$")]
Slug = Annotated[str, Field(pattern=r"^[\w-]{1,100}$")]
Diagnosis = Annotated[dict[str, Any], AfterValidator(_is_diagnosis)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Case(_Strict):
    id: Id
    guild: Number
    channel: Number | None
    link: Link | None
    asker: Number | None
    locale: str
    origin: str
    created_at: Moment
    changed_at: Moment
    source_tool: str
    problem_class: str
    phase: str
    family: str | None
    arch: str | None
    gpu: str | None
    vram_gib: FiniteFloat | None
    lever: Slug | None
    rule: Slug | None
    findings: Number
    state: State
    verdict: Verdict | None
    assigned: Number | None


class _Document(_Strict):
    name: str
    kind: str
    text: str
    message: Number | None


class _Step(_Strict):
    position: Number
    round: Number
    ladder: Number | None
    lever: Slug
    rule: Slug
    diff: str | None
    offered_at: Moment
    outcome: Outcome
    answered_at: Moment | None


class _Note(_Strict):
    author: Number | None
    at: Moment
    verdict: Verdict | None
    text: str


class _Message(_Strict):
    message: Number
    channel: Number
    role: Literal["paste", "reply"]


class Entry(_Strict):
    """One case with everything that belongs to it, as `exporting.entry` writes it."""

    case: _Case
    diagnosis: Diagnosis
    documents: tuple[_Document, ...]
    steps: tuple[_Step, ...]
    notes: tuple[_Note, ...]
    messages: tuple[_Message, ...]


class _GuildSettings(_Strict):
    guild: Number
    settings: GuildSettings


class _File(_Strict):
    # `schema` itself is a method of pydantic's BaseModel, so the field is read under its own name by the caller.
    cases: tuple[Entry, ...]
    guild_settings: _GuildSettings | None = None
    user_settings: dict[str, Any] | None = None
    as_moderator: dict[str, Any] | None = None


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


def take(db: Database, entry: Entry, *, again: bool, recount: bool = True) -> Literal["taken", "present", "deleted"]:
    """Store one case; see `take_in`. `recount` takes one that was deleted here out of the counters again."""
    case = entry.case
    there = db.execute("SELECT guild, created_at FROM cases WHERE id = ?", [case.id]).fetchone()
    if there == (case.guild, case.created_at):
        return "present"
    retired = db.execute("SELECT 1 FROM retired WHERE id = ?", [case.id]).fetchone()
    if retired and not again:
        return "deleted"
    if case.asker is not None and user_settings(db.conn, case.asker).opted_out:
        entry = _wordless(entry)
    seq = _store(db, entry, new_id(db) if there else case.id)
    if retired:
        db.execute("DELETE FROM retired WHERE id = ?", [case.id])
        if recount:
            counters.uncount(db, seq)
    return "taken"


def _wordless(entry: Entry) -> Entry:
    """The case without text, for who has asked that none be stored since the file was written."""
    steps = tuple(step.model_copy(update={"diff": None}) for step in entry.steps)
    return entry.model_copy(update={"documents": (), "diagnosis": without_text(entry.diagnosis), "steps": steps})


def _store(db: Database, entry: Entry, case_id: str) -> int:
    row = entry.case.model_dump() | {"id": case_id}
    row["class"] = row.pop("problem_class")
    row["fingerprint"] = fingerprint(NewDocument(**document.model_dump()) for document in entry.documents)
    seq = _insert(db, "cases", row)
    _insert(db, "diagnoses", {"seq": seq, "json": as_json(entry.diagnosis)})
    for position, document in enumerate(entry.documents):
        _insert(db, "documents", {"seq": seq, "position": position, **document.model_dump()})
    for table, rows in (("steps", entry.steps), ("notes", entry.notes), ("messages", entry.messages)):
        for below in rows:
            _insert(db, table, {"seq": seq, **below.model_dump()})
    search_index.add(db, seq)
    return seq


def _insert(db: Database, table: str, row: dict[str, Any]) -> int:
    values = [clean(value) if isinstance(value, str) else value for value in row.values()]
    made = db.execute(
        f"INSERT OR IGNORE INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",  # noqa: S608 - ours
        values,
    )
    return int(made.lastrowid or 0)
