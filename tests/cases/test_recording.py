"""Cases come in once, whatever is replayed, and are found again by id and message."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from bot.cases.book import CaseBook
from bot.cases.errors import NoSuchCaseError
from bot.cases.model import NewDocument, Revision, Scope
from tests.cases.conftest import Clock
from tests.cases.making import ASKER, CHANNEL, CONFIG, FIRST, GUILD, NOW, SECOND, diagnosis, new_case, problem

SERVER = Scope.server(GUILD)


def test_a_recorded_case_is_found_whole(book: CaseBook) -> None:
    recorded = book.record(new_case(message=9, link="https://discord.com/channels/1/2/9")).result()
    book.attach_reply(SERVER.of(recorded.id), CHANNEL, 10).result()
    found = book.find(SERVER.of(recorded.id)).result()
    assert recorded.fresh
    assert (found.case.problem_class, found.case.phase, found.case.family) == ("vram_oom", "train", "z-image")
    assert (found.case.arch, found.case.gpu, found.case.vram_gib) == ("zimage:turbo", "RTX 3060", 12.0)
    assert (found.case.lever, found.case.state, found.case.created_at) == (
        "gradient_checkpointing",
        "open",
        "2026-07-04T12:00:00Z",
    )
    assert found.diagnosis == diagnosis()
    assert [(document.name, document.text, document.message) for document in found.documents] == [
        ("config.yaml", CONFIG, 9)
    ]
    assert [(step.round, step.ladder, step.lever, step.diff, step.outcome) for step in found.steps] == [
        (1, 0, FIRST.lever, FIRST.diff, "waiting")
    ]
    assert (found.pastes, found.replies) == ((9,), ((CHANNEL, 10),))


@pytest.mark.parametrize("message", [9, 10])
def test_a_case_is_found_by_its_paste_and_by_its_reply(book: CaseBook, message: int) -> None:
    recorded = book.record(new_case(message=9)).result()
    book.attach_reply(SERVER.of(recorded.id), CHANNEL, 10).result()
    found = book.by_message(SERVER, message).result()
    assert found is not None
    assert found.case.id == recorded.id


def test_a_replayed_message_makes_no_second_case(book: CaseBook) -> None:
    first = book.record(new_case(message=9)).result()
    again = book.record(new_case("other text", message=9)).result()
    assert (again.id, again.fresh) == (first.id, False)
    assert len(book.listed(SERVER).result().cases) == 1


@pytest.mark.parametrize("receipts", [("interaction:5",), ("interaction:6", "nonce:1")])
def test_a_replayed_interaction_or_nonce_makes_no_second_case(book: CaseBook, receipts: tuple[str, ...]) -> None:
    first = book.record(new_case(receipts=("interaction:5", "nonce:1"))).result()
    again = book.record(new_case(receipts=receipts)).result()
    assert (again.id, again.fresh) == (first.id, False)


def test_one_message_recorded_by_many_at_once_is_one_case(book: CaseBook) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: book.record(new_case(message=9)).result(), range(40)))
    assert len({recorded.id for recorded in made}) == 1
    assert sum(recorded.fresh for recorded in made) == 1


def test_it_works_from_asyncio(book: CaseBook) -> None:
    async def ask() -> str:
        recorded = await asyncio.wrap_future(book.record(new_case()))
        found = await asyncio.wrap_future(book.find(SERVER.of(recorded.id)))
        return found.case.id

    assert book.find(SERVER.of(asyncio.run(ask()))).result().case.asker == ASKER


def test_text_that_no_database_takes_is_stored_all_the_same(book: CaseBook) -> None:
    odd = new_case("half \ud83d of a pair, a NUL \0", diagnosis=diagnosis(memory={"x": float("inf"), "y": 10**40}))
    found = book.find(SERVER.of(book.record(odd).result().id)).result()
    assert found.documents[0].text == "half ? of a pair, a NUL \ufffd"
    assert found.diagnosis["memory"] == {"x": "inf", "y": hex(10**40)}


def test_the_middle_of_a_huge_text_is_left_out(book: CaseBook) -> None:
    text = "the head\n" + "x" * 4_000_000 + "\nthe tail"
    stored = book.find(SERVER.of(book.record(new_case(text)).result().id)).result().documents[0].text
    assert stored.startswith("the head\n")
    assert stored.endswith("\nthe tail")
    assert len(stored) < 300_000


def test_a_further_message_revises_the_case(book: CaseBook) -> None:
    recorded = book.record(new_case(message=9)).result()
    documents = (NewDocument("config.yaml", "config", CONFIG, 9), NewDocument("log.txt", "crash", "boom", 11))
    revision = Revision(documents, diagnosis(problem=problem("host_ram_oom")), (SECOND,), message=11, channel=CHANNEL)
    assert book.revise(SERVER.of(recorded.id), revision).result()
    found = book.by_message(SERVER, 11).result()
    assert found is not None
    assert (found.case.id, found.case.problem_class) == (recorded.id, "host_ram_oom")
    assert [document.name for document in found.documents] == ["config.yaml", "log.txt"]
    assert [step.lever for step in found.steps] == [SECOND.lever]
    assert [case.id for case in _search(book, "boom")] == [recorded.id]


def test_a_message_of_another_case_revises_nothing(book: CaseBook) -> None:
    first = book.record(new_case(message=9)).result()
    second = book.record(new_case(message=11)).result()
    revision = Revision((), diagnosis(problem=problem("disk_full")), (), message=9, channel=CHANNEL)
    assert not book.revise(SERVER.of(second.id), revision).result()
    assert book.find(SERVER.of(second.id)).result().case.problem_class == "vram_oom"
    assert book.by_message(SERVER, 9).result().case.id == first.id


def test_edited_words_are_no_longer_found(book: CaseBook) -> None:
    recorded = book.record(new_case("an aardvark", message=9)).result()
    revision = Revision((NewDocument("a", "log", "a zebra", 9),), diagnosis(), (FIRST,), message=9)
    book.revise(SERVER.of(recorded.id), revision).result()
    assert not _search(book, "aardvark")
    assert [case.id for case in _search(book, "zebra")] == [recorded.id]


def test_messages_of_one_person_join_within_the_time(book: CaseBook, clock: Clock) -> None:
    recorded = book.record(new_case(message=9)).result()
    clock.pass_(minutes=9)
    since = clock.now - timedelta(minutes=10)
    joined = book.joinable(SERVER, CHANNEL, ASKER, since).result()
    assert joined is not None
    assert joined.id == recorded.id
    assert book.joinable(SERVER, CHANNEL, ASKER + 1, since).result() is None
    assert book.joinable(SERVER, CHANNEL + 1, ASKER, since).result() is None
    assert book.joinable(SERVER, CHANNEL, ASKER, clock.now).result() is None
    book.set_state(SERVER.of(recorded.id), "closed").result()
    assert book.joinable(SERVER, CHANNEL, ASKER, since).result() is None


def test_the_same_text_is_known_again(book: CaseBook) -> None:
    recorded = book.record(new_case()).result()
    same = (NewDocument("other-name.txt", "config", CONFIG + "\n", 12),)
    found = book.same_text(SERVER, same, NOW).result()
    assert found is not None
    assert found.id == recorded.id
    assert book.same_text(SERVER, (NewDocument("a", "config", "else"),), NOW).result() is None
    assert book.same_text(SERVER, same, NOW + timedelta(seconds=1)).result() is None


def test_a_message_without_a_reply_is_unanswered(book: CaseBook) -> None:
    waiting = book.record(new_case(message=9)).result()
    answered = book.record(new_case(message=10)).result()
    book.record(new_case()).result()
    book.attach_reply(SERVER.of(answered.id), CHANNEL, 20).result()
    assert [case.id for case in book.unanswered(SERVER, NOW).result()] == [waiting.id]


def test_an_unknown_id_is_no_case(book: CaseBook) -> None:
    for typed in ("K7Q2", "", "'; DROP TABLE cases; --", "K" * 500):
        with pytest.raises(NoSuchCaseError):
            book.find(SERVER.of(typed)).result()


def _search(book: CaseBook, words: str) -> tuple:
    from bot.cases.listing import Filters

    return book.listed(SERVER, Filters(words=words)).result().cases
