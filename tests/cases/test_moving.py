"""Servers move to another host whole, or not at all; what stays behind is what was to stay."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cases.book import CaseBook
from bot.cases.importing import ImportRefusedError
from bot.cases.listing import Filters
from bot.cases.model import NO_GUILD, NewAnswer, Scope
from bot.cases.people import GuildSettings
from bot.cases.shards import Shards
from bot.cases.store import Store
from bot.cli import cli
from tests.cases.making import ASKER, CONFIG, NOW, bytes_of, new_case

# Of two shards, the first two belong to shard 1, the others to shard 0.
LEAVING, ALSO, STAYING = (1 << 22) + 5, (3 << 22) + 7, (2 << 22) + 9
STAYS = Shards.parse("0/2")
OPTED_OUT, SPEAKS, STRANGER = 900, ASKER, 901


@pytest.fixture
def full(book: CaseBook) -> CaseBook:
    """Cases of three servers and of none, settings, counters of a deleted case, people's wishes."""
    for number, guild in enumerate((LEAVING, LEAVING, ALSO, STAYING, NO_GUILD)):
        text = f"{CONFIG}# secret of {guild}\n"
        made = new_case(guild=guild, message=100 + number, documents=())
        made = replace(made, documents=(replace(new_case(message=1).documents[0], text=text, message=100 + number),))
        case_id = book.record(made).result().id
        scope = Scope(guild)
        book.answer(scope.of(case_id), NewAnswer(1, "works", receipt=f"r{number}")).result()
        book.note(scope.of(case_id), 7, "noted", "right").result()
        book.attach_reply(scope.of(case_id), 77, 500 + number).result()
    gone = book.record(new_case(guild=LEAVING, message=200)).result()
    book.delete(Scope.server(LEAVING).of(gone.id)).result()
    book.set_guild_settings(LEAVING, GuildSettings(channels=(77,), retention_days=9)).result()
    book.set_guild_settings(STAYING, GuildSettings(channels=(78,))).result()
    book.set_language(SPEAKS, "it").result()
    book.set_language(STRANGER, "de").result()
    book.opt_out(OPTED_OUT, out=True).result()
    return book


@pytest.fixture
def other(tmp_path: Path):
    with CaseBook(Store(tmp_path / "other.db").ready(), lambda: NOW) as opened:
        yield opened


def entries(book: CaseBook, guild: int) -> list:
    return json.loads(book.export(Scope(guild)).result())["cases"]


@pytest.mark.parametrize(("written", "ids"), [("0-3/8", (0, 1, 2, 3)), ("5/8", (5,)), ("0/1", (0,))])
def test_shards_as_written(written: str, ids: tuple[int, ...]) -> None:
    assert Shards.parse(written).ids == ids


@pytest.mark.parametrize("written", ["", "8/8", "3-1/8", "0-3", "a/8", "-1/8", "0-8/8", "0/0"])
def test_shards_that_are_none(written: str) -> None:
    with pytest.raises(ValueError, match=f"{re.escape(written)}|FROM-TO"):
        Shards.parse(written)


def test_a_server_has_the_shard_that_discord_gives_it() -> None:
    served = [
        [guild for guild in (LEAVING, ALSO, STAYING, LEAVING + (16 << 22)) if Shards.parse(f"{n}/16").serve(guild)]
        for n in range(4)
    ]
    assert served == [[], [LEAVING, LEAVING + (16 << 22)], [STAYING], [ALSO]]
    assert STAYS.serve(NO_GUILD)


def test_everything_of_a_server_moves(full: CaseBook, other: CaseBook, tmp_path: Path) -> None:
    leaving = full.leaving(STAYS).result()
    assert leaving == [LEAVING, ALSO]
    assert full.move_out(tmp_path / "moved", leaving).result() == 3
    done = other.move_in(tmp_path / "moved").result()
    assert (done.servers, done.taken, done.present) == (2, 3, 0)
    for guild in leaving:
        assert entries(other, guild) == entries(full, guild)
        assert other.stats(Scope(guild)).result() == full.stats(Scope(guild)).result()
        assert other.guild_settings(guild).result() == full.guild_settings(guild).result()
    assert other.listed(Scope.server(LEAVING), Filters(words="secret")).result().cases
    assert entries(other, STAYING) == entries(other, NO_GUILD) == []
    assert other.guild_settings(STAYING).result() == GuildSettings()


