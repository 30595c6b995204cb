"""What is outside the scope does not exist: no server sees, finds, changes or guesses another's case."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

from bot.cases.book import CaseBook
from bot.cases.errors import NoSuchCaseError
from bot.cases.listing import Filters
from bot.cases.model import NO_GUILD, NewAnswer, Revision, Scope, Target
from tests.cases.making import ASKER, CHANNEL, GUILD, NOW, OTHER_GUILD, diagnosis, new_case

SECRET = "xylophone"
ON_A_CASE: dict[str, Callable[[CaseBook, Target], Future[Any]]] = {
    "find": lambda book, target: book.find(target),
    "answer": lambda book, target: book.answer(target, NewAnswer(1, "works")),
    "offer": lambda book, target: book.offer(target, ()),
    "set_state": lambda book, target: book.set_state(target, "closed"),
    "assign": lambda book, target: book.assign(target, 1),
    "note": lambda book, target: book.note(target, 1, "mine now"),
    "delete": lambda book, target: book.delete(target),
    "attach_reply": lambda book, target: book.attach_reply(target, CHANNEL, 5),
    "revise": lambda book, target: book.revise(target, Revision((), diagnosis(), ())),
}
OUTSIDE = {
    "another server": Scope.server(OTHER_GUILD),
    "another person": Scope.person(ASKER + 1),
    "the same person's direct messages": Scope.direct(ASKER),
}


@pytest.mark.parametrize("scope", OUTSIDE.values(), ids=OUTSIDE.keys())
@pytest.mark.parametrize("name", ON_A_CASE)
def test_a_case_outside_the_scope_cannot_be_told_from_none(book: CaseBook, name: str, scope: Scope) -> None:
    recorded = book.record(new_case(SECRET, message=9)).result()
    before = book.find(Scope.server(GUILD).of(recorded.id)).result()
    with pytest.raises(NoSuchCaseError) as outside:
        ON_A_CASE[name](book, scope.of(recorded.id)).result()
    with pytest.raises(NoSuchCaseError) as absent:
        ON_A_CASE[name](book, scope.of("2222")).result()
    assert str(outside.value).replace(recorded.id, "2222") == str(absent.value)
    assert book.find(Scope.server(GUILD).of(recorded.id)).result() == before


@pytest.mark.parametrize("scope", OUTSIDE.values(), ids=OUTSIDE.keys())
def test_lists_and_searches_stay_within_the_scope(book: CaseBook, scope: Scope) -> None:
    recorded = book.record(new_case(SECRET, message=9)).result()
    book.note(Scope.server(GUILD).of(recorded.id), 1, "marimba", "wrong").result()
    for filters in (Filters(), Filters(words=SECRET), Filters(words="marimba"), Filters(words=recorded.id)):
        assert book.listed(Scope.server(GUILD), filters).result().cases
        assert not book.listed(scope, filters).result().cases
    assert book.by_message(scope, 9).result() is None
    assert book.forget_messages(scope, [9]).result() == []
    assert book.joinable(scope, CHANNEL, ASKER, NOW).result() is None
    assert book.same_text(scope, new_case(SECRET).documents, NOW).result() is None
    assert book.unanswered(scope, NOW).result() == []
    assert SECRET not in book.export(scope).result()
    assert book.stats(scope).result().cases == 0


@pytest.mark.parametrize(
    "words",
    [
        'xylophone" OR scope:"1001',
        f"scope:{GUILD}",
        f'"{GUILD}"',
        "xylophone) OR (scope",
        "NEAR(xylophone)",
        "* OR *",
        "^x",
    ],
)
def test_no_search_words_reach_another_server(book: CaseBook, words: str) -> None:
    book.record(new_case(SECRET)).result()
    assert not book.listed(Scope.server(OTHER_GUILD), Filters(words=words)).result().cases


def test_a_server_number_in_a_paste_is_only_text(book: CaseBook) -> None:
    book.record(new_case(f"{OTHER_GUILD} {SECRET}")).result()
    assert not book.listed(Scope.server(OTHER_GUILD), Filters(words=SECRET)).result().cases


def test_a_person_sees_their_own_cases_of_every_server(book: CaseBook) -> None:
    ids = {book.record(new_case(guild=guild)).result().id for guild in (GUILD, OTHER_GUILD, NO_GUILD)}
    book.record(new_case(asker=ASKER + 1)).result()
    assert {case.id for case in book.listed(Scope.person(ASKER)).result().cases} == ids
    assert len(book.listed(Scope.operator()).result().cases) == 4


def test_outside_servers_there_is_no_server_scope() -> None:
    with pytest.raises(ValueError, match=r"Scope\.direct"):
        Scope.server(NO_GUILD)
