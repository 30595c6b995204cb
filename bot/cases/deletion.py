"""Deleting: cases, the text of a message, everything of a person or a server, what is older than its retention.

Each function runs as a scrubbing job of the writer, so that what it deletes is gone from the file when its future is
set. Counters stay, without user or text; an id that was given out is never given out again.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlite_utils import Database

from bot.cases import counters, search_index
from bot.cases.finding import full, seq_of
from bot.cases.model import FullCase, Scope, Target, stamp
from bot.cases.people import guild_settings
from bot.cases.progress import settle
from bot.cases.texts import as_json, without_text


@dataclass(frozen=True, slots=True)
class Policy:
    """Days that things are kept.

    A case, where its server sets nothing else; the data of a server that was left; a step nobody answered, before it
    counts as such.
    """

    retention_days: int
    grace_days: int
    no_answer_days: int


@dataclass(frozen=True, slots=True)
class Purged:
    """What retention took away: cases by age, servers that were left long enough ago; steps given up waiting for."""

    cases: int
    guilds: int
    unanswered: int


def delete_cases(db: Database, seqs: Iterable[int]) -> int:
    """Delete cases, counting them first. Returns how many."""
    deleted = 0
    for seq in seqs:
        counters.count(db, seq)
        search_index.remove(db, seq)
        db.execute("INSERT OR IGNORE INTO retired (id) SELECT id FROM cases WHERE seq = ?", [seq])
        db.execute("DELETE FROM cases WHERE seq = ?", [seq])
        deleted += 1
    return deleted


def delete(db: Database, target: Target) -> FullCase:
    """Delete one case; returns what it was, so that its reply can be taken back. Raises NoSuchCaseError."""
    seq = seq_of(db.conn, target)
    case = full(db.conn, seq)
    delete_cases(db, [seq])
    return case


def delete_all(db: Database, scope: Scope) -> int:
    """Delete every case within a scope. Returns how many."""
    return delete_cases(db, _seqs(db, scope))


def forget_messages(db: Database, scope: Scope, messages: Iterable[int]) -> list[FullCase]:
    """Deleted messages take their text with them: documents, quoted lines and diffs. The bare facts of a case stay.

    Returns the cases whose pasted messages these were, as they were before, so that replies can follow. A deleted
    reply is only no longer known as one.
    """
    condition, values = scope.condition()
    affected: dict[int, FullCase] = {}
    for message in messages:
        found = db.execute(
            f"SELECT seq, role FROM messages JOIN cases USING (seq) WHERE message = ? AND {condition}",  # noqa: S608
            [message, *values],
        ).fetchone()
        if found is None:
            continue
        seq, role = found
        if role == "paste":
            affected.setdefault(seq, full(db.conn, seq))
            strip_text(db, seq, message)
        db.execute("DELETE FROM messages WHERE message = ?", [message])
    for seq in affected:
        # A log that was handed in besides, and what was said in options, goes with the last message.
        if not db.execute("SELECT EXISTS (SELECT 1 FROM messages WHERE seq = ? AND role = 'paste')", [seq]).fetchone()[
            0
        ]:
            strip_text(db, seq)
    return list(affected.values())


def strip_text(db: Database, seq: int, message: int | None = None) -> None:
    """Delete a case's documents (those of one message, or all) and every quotation from them."""
    with search_index.reindexed(db, seq):
        if message is None:
            db.execute("DELETE FROM documents WHERE seq = ?", [seq])
        else:
            db.execute("DELETE FROM documents WHERE seq = ? AND message = ?", [seq, message])
    diagnosis = json.loads(db.execute("SELECT json FROM diagnoses WHERE seq = ?", [seq]).fetchone()[0])
    db.execute("UPDATE diagnoses SET json = ? WHERE seq = ?", [as_json(without_text(diagnosis)), seq])
    db.execute("UPDATE steps SET diff = NULL WHERE seq = ?", [seq])
    db.execute("UPDATE cases SET fingerprint = NULL WHERE seq = ?", [seq])


def opt_out(db: Database, user: int, *, out: bool) -> None:
    """Keep no text of this person from now on, and delete what is kept; or keep it again."""
    db.execute(
        "INSERT INTO users (user, opted_out) VALUES (?, ?) ON CONFLICT DO UPDATE SET opted_out = excluded.opted_out",
        [user, int(out)],
    )
    if out:
        for seq in _seqs(db, Scope.person(user)):
            strip_text(db, seq)


def forget_user(db: Database, user: int) -> int:
    """Delete a person's cases and settings and take their name off notes. Returns how many cases.

    The wish that no text be stored is kept: without it the next paste would be stored again.
    """
    deleted = delete_all(db, Scope.person(user))
    db.execute("UPDATE notes SET author = NULL WHERE author = ?", [user])
    db.execute("UPDATE cases SET assigned = NULL WHERE assigned = ?", [user])
    db.execute("DELETE FROM users WHERE user = ? AND opted_out = 0", [user])
    db.execute("UPDATE users SET language = NULL WHERE user = ?", [user])
    return deleted


def forget_guild(db: Database, guild: int) -> int:
    """Delete everything of a server: cases, counters, settings. Returns how many cases."""
    deleted = delete_all(db, Scope.server(guild))
    counters.forget_guild(db, guild)
    db.execute("DELETE FROM guilds WHERE guild = ?", [guild])
    return deleted


def purge(db: Database, policy: Policy, moment: datetime) -> Purged:
    """Do what retention asks, as of `moment`: each server's own number of days, or the default."""
    left_before = stamp(moment - timedelta(days=policy.grace_days))
    left = [guild for (guild,) in db.execute("SELECT guild FROM guilds WHERE left_at <= ?", [left_before])]
    deleted = sum(forget_guild(db, guild) for guild in left)
    for (guild,) in db.execute("SELECT DISTINCT guild FROM cases").fetchall():
        days = guild_settings(db.conn, guild).retention_days or policy.retention_days
        before = stamp(moment - timedelta(days=days))
        old = db.execute("SELECT seq FROM cases WHERE guild = ? AND created_at <= ?", [guild, before])
        deleted += delete_cases(db, [seq for (seq,) in old.fetchall()])
    unanswered = settle(db, stamp(moment - timedelta(days=policy.no_answer_days)))
    return Purged(cases=deleted, guilds=len(left), unanswered=unanswered)


def _seqs(db: Database, scope: Scope) -> list[int]:
    condition, values = scope.condition()
    return [seq for (seq,) in db.execute(f"SELECT seq FROM cases WHERE {condition}", values).fetchall()]  # noqa: S608