def test_the_wish_not_to_be_stored_moves_but_strangers_do_not(full: CaseBook, other: CaseBook, tmp_path: Path) -> None:
    full.move_out(tmp_path / "moved", [LEAVING]).result()
    other.set_language(SPEAKS, "de").result()
    other.move_in(tmp_path / "moved").result()
    assert other.user_settings(OPTED_OUT).result().opted_out
    assert other.user_settings(SPEAKS).result().language == "de", "what was set here counts"
    assert other.user_settings(STRANGER).result().language is None
    assert (tmp_path / "moved").stat().st_mode & 0o777 == 0o600


def test_taken_in_twice_nothing_doubles(full: CaseBook, other: CaseBook, tmp_path: Path) -> None:
    full.move_out(tmp_path / "moved", [LEAVING]).result()
    other.move_in(tmp_path / "moved").result()
    before = other.stats(Scope(LEAVING)).result(), entries(other, LEAVING)
    again = other.move_in(tmp_path / "moved").result()
    assert (again.taken, again.present) == (0, 2)
    assert (other.stats(Scope(LEAVING)).result(), entries(other, LEAVING)) == before


def test_an_id_that_is_taken_is_exchanged_and_the_reply_still_leads_to_the_case(
    full: CaseBook, other: CaseBook, tmp_path: Path
) -> None:
    wanted = entries(full, ALSO)[0]["case"]["id"]
    other.record(new_case(guild=STAYING, message=300)).result()
    other.store.write(lambda db: db.execute("UPDATE cases SET id = ?", [wanted])).result()
    full.move_out(tmp_path / "moved", [ALSO]).result()
    other.move_in(tmp_path / "moved").result()
    (moved,) = entries(other, ALSO)
    assert moved["case"]["id"] != wanted
    assert other.by_message(Scope.server(ALSO), 502).result().case.id == moved["case"]["id"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: lines[:-1],
        lambda lines: lines[:-2] + lines[-1:],
        lambda lines: [],
        lambda lines: lines[1:],
        lambda lines: [lines[0].replace("move/1", "move/2"), *lines[1:]],
        lambda lines: [*lines[:1], lines[1][:-20] + "\n", *lines[2:]],
        lambda lines: ["{}\n"],
    ],
)
def test_a_damaged_file_is_refused_whole(full: CaseBook, other: CaseBook, tmp_path: Path, damage) -> None:
    full.move_out(tmp_path / "moved", [LEAVING]).result()
    lines = (tmp_path / "moved").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "moved").write_text("".join(damage(lines)), encoding="utf-8")
    with pytest.raises(ImportRefusedError):
        other.move_in(tmp_path / "moved").result()
    assert other.listed(Scope.operator()).result().cases == ()
    assert not other.user_settings(OPTED_OUT).result().opted_out


def test_on_the_command_line(full: CaseBook, path: Path, tmp_path: Path) -> None:
    before, file, target = entries(full, STAYING), tmp_path / "moved", tmp_path / "target.db"
    full.close()

    def run(database: Path, *arguments: str):
        return CliRunner().invoke(cli, ["cases", "--database", str(database), "--lang", "en", "move", *arguments])

    assert run(path, "out", str(file)).exit_code == 2
    assert run(path, "out", str(file), "--keep", "0-3").exit_code == 2
    done = run(path, "out", str(file), "--keep", "0/2", "--delete")
    assert (done.exit_code, "servers: 2, cases: 3" in done.output) == (0, True), done.output
    assert run(path, "out", str(file), "--keep", "0/2").exit_code == 2, "a file that is there is not overwritten"
    assert f"secret of {LEAVING}".encode() not in bytes_of(path)
    assert f"secret of {STAYING}".encode() in bytes_of(path)
    done = run(target, "in", str(file))
    assert (done.exit_code, "servers 2, cases 3" in done.output) == (0, True), done.output
    assert run(target, "in", str(tmp_path / "nowhere")).exit_code == 2
    with CaseBook(Store(path).ready()) as here, CaseBook(Store(target).ready()) as there:
        assert entries(here, STAYING) == before
        assert entries(here, LEAVING) == []
        assert len(entries(there, LEAVING)) == 2
