"""A file that cannot be used gives a clear fault, never stops the program, and is used again once it can be."""

import resource
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cases.book import CaseBook
from bot.cases.errors import StoreError
from bot.cases.model import Scope
from bot.cases.store import Store
from bot.knowledge.load import Knowledge
from tests.cases.making import GUILD, new_case

SERVER = Scope.server(GUILD)


def fault(future: object) -> StoreError:
    found = future.exception()
    assert isinstance(found, StoreError)
    return found


def test_a_locked_file_is_said_and_used_again(path: Path) -> None:
    with CaseBook(Store(path, busy_timeout_ms=1).ready()) as book:
        other = sqlite3.connect(path)
        other.execute("BEGIN IMMEDIATE")
        assert fault(book.record(new_case(message=9))).remedy == "locked"
        assert book.health().error.remedy == "locked"
        assert book.listed(SERVER).result().cases == (), "reading goes on"
        other.close()
        assert book.record(new_case(message=9)).result().fresh
        assert book.health().ok


def test_a_file_locked_at_the_start_is_used_once_it_is_free(path: Path) -> None:
    Store(path).ready().close()
    other = sqlite3.connect(path)
    other.execute("BEGIN EXCLUSIVE")
    with CaseBook(Store(path, busy_timeout_ms=1, retry_s=0)) as book:
        assert fault(book.probe()).remedy == "locked"
        other.close()
        assert book.record(new_case()).result().fresh


@pytest.mark.parametrize(
    "damage", ["not a database at all" * 99, "SQLite format 3\0" + "x" * 5000], ids=["other", "torn"]
)
def test_a_damaged_file_is_said_and_left_alone(path: Path, damage: str) -> None:
    path.write_text(damage)
    with CaseBook(Store(path)) as book:
        assert fault(book.record(new_case())).remedy == "damaged"
        assert fault(book.listed(SERVER)).remedy == "damaged"
    assert path.read_text() == damage


def test_a_file_damaged_while_it_runs_is_said(path: Path) -> None:
    with CaseBook(Store(path, retry_s=0).ready()) as book:
        for _ in range(50):
            book.record(new_case()).result()
        # All of it in the file itself, nothing in memory.
        book.store.write(lambda _: None, scrubbing="soon").result()
        book.store.write(lambda db: db.execute("PRAGMA shrink_memory")).result()
        size = path.stat().st_size
        with path.open("r+b") as file:
            file.seek(4096)
            file.write(b"\xa5" * (size - 4096))
        faults = {fault(book.record(new_case())).remedy for _ in range(3)}
        assert faults == {"damaged"}
        assert not book.health().ok


def test_a_restored_file_is_taken_up_again(path: Path, tmp_path: Path) -> None:
    with CaseBook(Store(path).ready()) as book:
        book.record(new_case(message=9)).result()
        backup = book.backup(tmp_path / "backup.db").result().read_bytes()
    path.write_bytes(b"torn" * 2000)
    with CaseBook(Store(path, retry_s=0)) as book:
        assert fault(book.probe()).remedy == "damaged"
        path.write_bytes(backup)
        assert not book.record(new_case(message=9)).result().fresh


def test_while_it_cannot_be_opened_jobs_are_refused_at_once(path: Path) -> None:
    path.write_bytes(b"torn" * 2000)
    with CaseBook(Store(path, retry_s=3600)) as book:
        first = fault(book.probe())
        path.unlink()
        assert fault(book.probe()) is first, "it is not tried again before its time"


@pytest.mark.parametrize(
    ("place", "remedy"),
    [("no/such/folder/cases.db", "folder_missing"), (".", "cannot_open")],
    ids=["folder", "is a folder"],
)
def test_a_place_where_no_file_can_be_is_said(tmp_path: Path, place: str, remedy: str) -> None:
    with pytest.raises(StoreError) as found:
        Store(tmp_path / place).ready()
    assert found.value.remedy == remedy


def test_a_missing_file_is_not_made_by_who_only_reads(path: Path) -> None:
    with pytest.raises(StoreError) as found:
        Store(path, create=False).ready()
    assert (found.value.remedy, path.exists()) == ("missing", False)


