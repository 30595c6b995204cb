"""Files of every earlier version open; a newer or a foreign one is refused and left as it is."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from bot.cases.book import CaseBook
from bot.cases.errors import StoreError
from bot.cases.listing import Filters
from bot.cases.model import NewAnswer, Scope
from bot.cases.schema import APPLICATION_ID, NAMES
from bot.cases.store import Store
from tests.cases.making import bytes_of, new_case

VERSIONS = Path(__file__).parent / "versions"
DUMPS = sorted(VERSIONS.glob("*.sql"))
SERVER = Scope.server(1001)


def tables_of(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name").fetchall()
    return {name: " ".join(sql.split()) for name, sql in found}


def made_from(dump: Path, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))


def test_each_earlier_version_is_here() -> None:
    assert [dump.stem for dump in DUMPS] == list(NAMES[:-1])


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_a_file_of_an_earlier_version_opens(dump: Path, path: Path) -> None:
    made_from(dump, path)
    with CaseBook(Store(path).ready()) as book:
        found = book.find(SERVER.of("K7Q2")).result()
        assert (found.case.state, found.steps[0].outcome, found.notes[0].text) == ("works", "works", "a lovely okapi")
        assert found.documents[0].text == "batch_size: 4  # aardvark"
        for word in ("aardvark", "okapi"):
            assert [case.id for case in book.listed(SERVER, Filters(words=word)).result().cases] == ["K7Q2"]
        assert book.record(new_case(message=9)).result().id == "K7Q2"
        assert book.record(new_case(receipts=("interaction:5",))).result().id == "H3XW"
        assert book.answer(SERVER.of("K7Q2"), NewAnswer(1, "undone")).result().applied
        book.delete(SERVER.of("K7Q2")).result()
        assert book.stats(SERVER).result().cases == 1
    assert b"aardvark" not in bytes_of(path)


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_it_becomes_what_a_new_file_is(dump: Path, path: Path, tmp_path: Path) -> None:
    made_from(dump, path)
    Store(path).ready().close()
    fresh = tmp_path / "fresh.db"
    Store(fresh).ready().close()
    assert tables_of(path) == tables_of(fresh)


def test_every_table_of_ours_is_strict(path: Path) -> None:
    Store(path).ready().close()
    strict = Database(sqlite3.connect(path))
    kinds = {row[1]: row[5] for row in strict.execute("PRAGMA table_list") if row[2] == "table" and row[0] == "main"}
    strict.close()
    own = {name for name in kinds if not name.startswith(("sqlite_", "_sqlite_"))}
    assert own >= {"cases", "documents", "steps", "notes", "users", "guilds", "counted_cases"}
    assert {name for name in own if not kinds[name]} == set()


def test_a_newer_file_is_refused_untouched(path: Path) -> None:
    Store(path).ready().close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('oom-medic-cases', '9999_later', '')"
        )
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="9999_later") as refusal:
        Store(path).ready()
    assert refusal.value.remedy == "newer"
    store = Store(path)
    assert store.read(lambda connection: connection.execute("SELECT 1")).exception().remedy == "newer"
    store.close()
    assert path.read_bytes() == before


def test_another_programs_file_is_refused_untouched(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreError) as refusal:
        Store(path).ready()
    assert refusal.value.remedy == "foreign"
    assert path.read_bytes() == before


def test_an_empty_file_is_a_new_one(path: Path) -> None:
    path.touch()
    Store(path).ready().close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID


def test_many_that_open_an_old_file_at_once_upgrade_it_once(path: Path) -> None:
    made_from(DUMPS[0], path)
    faults: list[BaseException] = []

    def open_it() -> None:
        try:
            Store(path, busy_timeout_ms=20_000).ready().close()
        except BaseException as error:  # noqa: BLE001 - a thread's fault would be lost
            faults.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    with closing(sqlite3.connect(path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM _sqlite_migrations ORDER BY id")]
    assert names == list(NAMES)


def test_a_migration_that_fails_leaves_the_file_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bot.cases import search_index

    made_from(DUMPS[0], path)
    before = tables_of(path)
    monkeypatch.setattr(search_index, "SCHEMA", "CREATE TABLE cases (twice)")
    with pytest.raises(StoreError):
        Store(path).ready()
    assert tables_of(path) == before
    monkeypatch.undo()
    Store(path).ready().close()
