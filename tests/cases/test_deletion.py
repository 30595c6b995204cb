"""Deleted means gone: from what can be read, and from every byte of the file, its log and later backups."""

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.cases import writer
from bot.cases.book import CaseBook
from bot.cases.deletion import Policy
from bot.cases.errors import NoSuchCaseError
from bot.cases.listing import Filters
from bot.cases.model import NO_GUILD, NewAnswer, NewDocument, NewStep, Revision, Scope
from bot.cases.people import GuildSettings
from bot.cases.shards import Shards
from bot.cases.store import Store
from tests.cases.conftest import Clock
from tests.cases.making import ASKER, CHANNEL, GUILD, MODERATOR, OTHER_GUILD, bytes_of, diagnosis, new_case

SERVER = Scope.server(GUILD)
POLICY = Policy(retention_days=30, grace_days=7, no_answer_days=3)
# In documents, quoted lines, diffs and notes; FTS5 keeps tokens, so that each word of it counts by itself.
WORDS = ("zanzibarmarmalade", "quixoticwalrus")
TEXT = f"prompt: {WORDS[0]} and {WORDS[1]}\n" + "padding of some length " * 300


def telling_case(crash: dict[str, str] | None = None, **changes: Any) -> Any:
    finding = {"rule": "r", "severity": "error", "evidence": [{"document": 0, "line": 1, "text": TEXT[:60]}]}
    step = NewStep("batch_size", "batch-down", f"-{TEXT[:60]}", 0)
    return new_case(
        TEXT, diagnosis=diagnosis(findings=[finding], diff=f"-{TEXT[:60]}", crash=crash), steps=(step,), **changes
    )


def traces(path: Path) -> list[str]:
    raw = bytes_of(path)
    return [word for word in WORDS if word.encode() in raw]


@pytest.fixture
def filled(book: CaseBook, path: Path) -> str:
    """Among other cases one that is to go."""
    for number in range(20):
        book.record(new_case(f"other text {number}", asker=9, guild=OTHER_GUILD)).result()
    id_ = book.record(telling_case(message=9)).result().id
    book.attach_reply(SERVER.of(id_), CHANNEL, 10).result()
    book.note(SERVER.of(id_), MODERATOR, f"a note on {WORDS[1]}").result()
    for number in range(20):
        book.record(new_case(f"later text {number}", asker=9, guild=OTHER_GUILD)).result()
    assert traces(path) == list(WORDS)
    return id_


def purge_when_old(book: CaseBook) -> Any:
    book._clock.pass_(days=31)
    return book.purge(POLICY)


