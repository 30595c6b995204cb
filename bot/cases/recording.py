"""Cases coming in: recorded once whatever is replayed, revised when the person adds or edits, tied to their reply."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlite_utils import Database

from bot.cases import scrub, search_index
from bot.cases.finding import seq_of
from bot.cases.ids import new_id
from bot.cases.model import NewCase, NewDocument, NewStep, Recorded, Revision, Target
from bot.cases.texts import as_json, clean, fingerprint, shortened, without_text


def record(db: Database, new: NewCase, at: str) -> Recorded:
    """Store a case with its documents, diagnosis and the steps offered. A replay finds the case that is there."""
    known = _recorded_before(db, new)
    if known is not None:
        return Recorded(known, fresh=False)
    case_id = new_id(db)
    store_text = new.store_text and not _opted_out(db, new.asker)
    row = {
        "id": case_id, "guild": new.guild, "channel": new.channel, "link": new.link, "asker": new.asker,
        "locale": new.locale, "origin": new.origin, "created_at": at, "changed_at": at, "state": "open",
    } | _facts(new.diagnosis) | {"fingerprint": fingerprint(new.documents) if store_text else None}  # fmt: skip
    names = ", ".join(row)
    marks = ", ".join("?" * len(row))
    made = db.execute(f"INSERT INTO cases ({names}) VALUES ({marks})", list(row.values()))  # noqa: S608 - own names
    seq = int(made.lastrowid or 0)
    remember_message(db, seq, new.channel, new.message, "paste")
    add_receipts(db, seq, new.receipts, at)
    _store_content(db, seq, new.documents, new.diagnosis, store_text=store_text)
    add_steps(db, seq, new.steps, at, store_text=store_text)
    search_index.add(db, seq)
    return Recorded(case_id, fresh=True)


def revise(db: Database, target: Target, new: Revision, at: str) -> bool:
    """Replace a case's documents and diagnosis after an edit or a further message, and offer anew.

    False, with nothing changed, where the message is already part of another case (a replay). Steps that were
    answered stay; those still waiting are replaced. Raises NoSuchCaseError.
    """
    seq = seq_of(db.conn, target)
    if not remember_message(db, seq, new.channel, new.message, "paste"):
        return False
    asker = db.execute("SELECT asker FROM cases WHERE seq = ?", [seq]).fetchone()[0]
    store_text = not _opted_out(db, asker)
    facts = _facts(new.diagnosis) | {"fingerprint": fingerprint(new.documents) if store_text else None}
    facts |= {"changed_at": at, "state": "open"} | ({} if new.locale is None else {"locale": new.locale})
    changes = ", ".join(f"{name} = ?" for name in facts)
    with search_index.reindexed(db, seq):
        db.execute(f"UPDATE cases SET {changes} WHERE seq = ?", [*facts.values(), seq])  # noqa: S608 - own names
        db.execute("DELETE FROM documents WHERE seq = ?", [seq])
        _store_content(db, seq, new.documents, new.diagnosis, store_text=store_text)
    db.execute("DELETE FROM steps WHERE seq = ? AND outcome = 'waiting'", [seq])
    add_steps(db, seq, new.steps, at, store_text=store_text)
    # What was replaced is deleted text too; it goes for good with the next deletion or the daily purge.
    scrub.owe(db)
    return True


def attach_reply(db: Database, target: Target, channel: int, message: int) -> None:
    """Remember the message that answered a case. Raises NoSuchCaseError."""
    remember_message(db, seq_of(db.conn, target), channel, message, "reply")


def remember_message(db: Database, seq: int, channel: int | None, message: int | None, role: str) -> bool:
    """Tie a message to a case, once. False where it is tied to another one."""
    if message is None:
        return True
    db.execute(
        "INSERT OR IGNORE INTO messages (message, seq, channel, role) VALUES (?, ?, ?, ?)",
        [message, seq, channel or 0, role],
    )
    return bool(db.execute("SELECT seq FROM messages WHERE message = ?", [message]).fetchone()[0] == seq)


def add_receipts(db: Database, seq: int, receipts: Iterable[str], at: str) -> bool:
    """Note events as dealt with. False where one of them had been before."""
    fresh = True
    for key in receipts:
        made = db.execute("INSERT OR IGNORE INTO receipts (key, seq, at) VALUES (?, ?, ?)", [key, seq, at])
        fresh = fresh and made.rowcount == 1
    return fresh


def add_steps(db: Database, seq: int, steps: Sequence[NewStep], at: str, *, store_text: bool = True) -> None:
    """Offer steps together, as the case's next round."""
    position, last = db.execute(
        "SELECT coalesce(max(position) + 1, 0), coalesce(max(round), 0) FROM steps WHERE seq = ?", [seq]
    ).fetchone()
    db.conn.executemany(
        "INSERT INTO steps (seq, position, round, ladder, lever, rule, diff, offered_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                seq,
                position + index,
                last + 1,
                step.ladder,
                step.lever,
                step.rule,
                clean(step.diff) if store_text and step.diff else None,
                at,
            )
            for index, step in enumerate(steps)
        ],
    )


def _recorded_before(db: Database, new: NewCase) -> str | None:
    statement = "SELECT id FROM cases JOIN messages USING (seq) WHERE message = ?"
    found = db.execute(statement, [new.message]).fetchone() if new.message is not None else None
    for key in new.receipts:
        found = found or db.execute("SELECT id FROM cases JOIN receipts USING (seq) WHERE key = ?", [key]).fetchone()
    return None if found is None else str(found[0])


def _facts(diagnosis: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that are taken from a diagnosis."""
    problem, model, hardware = diagnosis["problem"], diagnosis["model"], diagnosis["hardware"]
    first = next((step for step in diagnosis["steps"] if step.get("now")), None)
    finding = next(iter(diagnosis["findings"]), None)
    vram = hardware.get("vram_gib")
    return {
        "source_tool": diagnosis["source_tool"],
        "class": problem["class"],
        "phase": problem["phase"],
        "family": model.get("family"),
        "arch": model.get("arch"),
        "gpu": hardware.get("gpu"),
        "vram_gib": None if vram is None else float(vram),
        "lever": first["lever"] if first else None,
        "rule": first["rule"] if first else finding["rule"] if finding else None,
        "findings": len(diagnosis["findings"]),
    }


def _store_content(
    db: Database, seq: int, documents: Iterable[NewDocument], diagnosis: Mapping[str, Any], *, store_text: bool
) -> None:
    kept = diagnosis if store_text else without_text(diagnosis)
    db.execute("INSERT OR REPLACE INTO diagnoses (seq, json) VALUES (?, ?)", [seq, as_json(kept)])
    if store_text:
        db.conn.executemany(
            "INSERT INTO documents (seq, position, message, name, kind, text) VALUES (?, ?, ?, ?, ?, ?)",
            [
                (seq, index, document.message, clean(document.name), document.kind, shortened(document.text))
                for index, document in enumerate(documents)
            ],
        )


def _opted_out(db: Database, user: int | None) -> bool:
    found = db.execute("SELECT opted_out FROM users WHERE user = ?", [user]).fetchone()
    return bool(found and found[0])