# A file-size limit makes the system refuse to write on, as a full disk does.
FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from bot.cases.book import CaseBook
from bot.cases.errors import StoreError
from bot.cases.model import Scope
from bot.cases.store import Store
from tests.cases.making import GUILD, new_case

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path = Path(sys.argv[1])
with CaseBook(Store(path, retry_s=0).ready()) as book:
    kept = [book.record(new_case(message=1)).result().id]
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, hard))
    faults = []
    for message in range(2, 60):
        try:
            kept.append(book.record(new_case("text " * 2000, message=message)).result().id)
        except StoreError as error:
            faults.append(error.remedy)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    after = book.record(new_case(message=5000)).result()
    found = {case.id for case in book.listed(Scope.server(GUILD), size=1000).result().cases}
    print(set(faults) <= {"disk_full", "input_output"}, len(faults) > 5, found == {*kept, after.id}, book.health().ok)
"""


def test_a_full_disk_loses_nothing_that_was_acknowledged(path: Path) -> None:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    made = subprocess.run([sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, check=False)
    assert (made.stdout.split(), made.stderr) == (["True"] * 4, "")


def test_a_disk_with_no_space_left_is_said(tmp_path: Path) -> None:
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=600k", "none", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a small file system cannot be mounted here (needs root)")
    try:
        with CaseBook(Store(place / "cases.db").ready()) as book:
            kept = []
            while (future := book.record(new_case("text " * 2000))).exception() is None:
                kept.append(future.result().id)
            assert fault(future).remedy == "disk_full"
            subprocess.run(["mount", "-o", "remount,size=9m", place], check=True)
            kept.append(book.record(new_case("text " * 2000)).result().id)
            assert {case.id for case in book.listed(SERVER, size=1000).result().cases} == set(kept)
    finally:
        subprocess.run(["umount", place], check=True)


def test_a_disk_that_is_full_by_sqlites_word_is_said(path: Path) -> None:
    with CaseBook(Store(path).ready()) as book:
        size = book.store.write(lambda db: db.execute("PRAGMA page_count").fetchone()[0]).result()
        book.store.write(lambda db: db.execute(f"PRAGMA max_page_count = {size + 3}").fetchone()).result()
        assert fault(book.record(new_case("text " * 9000))).remedy == "disk_full"
        book.store.write(lambda db: db.execute("PRAGMA max_page_count = 1000000").fetchone()).result()
        assert book.record(new_case("text " * 9000)).result().fresh


def test_a_fault_of_a_job_is_its_own(book: CaseBook) -> None:
    def work(_: object) -> None:
        raise ZeroDivisionError

    assert isinstance(book.store.write(work).exception(), ZeroDivisionError)
    assert book.health().ok
    assert book.record(new_case()).result().fresh


def test_a_job_that_fails_halfway_leaves_nothing(book: CaseBook) -> None:
    def work(db: object) -> None:
        db.execute("INSERT INTO users (user) VALUES (1)")
        raise ZeroDivisionError

    book.store.write(work).exception()
    assert book.store.read(lambda c: c.execute("SELECT count(*) FROM users").fetchone()[0]).result() == 0


def test_readers_cannot_write(book: CaseBook) -> None:
    assert fault(book.store.read(lambda c: c.execute("DELETE FROM cases"))).remedy == "read_only"


def test_after_closing_everything_is_refused(path: Path) -> None:
    book = CaseBook(Store(path).ready())
    book.close()
    book.close()
    assert fault(book.record(new_case())).remedy == "stopped"
    assert fault(book.listed(SERVER)).remedy == "stopped"


@pytest.mark.parametrize("tag", ["en", "de", "it"])
def test_every_fault_has_its_remedy_in_words(tag: str) -> None:
    from typing import get_args

    from bot.cases.errors import Remedy

    words = Knowledge().locale(tag)
    for remedy in get_args(Remedy):
        assert words.leaf(f"cases.remedy.{remedy}"), remedy