WAYS: dict[str, Callable[[CaseBook, str], Any]] = {
    "delete": lambda book, id_: book.delete(SERVER.of(id_)),
    "forget user": lambda book, _: book.forget_user(ASKER),
    "forget server": lambda book, _: book.forget_guild(GUILD),
    "purge": lambda book, _: purge_when_old(book),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_deleted_case_leaves_no_byte(book: CaseBook, path: Path, filled: str, way: str, tmp_path: Path) -> None:
    WAYS[way](book, filled).result()
    assert traces(path) == []
    assert path.with_name(f"{path.name}-wal").stat().st_size == 0
    backup = book.backup(tmp_path / "backup.db").result()
    assert traces(backup) == []
    with pytest.raises(NoSuchCaseError):
        book.find(SERVER.of(filled)).result()
    assert not book.listed(Scope.operator(), Filters(words=WORDS[0])).result().cases


@pytest.mark.parametrize(
    "way",
    [lambda book: book.forget_messages(SERVER, [9]), lambda book: book.opt_out(ASKER, out=True)],
    ids=["message deleted", "opted out"],
)
def test_text_taken_back_leaves_no_byte_and_the_case_its_facts(
    book: CaseBook, path: Path, filled: str, way: Callable[[CaseBook], Any]
) -> None:
    book.answer(SERVER.of(filled), NewAnswer(1, "still_fails", (NewStep("rank", "r", f"-{TEXT[:60]}"),))).result()
    before = book.find(SERVER.of(filled)).result()
    way(book).result()
    assert traces(path) == [WORDS[1]], "only the moderator's note is left"
    after = book.find(SERVER.of(filled)).result()
    assert after.case.problem_class == before.case.problem_class
    assert after.documents == ()
    assert [step.diff for step in after.steps] == [None, None]
    assert after.diagnosis["steps"][0]["patches"] == before.diagnosis["steps"][0]["patches"]
    assert book.same_text(SERVER, before.documents, book._clock.now).result() is None


def test_deleting_a_message_tells_which_reply_must_follow(book: CaseBook, filled: str) -> None:
    (case,) = book.forget_messages(SERVER, [8, 9]).result()
    assert (case.case.id, case.replies) == (filled, ((CHANNEL, 10),))
    assert book.by_message(SERVER, 9).result() is None


def test_a_deleted_reply_takes_no_text_with_it(book: CaseBook, filled: str) -> None:
    assert book.forget_messages(SERVER, [10]).result() == []
    found = book.find(SERVER.of(filled)).result()
    assert (found.replies, len(found.documents)) == ((), 1)


def test_deleting_one_of_two_messages_leaves_the_other_document(book: CaseBook, filled: str) -> None:
    documents = (NewDocument("a", "config", TEXT, 9), NewDocument("b", "crash", "the other text", 11))
    book.revise(SERVER.of(filled), Revision(documents, diagnosis(), (), 11, CHANNEL)).result()
    book.forget_messages(SERVER, [9]).result()
    assert [document.text for document in book.find(SERVER.of(filled)).result().documents] == ["the other text"]


def test_text_replaced_by_an_edit_goes_with_the_next_purge(book: CaseBook, path: Path, filled: str) -> None:
    book.revise(SERVER.of(filled), Revision((NewDocument("a", "config", "tidy", 9),), diagnosis(), ())).result()
    book.purge(POLICY).result()
    assert WORDS[0] not in traces(path)


def test_no_text_of_who_opted_out_is_stored(book: CaseBook, path: Path) -> None:
    book.opt_out(ASKER, out=True).result()
    crash = {"signature": "CUDA_OOM", "error": f"{WORDS[0]}.{WORDS[1]}"}
    id_ = book.record(telling_case(message=9, crash=crash)).result().id
    book.revise(SERVER.of(id_), Revision((NewDocument("a", "b", TEXT),), diagnosis(crash=crash), ())).result()
    book.answer(SERVER.of(id_), NewAnswer(1, "still_fails", (NewStep("rank", "r", TEXT),))).result()
    assert traces(path) == []
    found = book.find(SERVER.of(id_)).result()
    assert [step["lever"] for step in found.diagnosis["steps"]] == ["gradient_checkpointing", "batch_size"]
    assert found.diagnosis["crash"] == {"signature": "CUDA_OOM", "error": None}
    book.opt_out(ASKER, out=False).result()
    book.record(telling_case()).result()
    assert traces(path) == list(WORDS)


def test_many_deletions_of_many_sizes_leave_no_byte(book: CaseBook, path: Path) -> None:
    rng = random.Random(11)
    alive: dict[str, str] = {}
    dead: list[str] = []
    for number in range(80):
        word = f"needle{number:05}x"
        text = f"{word} " * rng.choice((1, 3, 200)) + "filler words here " * rng.choice((0, 40, 400))
        alive[book.record(new_case(text)).result().id] = word
        if rng.random() < 0.4:
            id_ = rng.choice(list(alive))
            dead.append(alive.pop(id_))
            # The second way: several deletions under way at once.
            book.delete(SERVER.of(id_))
    book.delete(SERVER.of(next(iter(alive)))).result()
    raw = bytes_of(path)
    assert len(dead) > 20
    assert [word for word in dead if word.encode() in raw] == []
    assert all(word.encode() in raw for word in list(alive.values())[1:])


def test_rows_that_sqlite_moved_leave_no_copy(book: CaseBook, path: Path) -> None:
    """Overwriting deleted rows is not enough: with these edits SQLite has left copies between the rows of a page."""
    rng = random.Random(0)
    words_of: dict[str, list[str]] = {}

    def content(word: str) -> dict[str, Any]:
        documents = (NewDocument("a", "b", f"{word} " + "f" * rng.choice((0, 50, 300, 900, 3000))),)
        return {"documents": documents, "diagnosis": diagnosis(diff=word + "f" * rng.choice((0, 500, 1500)))}

    for number in range(250):
        id_ = book.record(new_case(**content(f"needle{number:05}x"))).result().id
        words_of[id_] = [f"needle{number:05}x"]
        edited = list(words_of)[rng.randrange(len(words_of))]
        words_of[edited].append(f"needle{number + 1000:05}x")
        book.revise(SERVER.of(edited), Revision(**content(words_of[edited][-1]), steps=())).result()
    gone = rng.sample(list(words_of), 125)
    for deletion in [book.delete(SERVER.of(id_)) for id_ in gone]:
        deletion.result()
    raw = bytes_of(path)
    assert [word for id_ in gone for word in words_of[id_] if word.encode() in raw] == []


def test_counters_survive_without_user_or_text(book: CaseBook, filled: str) -> None:
    book.answer(SERVER.of(filled), NewAnswer(1, "works")).result()
    before = book.stats(SERVER).result()
    book.delete(SERVER.of(filled)).result()
    after = book.stats(SERVER).result()
    assert (before.live, after.live) == (1, 0)
    assert (after.cases, after.by, after.levers, after.rounds) == (
        before.cases,
        before.by,
        before.levers,
        before.rounds,
    )
    columns = book.store.read(
        lambda c: {
            row[1] for table in ("counted_cases", "counted_steps") for row in c.execute(f"PRAGMA table_info({table})")
        }
    ).result()
    assert not columns & {"asker", "channel", "id", "text", "link"}


def test_each_server_has_its_own_retention(book: CaseBook, clock: Clock) -> None:
    book.set_guild_settings(OTHER_GUILD, GuildSettings(retention_days=5)).result()
    kept = book.record(new_case()).result()
    gone = book.record(new_case(guild=OTHER_GUILD)).result()
    direct = book.record(new_case(guild=NO_GUILD)).result()
    clock.pass_(days=6)
    assert book.purge(POLICY).result().cases == 1
    assert {case.id for case in book.listed(Scope.operator()).result().cases} == {kept.id, direct.id}
    clock.pass_(days=25)
    assert book.purge(POLICY).result().cases == 2
    assert gone.id not in {case.id for case in book.listed(Scope.operator()).result().cases}


def test_a_case_is_kept_until_its_last_day(book: CaseBook, clock: Clock) -> None:
    book.record(new_case()).result()
    clock.pass_(days=30, seconds=-1)
    assert book.purge(POLICY).result().cases == 0
    clock.pass_(seconds=1)
    assert book.purge(POLICY).result().cases == 1


def test_a_server_that_was_left_is_forgotten_after_its_grace(book: CaseBook, clock: Clock, filled: str) -> None:
    book.set_guild_settings(GUILD, GuildSettings(language="it")).result()
    book.guild_left(GUILD).result()
    clock.pass_(days=6)
    book.guild_left(GUILD).result()
    assert book.purge(POLICY).result().guilds == 0
    clock.pass_(days=1)
    done = book.purge(POLICY).result()
    assert (done.guilds, done.cases) == (1, 1)
    assert book.guild_settings(GUILD).result() == GuildSettings()
    assert book.stats(SERVER).result().cases == 0


def test_a_server_left_unseen_is_forgotten_too_but_not_one_of_another_host(
    book: CaseBook, clock: Clock, filled: str
) -> None:
    book.guilds_seen([], Shards((1,), 2)).result()
    clock.pass_(days=8)
    assert book.purge(POLICY).result().guilds == 0, "shard 1 serves neither"
    book.guilds_seen([OTHER_GUILD], Shards((0,), 1)).result()
    clock.pass_(days=8)
    assert book.purge(POLICY).result().guilds == 1
    with pytest.raises(NoSuchCaseError):
        book.find(Scope.operator().of(filled)).result()
    assert book.listed(Scope.server(OTHER_GUILD)).result().cases


def test_seeing_a_server_again_ends_its_grace(book: CaseBook, clock: Clock, filled: str) -> None:
    book.guilds_seen([OTHER_GUILD], Shards((0,), 1)).result()
    clock.pass_(days=6)
    book.guilds_seen([GUILD, OTHER_GUILD], Shards((0,), 1)).result()
    clock.pass_(days=6)
    assert book.purge(POLICY).result().guilds == 0


def test_coming_back_within_the_grace_keeps_all(book: CaseBook, clock: Clock, filled: str) -> None:
    book.guild_left(GUILD).result()
    clock.pass_(days=5)
    book.guild_joined(GUILD).result()
    clock.pass_(days=5)
    assert book.purge(POLICY).result().guilds == 0
    assert book.find(SERVER.of(filled)).result().case.id == filled


def test_forgetting_a_person_keeps_only_their_wish_not_to_be_stored(book: CaseBook, filled: str) -> None:
    book.set_language(ASKER, "it").result()
    book.opt_out(ASKER, out=True).result()
    assert book.forget_user(ASKER).result() == 1
    kept = book.user_settings(ASKER).result()
    assert (kept.language, kept.opted_out) == (None, True)
    book.opt_out(ASKER, out=False).result()
    book.forget_user(ASKER).result()
    rows = book.store.read(lambda c: c.execute("SELECT count(*) FROM users").fetchone()[0]).result()
    assert rows == 0


def test_forgetting_a_moderator_takes_their_name_off(book: CaseBook, filled: str) -> None:
    book.assign(SERVER.of(filled), MODERATOR).result()
    book.forget_user(MODERATOR).result()
    found = book.find(SERVER.of(filled)).result()
    assert (found.case.assigned, [note.author for note in found.notes]) == (None, [None])


def test_a_reader_in_the_way_delays_the_cleaning_not_the_deletion(
    book: CaseBook, path: Path, filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "SOON_S", 0.001)
    monkeypatch.setattr(writer, "GIVE_UP_S", 3600)
    reader = sqlite3.connect(path)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM cases").fetchone()
    deleting = book.delete(SERVER.of(filled))
    # A case that comes in meanwhile is written, and by then the deletion itself was too.
    book.record(new_case()).result()
    assert not deleting.done()
    with pytest.raises(NoSuchCaseError):
        book.find(SERVER.of(filled)).result()
    reader.close()
    deleting.result()
    assert traces(path) == []


def test_a_reader_that_stays_delays_nobody_for_long(
    book: CaseBook, path: Path, filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Litestream does, which keeps a reading transaction open all the time."""
    monkeypatch.setattr(writer, "GIVE_UP_S", 0)
    monkeypatch.setattr(writer, "LATER_S", 0.001)
    reader = sqlite3.connect(path)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM cases").fetchone()
    book.delete(SERVER.of(filled)).result()
    assert book.health().cleaning
    assert traces(path)
    reader.close()
    # A second deletion waits until both are cleaned away.
    monkeypatch.setattr(writer, "GIVE_UP_S", 60)
    book.forget_user(ASKER).result()
    assert not book.health().cleaning
    assert traces(path) == []


def test_cleaning_that_a_killed_process_left_is_done_by_the_next(path: Path, clock: Clock) -> None:
    with CaseBook(Store(path).ready(), clock) as book:
        id_ = book.record(telling_case()).result().id
        # As a process does that is killed right after the deletion's commit.
        book.store.write(lambda db: _delete_and_owe(db, id_)).result()
    assert traces(path)
    with CaseBook(Store(path).ready(), clock) as book:
        book.probe().result()
    assert traces(path) == []


def _delete_and_owe(db: Any, id_: str) -> None:
    from bot.cases import deletion, scrub

    deletion.delete(db, SERVER.of(id_))
    scrub.owe(db)


def test_where_nothing_was_deleted_nothing_is_rewritten(book: CaseBook, filled: str) -> None:
    statements: list[str] = []
    book.delete(SERVER.of(filled)).result()
    book.store.write(lambda db: db.conn.set_trace_callback(statements.append)).result()
    assert book.forget_messages(SERVER, [123, 456]).result() == []
    book.purge(POLICY).result()
    assert "VACUUM" not in statements
    book.record(telling_case(message=123)).result()
    book.forget_messages(SERVER, [123]).result()
    assert "VACUUM" in statements


def test_of_a_large_file_only_a_purge_rewrites_all(
    book: CaseBook, path: Path, filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bot.cases import scrub

    statements: list[str] = []
    monkeypatch.setattr(scrub, "AT_ONCE_MIB", 0)
    book.store.write(lambda db: db.conn.set_trace_callback(statements.append)).result()
    book.delete(SERVER.of(filled)).result()
    assert "VACUUM" not in statements
    assert path.with_name(f"{path.name}-wal").stat().st_size == 0
    book.purge(POLICY).result()
    assert "VACUUM" in statements
    assert traces(path) == []
