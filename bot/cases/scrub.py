"""Deleted means gone: from the search index, from the file's free space and from the write-ahead log.

secure_delete alone is not enough, for two reasons. FTS5 keeps the words of a deleted row in its older segments until
they are merged. And when SQLite rebalances pages it leaves copies of moved rows in the unused middle of a page, which
a later deletion does not reach (seen in a few of a thousand deletions); only VACUUM writes every page anew.

What is owed is written down in the same transaction as the deletion, so that a process killed in between does the
rest at its next start.
"""

from typing import Final, Literal

from sqlite_utils import Database

from bot.cases import search_index
from bot.cases.connections import transaction

Stage = Literal["begin", "merge", "log", "clean"]
_OWED: Final = "scrub_owed"
AT_ONCE_MIB: Final = 256


def owe(db: Database) -> None:
    """Write down, inside the deleting transaction, that the file must be scrubbed."""
    db.execute("INSERT OR REPLACE INTO upkeep (key, value) VALUES (?, '1')", [_OWED])


def is_owed(db: Database) -> bool:
    """Whether something deleted may still have traces in the file."""
    return bool(db.execute("SELECT count(*) FROM upkeep WHERE key = ?", [_OWED]).fetchone()[0])


def some(db: Database, stage: Stage, *, thorough: bool) -> Stage:
    """One bounded round of merging the index, or, once that is done, VACUUM and emptying the log.

    Takes and returns how far it is. `log` comes back where a reader keeps the log from being emptied just now. VACUUM
    holds up whoever wants to write, for about a second each 100 MiB; of a large file it is done only if `thorough`
    (the daily purge, a backup) and stays owed till then.
    """
    whole = thorough or _size_mib(db) <= AT_ONCE_MIB
    if stage != "log":
        with transaction(db):
            merging = search_index.merge_away_deletions(db, first=stage == "begin")
        if merging:
            return "merge"
        if whole:
            db.execute("VACUUM")
    if not _emptied_log(db):
        return "log"
    if whole:
        with transaction(db):
            db.execute("DELETE FROM upkeep WHERE key = ?", [_OWED])
        _emptied_log(db)
    return "clean"


def _size_mib(db: Database) -> float:
    pages, size = db.execute("SELECT page_count, page_size FROM pragma_page_count(), pragma_page_size()").fetchone()
    return float(pages * size / 2**20)


def _emptied_log(db: Database) -> bool:
    """Copy the write-ahead log into the file and cut it to nothing. False while a reader is in the way.

    Asked without patience: the thread has cases to write, and the caller comes back.
    """
    patience = db.execute("PRAGMA busy_timeout").fetchone()[0]
    db.execute("PRAGMA busy_timeout = 0")
    busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    db.execute(f"PRAGMA busy_timeout = {int(patience)}")
    return not busy
