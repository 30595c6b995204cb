"""Full-text search over the redacted text and the notes of a case: one FTS5 row for each case.

The index keeps no copy of the text (external content over a view), so whoever changes a case's documents or notes
does it inside `reindexed`, which takes the old words out and puts the new ones in. `scope` holds the guild's id, so
that a query walks one server's postings alone, however many cases other servers have.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlite_utils import Database

SCHEMA: Final = """
CREATE VIEW case_texts AS
  SELECT seq, guild AS scope,
    (SELECT group_concat(text, char(10))
       FROM (SELECT text FROM documents WHERE documents.seq = cases.seq ORDER BY position)) AS pasted,
    (SELECT group_concat(text, char(10))
       FROM (SELECT text FROM notes WHERE notes.seq = cases.seq ORDER BY id)) AS remarks
  FROM cases;
CREATE VIRTUAL TABLE case_search USING fts5(
  scope, pasted, remarks, content='case_texts', content_rowid='seq', tokenize="unicode61 remove_diacritics 2"
);
"""

_ADD: Final = (
    "INSERT INTO case_search (rowid, scope, pasted, remarks) SELECT seq, scope, pasted, remarks FROM case_texts"
)
_REMOVE: Final = (
    "INSERT INTO case_search (case_search, rowid, scope, pasted, remarks)"
    " SELECT 'delete', seq, scope, pasted, remarks FROM case_texts WHERE seq = ?"
)
# Pages of the index that one round of merging may write, so that a case waiting to be written is soon let in.
MERGE_PAGES: Final = 2000


def add(db: Database, seq: int) -> None:
    """Index a case that is not in the index."""
    db.execute(f"{_ADD} WHERE seq = ?", [seq])


def remove(db: Database, seq: int) -> None:
    """Take a case out, before its documents, notes or guild change: FTS5 needs the words as they were indexed."""
    db.execute(_REMOVE, [seq])


@contextmanager
def reindexed(db: Database, seq: int) -> Iterator[None]:
    """Take the case out of the index, let the block change it, put it back."""
    remove(db, seq)
    yield
    add(db, seq)


def rebuild(db: Database) -> None:
    """Index every case anew."""
    db.execute("INSERT INTO case_search (case_search) VALUES ('rebuild')")


def merge_away_deletions(db: Database, *, first: bool) -> bool:
    """One round of merging all segments into one, which drops what was deleted. True while there is more to do.

    Deleting from FTS5 only adds a marker; the words stay in older segments until these are merged. (Its own
    'secure-delete' option needs SQLite 3.42 and makes a file that older versions cannot read.) A negative page count
    starts a merge of everything; positive ones go on with it.
    """
    before = db.conn.total_changes
    pages = -MERGE_PAGES if first else MERGE_PAGES
    db.execute("INSERT INTO case_search (case_search, rank) VALUES ('merge', ?)", [pages])
    # By FTS5's documentation: fewer than two changed rows means that there was nothing left to merge.
    return db.conn.total_changes - before >= 2


def match_expression(words: str, guild: int | None) -> str | None:
    """What a person typed, as an FTS5 expression: every word must occur, `-word` must not, `word*` is a prefix.

    Everything else is quoted, so that no input is a syntax error or reaches another column. None where nothing to
    look for is left.
    """
    wanted: list[str] = []
    unwanted: list[str] = []
    for word in words.split()[:16]:
        bare = word.lstrip("-").rstrip("*").replace('"', "")
        if not any(character.isalnum() for character in bare):
            continue
        term = f'"{bare}"' + ("*" if word.endswith("*") else "")
        (unwanted if word.startswith("-") else wanted).append(term)
    if not wanted:
        return None
    query = f"{{pasted remarks}} : ({' AND '.join(wanted)})"
    if unwanted:
        query = f"({query}) NOT ({{pasted remarks}} : ({' OR '.join(unwanted)}))"
    return query if guild is None else f'scope : "{guild}" AND ({query})'
