"""The tables, as a numbered list of migrations. A released migration is never changed; the next one is added."""

import sqlite3
from pathlib import Path
from typing import Final

from sqlite_utils import Database, Migrations

from bot.cases import search_index, taken_back
from bot.cases.errors import StoreError

# "OOMM" in ASCII: marks a file as ours in its header, so that another program's database is never written to.
APPLICATION_ID: Final = 0x4F4F4D4D

migrations = Migrations("oom-medic-cases")


def _run(db: Database, statements: str) -> None:
    # One by one: executescript() would commit the transaction that a migration runs in.
    for statement in statements.split(";\n"):
        if statement.strip():
            db.execute(statement)


@migrations(name="0001_cases")
def _cases(db: Database) -> None:
    _run(
        db,
        """
        CREATE TABLE cases (
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          id TEXT NOT NULL UNIQUE,
          guild INTEGER NOT NULL,
          channel INTEGER,
          link TEXT,
          asker INTEGER,
          locale TEXT NOT NULL,
          origin TEXT NOT NULL,
          created_at TEXT NOT NULL,
          changed_at TEXT NOT NULL,
          source_tool TEXT NOT NULL,
          class TEXT NOT NULL,
          phase TEXT NOT NULL,
          family TEXT,
          arch TEXT,
          gpu TEXT,
          vram_gib REAL,
          lever TEXT,
          rule TEXT,
          findings INTEGER NOT NULL,
          state TEXT NOT NULL CHECK (state IN ('open', 'works', 'failed', 'closed')),
          verdict TEXT CHECK (verdict IN ('right', 'wrong', 'wrong_lever', 'not_oom')),
          assigned INTEGER,
          fingerprint TEXT
        ) STRICT;
        CREATE INDEX cases_by_guild ON cases (guild);
        CREATE INDEX cases_by_state ON cases (guild, state);
        CREATE INDEX cases_by_class ON cases (guild, class);
        CREATE INDEX cases_by_family ON cases (guild, family);
        CREATE INDEX cases_by_locale ON cases (guild, locale);
        CREATE INDEX cases_by_asker ON cases (asker, guild);
        CREATE INDEX cases_by_text ON cases (fingerprint, guild);
        CREATE INDEX cases_by_age ON cases (created_at);
        CREATE TABLE messages (
          message INTEGER PRIMARY KEY,
          seq INTEGER NOT NULL REFERENCES cases (seq) ON DELETE CASCADE,
          channel INTEGER NOT NULL,
          role TEXT NOT NULL CHECK (role IN ('paste', 'reply'))
        ) STRICT;
        CREATE INDEX messages_by_case ON messages (seq);
        CREATE TABLE receipts (
          key TEXT PRIMARY KEY,
          seq INTEGER NOT NULL REFERENCES cases (seq) ON DELETE CASCADE,
          at TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX receipts_by_case ON receipts (seq);
        CREATE TABLE documents (
          id INTEGER PRIMARY KEY,
          seq INTEGER NOT NULL REFERENCES cases (seq) ON DELETE CASCADE,
          position INTEGER NOT NULL,
          message INTEGER,
          name TEXT NOT NULL,
          kind TEXT NOT NULL,
          text TEXT NOT NULL,
          UNIQUE (seq, position)
        ) STRICT;
        CREATE INDEX documents_by_message ON documents (message) WHERE message IS NOT NULL;
        CREATE TABLE diagnoses (
          seq INTEGER PRIMARY KEY REFERENCES cases (seq) ON DELETE CASCADE,
          json TEXT NOT NULL CHECK (json_valid(json))
        ) STRICT;
        CREATE TABLE steps (
          id INTEGER PRIMARY KEY,
          seq INTEGER NOT NULL REFERENCES cases (seq) ON DELETE CASCADE,
          position INTEGER NOT NULL,
          round INTEGER NOT NULL,
          ladder INTEGER,
          lever TEXT NOT NULL,
          rule TEXT NOT NULL,
          diff TEXT,
          offered_at TEXT NOT NULL,
          outcome TEXT NOT NULL DEFAULT 'waiting'
            CHECK (outcome IN ('waiting', 'works', 'still_fails', 'undone', 'no_answer')),
          answered_at TEXT,
          UNIQUE (seq, position)
        ) STRICT;
        CREATE INDEX steps_by_lever ON steps (lever, seq);
        CREATE TABLE notes (
          id INTEGER PRIMARY KEY,
          seq INTEGER NOT NULL REFERENCES cases (seq) ON DELETE CASCADE,
          author INTEGER,
          at TEXT NOT NULL,
          verdict TEXT CHECK (verdict IN ('right', 'wrong', 'wrong_lever', 'not_oom')),
          text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX notes_by_case ON notes (seq);
        CREATE TABLE upkeep (
          key TEXT PRIMARY KEY,
          value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """,
    )


