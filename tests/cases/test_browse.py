"""`oom-medic cases browse`: the real Datasette on a real file, looked at with a real browser where there is one."""

import os
import shutil
import socket
import sqlite3
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import pytest
import yaml

from bot.cases import browse
from bot.cases.book import CaseBook
from bot.cases.model import NewAnswer, Scope
from bot.cases.store import Store
from tests.cases.making import GUILD, MODERATOR, SECOND, diagnosis, new_case, problem

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
needs_datasette = pytest.mark.skipif(
    find_spec("datasette") is None, reason="Datasette (extra `browse`) is not installed here"
)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed here")


@pytest.fixture
def file(path: Path) -> Path:
    with CaseBook(Store(path).ready()) as book:
        target = Scope.server(GUILD).of(book.record(new_case("an aardvark")).result().id)
        book.answer(target, NewAnswer(1, "still_fails", (SECOND,))).result()
        book.note(target, MODERATOR, "it was the preview", "wrong").result()
        asked = diagnosis(problem=problem("unknown", "unknown"), findings=[], steps=[])
        book.record(new_case("a zebra", diagnosis=asked, steps=())).result()
    return path


def test_every_ready_made_query_runs_on_a_case_file(file: Path) -> None:
    queries = yaml.safe_load(browse.metadata_file().read_text(encoding="utf-8"))["databases"]["cases"]["queries"]
    with closing(sqlite3.connect(file)) as connection:
        first = connection.execute("SELECT id FROM cases ORDER BY seq").fetchone()[0]
        rows = {
            name: connection.execute(query["sql"], {"id": first.lower()}).fetchall() for name, query in queries.items()
        }
    assert {name: len(found) for name, found in rows.items()} == {
        "judged_wrong": 1, "to_review": 1, "unexplained": 1, "levers": 2, "one_case": 1,
    }  # fmt: skip


def test_the_metadata_speaks_of_tables_and_columns_that_are_there(file: Path) -> None:
    tables = yaml.safe_load(browse.metadata_file().read_text(encoding="utf-8"))["databases"]["cases"]["tables"]
    with closing(sqlite3.connect(file)) as connection:
        for table, wishes in tables.items():
            columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
            named = {
                *wishes.get("facets", ()),
                wishes.get("sort_desc"),
                wishes.get("label_column"),
                wishes.get("fts_pk"),
            }
            assert columns, table
            assert named - {None} <= columns, table


def test_it_listens_on_loopback_alone(path: Path) -> None:
    call = browse.command(path, Path("m.json"), 8001, opening=False)
    assert call[call.index("--host") + 1] == "127.0.0.1"
    assert "--open" not in call


@pytest.fixture
def address(file: Path, tmp_path: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind((browse.HOST, 0))
        port = free.getsockname()[1]
    metadata = tmp_path / "metadata.json"
    metadata.write_text(browse.metadata_for(file), encoding="utf-8")
    serving = subprocess.Popen(
        browse.command(file, metadata, port, opening=False),
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    try:
        said = []
        for line in iter(serving.stderr.readline, ""):
            said.append(line)
            if "running on" in line:
                break
        assert serving.poll() is None, "".join(said)
        yield f"http://{browse.HOST}:{port}/{file.stem}"
    finally:
        serving.terminate()
        serving.wait()
        serving.stderr.close()


def status(url: str, data: bytes | None = None) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=data)) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


@needs_datasette
def test_nothing_can_be_changed_or_downloaded(address: str, file: Path) -> None:
    before = file.read_bytes()
    assert status(f"{address}/cases") == 200
    assert status(f"{address}?sql={quote('DELETE FROM cases')}") == 400
    assert status(f"{address}.db") == 403
    assert status(f"{address}/cases/1", data=b"state=closed") in {403, 405}
    assert file.read_bytes() == before


@needs_datasette
def test_the_bot_can_write_meanwhile(address: str, file: Path) -> None:
    with CaseBook(Store(file).ready()) as book:
        id_ = book.record(new_case("a late okapi")).result().id
        assert id_ in seen_by_client(f"{address}/cases?_search=okapi")
        book.delete(Scope.operator().of(id_)).result()
        assert id_ not in seen_by_client(f"{address}/cases?_search=okapi")


def seen_by_client(url: str) -> str:
    with urllib.request.urlopen(url) as answer:
        return answer.read().decode("utf-8")


def seen(url: str, profile: Path) -> str:
    """The page as the browser has it after running its scripts."""
    call = [CHROMIUM, "--headless=new", "--disable-gpu", f"--user-data-dir={profile}", "--virtual-time-budget=5000"]
    if os.geteuid() == 0:
        call.append("--no-sandbox")
    done = subprocess.run([*call, "--dump-dom", url], capture_output=True, text=True, check=True)
    return done.stdout


@needs_datasette
@needs_browser
def test_a_reviewer_finds_cases_facets_and_queries(address: str, tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    front = seen(address, profile)
    assert all(title in front for title in ("Judged wrong, with the reason", "How often each lever helped"))
    assert "receipts" not in front
    table = seen(f"{address}/cases", profile)
    assert all(f'data-column="{column}"' in table for column in ("id", "state", "class"))
    assert table.count("facet-info-name") >= 4
    found = seen(f"{address}/cases?_search=aardvark", profile)
    assert "1 row" in found
    assert "it was the preview" in seen(f"{address}/judged_wrong", profile)
