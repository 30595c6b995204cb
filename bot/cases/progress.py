"""A case on its way: steps answered, the next one offered, the end reached, moderators' words."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlite_utils import Database

from bot.cases import search_index
from bot.cases.finding import full, seq_of
from bot.cases.model import FullCase, NewAnswer, NewStep, Note, State, Target
from bot.cases.recording import add_receipts, add_steps
from bot.cases.texts import clean


@dataclass(frozen=True, slots=True)
class Answered:
    """The case after an answer. `applied` is False where the round had been answered already: nothing changed."""

    applied: bool
    case: FullCase


def answer(db: Database, target: Target, new: NewAnswer, at: str) -> Answered:
    """Set the outcome of the steps of a round, offer the next ones and set the case's state, all or nothing.

    Only the round offered last can be answered, and only once (`undone` also takes back an earlier answer), so that
    of two clicks at once, or of one delivered twice, one counts. `undone` of a round nobody has answered takes back
    the "still fails" of the round before, which brought it. Raises NoSuchCaseError.
    """
    seq = seq_of(db.conn, target)
    fresh = new.receipt is None or add_receipts(db, seq, [new.receipt], at)
    if not fresh or not _is_answerable(db, seq, new):
        return Answered(applied=False, case=full(db.conn, seq))
    db.execute(
        "UPDATE steps SET outcome = ?, answered_at = ? WHERE seq = ? AND round IN (?, ?)",
        [new.outcome, at, seq, new.round, _brought_by(db, seq, new)],
    )
    if new.offer:
        add_steps(db, seq, new.offer, at, store_text=_holds_text(db, seq))
    _set(db, seq, new.state or ("works" if new.outcome == "works" else "open"), at)
    return Answered(applied=True, case=full(db.conn, seq))


def offer(db: Database, target: Target, steps: Sequence[NewStep], at: str) -> FullCase:
    """Offer further steps as a round of their own. Raises NoSuchCaseError."""
    seq = seq_of(db.conn, target)
    add_steps(db, seq, steps, at, store_text=_holds_text(db, seq))
    _set(db, seq, "open", at)
    return full(db.conn, seq)


def set_state(db: Database, target: Target, state: State, at: str) -> FullCase:
    """Close, reopen, or mark as works or failed. Raises NoSuchCaseError."""
    seq = seq_of(db.conn, target)
    _set(db, seq, state, at)
    return full(db.conn, seq)


def assign(db: Database, target: Target, moderator: int | None, at: str) -> FullCase:
    """Give a case to a moderator, or to nobody. Raises NoSuchCaseError."""
    seq = seq_of(db.conn, target)
    db.execute("UPDATE cases SET assigned = ?, changed_at = ? WHERE seq = ?", [moderator, at, seq])
    return full(db.conn, seq)


def note(db: Database, target: Target, new: Note) -> FullCase:
    """Add a moderator's note, or a verdict with its reason; the latest verdict is the case's. Raises NoSuchCaseError."""
    seq = seq_of(db.conn, target)
    with search_index.reindexed(db, seq):
        db.execute(
            "INSERT INTO notes (seq, author, at, verdict, text) VALUES (?, ?, ?, ?, ?)",
            [seq, new.author, new.at, new.verdict, clean(new.text)],
        )
    db.execute(
        "UPDATE cases SET verdict = coalesce(?, verdict), changed_at = ? WHERE seq = ?", [new.verdict, new.at, seq]
    )
    return full(db.conn, seq)


def settle(db: Database, before: str) -> int:
    """Count steps that nobody answered since then as `no_answer`. Returns how many."""
    changed = db.execute(
        "UPDATE steps SET outcome = 'no_answer' WHERE outcome = 'waiting' AND offered_at < ?", [before]
    )
    return changed.rowcount


def _is_answerable(db: Database, seq: int, new: NewAnswer) -> bool:
    found = db.execute(
        "SELECT outcome, round = (SELECT max(round) FROM steps WHERE seq = ?) FROM steps WHERE seq = ? AND round = ?",
        [seq, seq, new.round],
    ).fetchone()
    if found is None or not found[1]:
        return False
    return bool(found[0] in {"waiting", "no_answer"} or (new.outcome == "undone" and found[0] != "undone"))


def _brought_by(db: Database, seq: int, new: NewAnswer) -> int | None:
    """The round whose "still fails" brought the one that is being undone unanswered."""
    found = db.execute(
        "SELECT max(round) FILTER (WHERE outcome = 'still_fails'), max(round = ? AND outcome IN ('waiting', 'no_answer'))"
        " FROM steps WHERE seq = ?",
        [new.round, seq],
    ).fetchone()
    return found[0] if new.outcome == "undone" and found[1] else None


def _set(db: Database, seq: int, state: State, at: str) -> None:
    db.execute("UPDATE cases SET state = ?, changed_at = ? WHERE seq = ?", [state, at, seq])


def _holds_text(db: Database, seq: int) -> bool:
    """Whether the case's text is kept: a diff quotes it, so it goes and stays with the documents."""
    return bool(db.execute("SELECT EXISTS (SELECT 1 FROM documents WHERE seq = ?)", [seq]).fetchone()[0])
