"""Write what a file of this version looks like, before the next migration is added: `python -m tests.cases.versions.make`.

One SQL dump a version, with cases in it. The dumps of released versions are never written anew. The search index is
written as the statement that makes it and the one that fills it.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from sqlite_utils import Database

from bot.cases.schema import NAMES, migrations

FOLDER = Path(__file__).parent
ROWS = """
INSERT INTO cases (id, guild, channel, asker, locale, origin, created_at, changed_at, source_tool, class, phase, family,
  lever, rule, findings, state, verdict) VALUES
  ('K7Q2', 1001, 77, 501, 'de', 'paste', '2026-07-01T10:00:00Z', '2026-07-01T10:05:00Z', 'ai-toolkit', 'vram_oom', 'train',
   'z-image', 'batch_size', 'batch-down', 1, 'works', 'right'),
  ('H3XW', 2002, 78, 502, 'it', 'slash', '2026-07-02T10:00:00Z', '2026-07-02T10:00:00Z', 'ai-toolkit', 'unknown', 'unknown',
   NULL, NULL, NULL, 0, 'open', NULL);
INSERT INTO messages (message, seq, channel, role) VALUES (9, 1, 77, 'paste'), (10, 1, 77, 'reply');
INSERT INTO receipts (key, seq, at) VALUES ('interaction:5', 2, '2026-07-02T10:00:00Z');
INSERT INTO documents (seq, position, message, name, kind, text) VALUES
  (1, 0, 9, 'config.yaml', 'config', 'batch_size: 4  # aardvark'), (2, 0, NULL, 'paste', 'prose', 'zebra');
INSERT INTO diagnoses (seq, json) VALUES
  (1, '{"problem": {"class": "vram_oom"}, "steps": [], "findings": []}'), (2, '{"steps": [], "findings": []}');
INSERT INTO steps (seq, position, round, ladder, lever, rule, diff, offered_at, outcome, answered_at) VALUES
  (1, 0, 1, 0, 'batch_size', 'batch-down', '-4 +1', '2026-07-01T10:00:00Z', 'works', '2026-07-01T10:05:00Z');
INSERT INTO notes (seq, author, at, verdict, text) VALUES (1, 502, '2026-07-01T11:00:00Z', 'right', 'a lovely okapi');
"""


def dump(up_to: int) -> str:
    """The SQL of a file with the first `up_to` migrations."""
    db = Database(sqlite3.connect(":memory:"))
    stop = NAMES[up_to] if up_to < len(NAMES) else None
    migrations.apply(db, stop_before=stop)
    db.conn.executescript(ROWS)
    sql = "\n".join(_statements(db))
    db.close()
    return f"PRAGMA application_id = {0x4F4F4D4D};\n{sql}\n"


def _statements(db: Database) -> Iterator[str]:
    """All but the index's own tables, which only FTS5 may write."""
    index = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'case_search'").fetchone()
    for statement in db.conn.iterdump():
        if "case_search" not in statement and "writable_schema" not in statement:
            yield statement
    if index is not None:
        yield f"{index[0]};\nINSERT INTO case_search (case_search) VALUES ('rebuild');"


def main() -> None:
    for number, name in enumerate(NAMES[:-1], start=1):
        target = FOLDER / f"{name}.sql"
        if not target.exists():
            target.write_text(dump(number), encoding="utf-8")


if __name__ == "__main__":
    main()
