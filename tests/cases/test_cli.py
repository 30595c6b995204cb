"""`oom-medic cases`: each command on a real file, its words and its exit status."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner, Result

from bot.cases import browse, chart
from bot.cases.book import CaseBook
from bot.cases.model import STATES, VERDICTS, Outcome, Scope
from bot.cases.store import Store
from bot.cli.cases import cases, desk
from bot.knowledge.load import Knowledge
from tests.cases.making import ASKER, GUILD, MODERATOR, OTHER_GUILD, bytes_of, new_case

Run = Callable[..., Result]


@pytest.fixture
def ids(path: Path) -> list[str]:
    """Two cases of one server (the second judged wrong), and one of another."""
    with CaseBook(Store(path).ready()) as book:
        made = [book.record(new_case(f"text of {word}", **changes)).result().id for word, changes in (
            ("aardvark", {"message": 9}), ("zebra", {"locale": "it"}), ("okapi", {"guild": OTHER_GUILD, "asker": 7}),
        )]  # fmt: skip
        book.note(Scope.server(GUILD).of(made[1]), MODERATOR, "it was the preview", "wrong").result()
    return made


@pytest.fixture
def run(path: Path) -> Run:
    def call(*arguments: str, lang: str = "en", stdin: str | None = None) -> Result:
        return CliRunner().invoke(cases, ["--database", str(path), "--lang", lang, *arguments], input=stdin)

    return call


def test_list_filters_and_pages(run: Run, ids: list[str]) -> None:
    shown = run("list", "--limit", "2")
    assert [line[:4] for line in shown.output.splitlines()[:2]] == [ids[2], ids[1]]
    after = shown.output.splitlines()[-1].split()[-1]
    assert run("list", "--after", after).output[:4] == ids[0]
    assert [line[:4] for line in run("list", "--guild", str(GUILD), "--verdict", "wrong").output.splitlines()] == [
        ids[1]
    ]
    assert [line[:4] for line in run("list", "--user", "7", "--since", "1h").output.splitlines()] == [ids[2]]
    assert run("list", "--family", "none-such").output == "No case fits.\n"
    assert run("list", "--assigned", "7").output == "No case fits.\n"


def test_list_as_json(run: Run, ids: list[str]) -> None:
    found = json.loads(run("list", "--format", "json", "--language", "it").output)
    assert [case["id"] for case in found["cases"]] == [ids[1]]
    assert found["after"] is None


def test_search(run: Run, ids: list[str]) -> None:
    assert run("search", "text", "aard*").output[:4] == ids[0]
    assert run("search", "preview").output[:4] == ids[1]
    assert run("search", "text", "--guild", str(OTHER_GUILD)).output[:4] == ids[2]
    assert run("search", "--", "text", "-okapi", "-zebra").output[:4] == ids[0]


@pytest.mark.parametrize(("lang", "words"), [("en", "Case"), ("de", "Fall"), ("it", "Caso")])
def test_show(run: Run, ids: list[str], lang: str, words: str) -> None:
    shown = run("show", ids[1].lower(), lang=lang).output
    assert shown.startswith(f"{words} {ids[1]}\n")
    assert all(part in shown for part in ("text of zebra", "it was the preview", "-  false  # was slow"))
    assert json.loads(run("show", ids[1], "--format", "json").output)["case"]["id"] == ids[1]


def test_show_lets_no_escape_sequence_through(run: Run, path: Path) -> None:
    with CaseBook(Store(path).ready()) as book:
        id_ = book.record(new_case("\x1b]0;owned\x07text")).result().id
    assert "\x1b" not in run("show", id_).output


@pytest.mark.parametrize("command", [("show", "2222"), ("delete", "2222", "--yes"), ("export", "--as-test", "2222")])
def test_an_unknown_case_is_said(run: Run, ids: list[str], command: tuple[str, ...]) -> None:
    done = run(*command)
    assert (done.exit_code, done.output) == (2, "Error: There is no case 2222.\n")


def test_stats_and_report(run: Run, ids: list[str]) -> None:
    assert run("stats").output.startswith("3 cases\n")
    assert run("stats", "--guild", str(GUILD), "--since", "2w", lang="de").output.startswith("2 Fälle\n")
    assert json.loads(run("stats", "--format", "json").output)["levers"]["gradient_checkpointing"]["offered"] == 3
    report = run("report").output
    assert "gradient-checkpointing-off: 3 offered, no answer yet" in report
    assert "Pastes that no rule explained:\n  None.\n" in report


def test_a_chart_without_the_extra_is_refused(run: Run, ids: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chart, "is_available", lambda: False)
    done = run("stats", "--chart", "c.png")
    assert (done.exit_code, "'.[charts]'" in done.output) == (2, True)


def test_export_and_import(run: Run, ids: list[str], tmp_path: Path) -> None:
    out = tmp_path / "cases.json"
    assert run("export", "--out", str(out), "--guild", str(GUILD)).exit_code == 0
    assert run("export", "--guild", str(GUILD)).output == out.read_text(encoding="utf-8")
    elsewhere = ["--database", str(tmp_path / "new.db"), "--lang", "en"]
    done = CliRunner().invoke(cases, [*elsewhere, "import", str(out)])
    assert done.output == "Taken in: 2. Here already: 0. Left out because they were deleted here: 0.\n"
    assert CliRunner().invoke(cases, [*elsewhere, "list"]).output.count("\n") == 2
    assert run("export", "--out", str(out)).exit_code == 2, "nothing is overwritten"
    assert run("export", "--format", "csv").output.count("\n") == 4


def test_an_export_that_cannot_be_finished_leaves_no_file(run: Run, ids: list[str], path: Path, tmp_path: Path) -> None:
    out = tmp_path / "cases.json"
    path.write_bytes(path.read_bytes()[:8192])
    assert run("export", "--out", str(out)).exit_code == 2
    assert not out.exists()


@pytest.mark.parametrize("option", ["--user", "--guild", "--after"])
@pytest.mark.parametrize("number", ["99999999999999999999", "-1"])
def test_a_number_that_is_no_id_is_said(run: Run, ids: list[str], option: str, number: str) -> None:
    done = run("list", option, number)
    assert (done.exit_code, "is not in the range" in done.output) == (2, True)


@pytest.mark.parametrize("command", [("list", "--family"), ("list", "--lever"), ("search",)])
def test_bytes_that_are_no_text_are_no_fault(run: Run, ids: list[str], command: tuple[str, ...]) -> None:
    assert (run(*command, "okay\udcff").exit_code, run(*command, "okay\udcff").output) == (0, "No case fits.\n")


def test_import_refuses_what_it_cannot_read(run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    assert run("import", str(bad)).exit_code == 2
    bad.write_bytes(b"\xff\xfe")
    assert "cannot be read" in run("import", str(bad)).output
    bad.write_text("{}")
    assert "no export of cases" in run("import", str(bad)).output


def test_export_as_test(run: Run, ids: list[str], tmp_path: Path) -> None:
    done = run("export", "--as-test", ids[1], "--out", str(tmp_path / "tests"))
    assert done.exit_code == 0
    written = sorted(file.name for file in (tmp_path / "tests" / "gradient-checkpointing-off").iterdir())
    assert written == [f"{ids[1].lower()}.expect.yaml", f"{ids[1].lower()}.yaml"]
    assert run("export", "--as-test", ids[1], "--out", str(tmp_path / "tests")).exit_code == 2


def test_delete_asks_and_deletes(run: Run, ids: list[str], path: Path) -> None:
    assert run("delete", ids[0], stdin="n\n").exit_code == 1
    assert run("show", ids[0]).exit_code == 0
    assert run("delete", ids[0], stdin="y\n").output.endswith("1 case deleted, gone from the file as well.\n")
    assert run("show", ids[0]).exit_code == 2
    assert b"aardvark" not in bytes_of(path)


@pytest.mark.parametrize(
    ("option", "left"), [(("--user", str(ASKER)), 1), (("--guild", str(GUILD)), 1), (("--user", "7"), 2)]
)
def test_delete_everything_of_a_person_or_a_server(
    run: Run, ids: list[str], option: tuple[str, ...], left: int
) -> None:
    done = run("delete", *option, "--yes")
    assert done.output == f"{3 - left} case{'s' if left == 1 else ''} deleted, gone from the file as well.\n"
    assert run("list").output.count("\n") == left


@pytest.mark.parametrize("words", [(), ("K7Q2", "--guild", "1"), ("--guild", "1", "--user", "2"), ("--guild", "0")])
def test_delete_wants_to_know_exactly_what(run: Run, ids: list[str], words: tuple[str, ...]) -> None:
    assert run("delete", *words, "--yes").exit_code == 2
    assert run("list").output.count("\n") == 3


def test_purge(run: Run, ids: list[str], path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE cases SET created_at = '2020-01-01T00:00:00Z' WHERE id = ?", [ids[0]])
        connection.commit()
    assert "1 cases. Servers forgotten: 0." in run("purge").output
    assert run("purge", "--days", "1").output.count("0 cases") == 1
    assert run("list").output.count("\n") == 2


def test_backup(run: Run, ids: list[str], tmp_path: Path) -> None:
    assert run("backup", str(tmp_path / "backup.db")).exit_code == 0
    done = CliRunner().invoke(cases, ["--database", str(tmp_path / "backup.db"), "--lang", "en", "list"])
    assert done.output.count("\n") == 3


def test_privacy_says_the_settings_in_force(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OOM_MEDIC_RETENTION_DAYS", "11")
    assert "deleted after 11 days" in run("privacy").output
    assert "Nach 11 Tagen" in run("privacy", lang="de").output


@pytest.mark.parametrize(
    "command", [("list",), ("stats",), ("report",), ("purge",), ("backup", "x.db"), ("search", "x")]
)
def test_a_missing_file_is_said_and_not_made(run: Run, path: Path, command: tuple[str, ...]) -> None:
    done = run(*command)
    assert (done.exit_code, "There is no case file" in done.output, path.exists()) == (2, True, False)


def test_the_database_is_the_settings_where_none_is_named(
    path: Path, ids: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OOM_MEDIC_DATABASE", str(path))
    assert CliRunner().invoke(cases, ["list"]).output.count("\n") == 3


def test_a_bad_time_is_said(run: Run, ids: list[str]) -> None:
    assert "no point in time" in run("list", "--since", "yesterday-ish").output


def test_browse_without_the_extra_is_refused(run: Run, ids: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browse, "is_available", lambda: False)
    done = run("browse")
    assert (done.exit_code, "'.[browse]'" in done.output) == (2, True)


def keys_said() -> set[str]:
    """The keys of words that stand in the code of the case history and its commands."""
    folders = (Path(browse.__file__).parent, Path(desk.__file__).parent)
    code = "".join(file.read_text(encoding="utf-8") for folder in folders for file in folder.glob("*.py"))
    said = {f"cases.{key}" for key in re.findall(r'(?:say|refused)\(\s*"([a-z_.]+)"', code)}
    return said | set(re.findall(r'"((?:cases|privacy)\.[a-z_.]+)"', code))


@pytest.mark.parametrize("tag", ["en", "de", "it"])
def test_every_sentence_is_there_in_each_language(tag: str) -> None:
    words = Knowledge().locale(tag)
    # Sections, and a column of table `cases`.
    no_words = {"cases.states", "cases.verdicts", "cases.outcomes", "cases.origins", "cases.seq"}
    assert len(keys_said()) > 30
    assert {key for key in keys_said() - no_words if words.leaf(key) is None} == set()
    for section, names in (("states", STATES), ("verdicts", VERDICTS), ("outcomes", get_args(Outcome))):
        assert {name for name in names if words.leaf(f"cases.{section}.{name}") is None} == set()
