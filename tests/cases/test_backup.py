"""A backup is whole, checked, one file, made while others write, and restored by copying it."""

import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from bot.cases import backup
from bot.cases.book import CaseBook
from bot.cases.errors import StoreError
from bot.cases.listing import Filters
from bot.cases.model import Scope
from bot.cases.store import Store
from tests.cases.making import GUILD, new_case

SERVER = Scope.server(GUILD)


def test_a_backup_is_restored_by_copying(book: CaseBook, tmp_path: Path) -> None:
    recorded = book.record(new_case("an aardvark", message=9)).result()
    made = book.backup(tmp_path / "backup.db").result()
    book.delete(SERVER.of(recorded.id)).result()
    restored = tmp_path / "restored.db"
    shutil.copy(made, restored)
    with CaseBook(Store(restored, create=False).ready()) as other:
        assert [case.id for case in other.listed(SERVER, Filters(words="aardvark")).result().cases] == [recorded.id]
        assert not other.record(new_case(message=9)).result().fresh


def test_a_backup_is_one_file(book: CaseBook, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    book.record(new_case()).result()
    book.backup(folder / "backup.db").result()
    with closing(sqlite3.connect(folder / "backup.db")) as connection:
        assert connection.execute("SELECT count(*) FROM cases").fetchone()[0] == 1
    assert [file.name for file in folder.iterdir()] == ["backup.db"]


def test_backups_made_while_cases_come_in_are_each_whole(book: CaseBook, tmp_path: Path) -> None:
    done = threading.Event()

    def write() -> None:
        number = 0
        while not done.is_set():
            number += 1
            book.record(new_case(f"text {number}", message=number)).result()

    writing = threading.Thread(target=write)
    writing.start()
    counts = []
    for number in range(5):
        made = book.backup(tmp_path / f"{number}.db").result()
        with closing(sqlite3.connect(made)) as connection:
            cases, steps = (connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in ("cases", "steps"))
            assert cases == steps
            counts.append(cases)
    done.set()
    writing.join()
    assert counts == sorted(counts)


def test_a_backup_replaces_an_earlier_one_only_when_it_is_sound(
    book: CaseBook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = book.backup(tmp_path / "backup.db").result()
    before = made.read_bytes()

    def unsound(_: object, path: Path) -> None:
        raise StoreError("damaged", str(path), "row missing from index")

    monkeypatch.setattr(backup, "check", unsound)
    book.record(new_case()).result()
    assert book.backup(made).exception().remedy == "damaged"
    assert made.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir() if "backup" in file.name) == ["backup.db"]


def test_an_unsound_file_is_found(book: CaseBook, path: Path, tmp_path: Path) -> None:
    book.record(new_case()).result()
    made = book.backup(tmp_path / "backup.db").result()
    with closing(sqlite3.connect(made)) as connection:
        connection.execute("DELETE FROM cases")
        connection.commit()
        with pytest.raises(StoreError, match="row without its case"):
            backup.check(connection, made)
    made = book.backup(tmp_path / "other.db").result()
    with closing(sqlite3.connect(made)) as connection:
        connection.execute("UPDATE documents SET text = 'not what was indexed'")
        with pytest.raises(sqlite3.DatabaseError):
            backup.check(connection, made)


@pytest.mark.parametrize("place", ["no/folder/backup.db", "."], ids=["no folder", "a folder"])
def test_a_place_that_cannot_be_written_is_said(book: CaseBook, tmp_path: Path, place: str) -> None:
    fault = book.backup(tmp_path / place).exception()
    assert isinstance(fault, OSError)
    assert Path(fault.filename) == (tmp_path / place).resolve()


def test_a_backup_replaces_neither_the_file_in_use_nor_one_of_another_kind(
    book: CaseBook, path: Path, tmp_path: Path
) -> None:
    recorded = book.record(new_case()).result()
    other = tmp_path / "thesis.txt"
    other.write_text("years of work")
    link = tmp_path / "link.db"
    link.symlink_to(path)
    for place in (path, link, other):
        assert isinstance(book.backup(place).exception(), FileExistsError)
    assert other.read_text() == "years of work"
    assert book.find(SERVER.of(recorded.id)).result().case.id == recorded.id


def test_the_file_and_its_backups_are_their_owners_alone(book: CaseBook, path: Path, tmp_path: Path) -> None:
    made = book.backup(tmp_path / "backup.db").result()
    files = (made, path, path.with_name(f"{path.name}-wal"))
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