@migrations(name="0002_people_and_servers")
def _people_and_servers(db: Database) -> None:
    _run(
        db,
        """
        CREATE TABLE users (
          user INTEGER PRIMARY KEY,
          language TEXT,
          opted_out INTEGER NOT NULL DEFAULT 0 CHECK (opted_out IN (0, 1))
        ) STRICT;
        CREATE TABLE guilds (
          guild INTEGER PRIMARY KEY,
          settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings)),
          left_at TEXT
        ) STRICT;
        """,
    )


@migrations(name="0003_counters")
def _counters(db: Database) -> None:
    _run(
        db,
        """
        CREATE TABLE retired (
          id TEXT PRIMARY KEY
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE counted_cases (
          guild INTEGER NOT NULL, month TEXT NOT NULL, class TEXT NOT NULL, phase TEXT NOT NULL,
          family TEXT NOT NULL, locale TEXT NOT NULL, state TEXT NOT NULL, verdict TEXT NOT NULL,
          asked INTEGER NOT NULL, rounds INTEGER NOT NULL, n INTEGER NOT NULL,
          PRIMARY KEY (guild, month, class, phase, family, locale, state, verdict, asked, rounds)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE counted_steps (
          guild INTEGER NOT NULL, month TEXT NOT NULL, family TEXT NOT NULL, lever TEXT NOT NULL,
          rule TEXT NOT NULL, outcome TEXT NOT NULL, n INTEGER NOT NULL,
          PRIMARY KEY (guild, month, family, lever, rule, outcome)
        ) STRICT, WITHOUT ROWID;
        CREATE VIEW case_facts AS
          SELECT seq, asker, created_at, guild, substr(created_at, 1, 7) AS month, class, phase,
            coalesce(family, '') AS family, locale, state, coalesce(verdict, '') AS verdict,
            (class = 'unknown' OR coalesce(lever, '') = 'ask') AS asked,
            (SELECT coalesce(max(round), 0) FROM steps WHERE steps.seq = cases.seq AND outcome = 'works') AS rounds
          FROM cases;
        CREATE VIEW step_facts AS
          SELECT cases.seq, asker, created_at, guild, substr(created_at, 1, 7) AS month,
            coalesce(family, '') AS family, steps.lever, steps.rule, outcome
          FROM steps JOIN cases USING (seq);
        """,
    )


@migrations(name="0004_search")
def _search(db: Database) -> None:
    _run(db, search_index.SCHEMA)
    search_index.rebuild(db)


@migrations(name="0005_taken_back")
def _taken_back(db: Database) -> None:
    """A press on "Still fails" that was taken back is one no more; steps until it worked are those that were made."""
    taken_back.mark(db)
    _run(
        db,
        """
        CREATE INDEX cases_by_state_and_family ON cases (guild, state, family);
        CREATE INDEX cases_by_verdict ON cases (guild, verdict) WHERE verdict IS NOT NULL;
        CREATE INDEX cases_by_moderator ON cases (assigned, guild) WHERE assigned IS NOT NULL;
        DROP VIEW case_facts;
        CREATE VIEW case_facts AS
          SELECT seq, asker, created_at, guild, substr(created_at, 1, 7) AS month, class, phase,
            coalesce(family, '') AS family, locale, state, coalesce(verdict, '') AS verdict,
            (class = 'unknown' OR coalesce(lever, '') = 'ask') AS asked,
            (SELECT CASE WHEN max(outcome = 'works') THEN count(DISTINCT round) ELSE 0 END FROM steps
               WHERE steps.seq = cases.seq AND outcome IN ('works', 'still_fails')) AS rounds
          FROM cases;
        """,
    )


NAMES: Final = tuple(migration.name for migration in migrations._migrations)  # noqa: SLF001 - no public list of them


def is_ours(path: Path) -> bool:
    """Whether a file's header says that it is a case file (https://www.sqlite.org/fileformat.html, 1.3)."""
    with path.open("rb") as file:
        head = file.read(100)
    return head.startswith(b"SQLite format 3\0") and head[68:72] == APPLICATION_ID.to_bytes(4)


def check(connection: sqlite3.Connection, path: str) -> None:
    """Refuse, before a byte is written, a file that is not ours or that a newer version wrote.

    Raises StoreError: `foreign` or `newer`.
    """
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    if tables and not ours:
        raise StoreError("foreign", path, "the file is another program's database")
    if Migrations.migrations_table not in tables:
        return
    statement = f"SELECT name FROM {Migrations.migrations_table} WHERE migration_set = ?"  # noqa: S608 - a constant
    unknown = {name for (name,) in connection.execute(statement, [migrations.name])} - set(NAMES)
    if unknown:
        raise StoreError("newer", path, f"it holds {', '.join(sorted(unknown))}, this version knows up to {NAMES[-1]}")


def upgrade(db: Database) -> None:
    """Bring the file to this version, inside the caller's transaction, so that two processes cannot both do it."""
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    migrations.apply(db)
