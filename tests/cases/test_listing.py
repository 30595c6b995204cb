"""Lists: newest first, filtered, searched, page by page."""

import pytest

from bot.cases.book import CaseBook
from bot.cases.listing import Filters
from bot.cases.model import NewAnswer, Scope
from tests.cases.conftest import Clock
from tests.cases.making import ASKER, GUILD, MODERATOR, SECOND, diagnosis, new_case, problem

SERVER = Scope.server(GUILD)


def test_pages_hold_each_case_once_newest_first(book: CaseBook) -> None:
    ids = [book.record(new_case()).result().id for _ in range(7)]
    first = book.listed(SERVER, size=3).result()
    late = book.record(new_case()).result()
    seen = [case.id for case in first.cases]
    page = first
    while page.after is not None:
        page = book.listed(SERVER, size=3, after=page.after).result()
        seen += [case.id for case in page.cases]
    assert seen == ids[::-1]
    assert late.id not in seen


def test_a_page_that_ends_the_list_says_so(book: CaseBook) -> None:
    for _ in range(3):
        book.record(new_case()).result()
    assert book.listed(SERVER, size=3).result().after is None


@pytest.fixture
def odd_one(book: CaseBook, clock: Clock) -> str:
    """A case that differs from the others in everything that can be filtered by."""
    for _ in range(3):
        book.record(new_case("usual words")).result()
    clock.pass_(days=1)
    made = diagnosis(
        problem=problem("unknown", "unknown"), findings=[], model={"arch": None, "family": "wan", "kind": "video"}
    )
    odd = book.record(
        new_case("a rare aardvark", diagnosis=made, locale="it", asker=ASKER + 1, steps=(SECOND,))
    ).result()
    target = SERVER.of(odd.id)
    book.assign(target, MODERATOR).result()
    book.note(target, MODERATOR, "Überlauf beim Caching", "wrong").result()
    book.answer(target, NewAnswer(1, "still_fails", state="failed")).result()
    return odd.id


@pytest.mark.parametrize(
    "filters",
    [
        Filters(state="failed"),
        Filters(problem_class="unknown"),
        Filters(family="wan"),
        Filters(lever=SECOND.lever),
        Filters(locale="it"),
        Filters(asker=ASKER + 1),
        Filters(since="2026-07-05T00:00:00Z"),
        Filters(verdict="wrong"),
        Filters(assigned=MODERATOR),
        Filters(words="aardvark"),
        Filters(words="AARDVARK a"),
        Filters(words="rare -usual"),
        Filters(words="aard*"),
        Filters(words="uberlauf"),
        Filters(words="rare", family="wan", lever=SECOND.lever, state="failed"),
    ],
    ids=str,
)
def test_a_filter_lets_the_fitting_case_through_alone(book: CaseBook, odd_one: str, filters: Filters) -> None:
    assert [case.id for case in book.listed(SERVER, filters).result().cases] == [odd_one]
    assert [case.id for case in book.listed(Scope.operator(), filters).result().cases] == [odd_one]


@pytest.mark.parametrize(
    "words", ["aardvark usual", "rare -aardvark", "aard", "xyzzy", "", "   ", "-", "*", '""', "rare AND", "("]
)
def test_what_does_not_fit_is_not_found(book: CaseBook, odd_one: str, words: str) -> None:
    assert not book.listed(SERVER, Filters(words=words)).result().cases


def test_an_id_finds_its_case(book: CaseBook, odd_one: str) -> None:
    assert [case.id for case in book.listed(SERVER, Filters(words=f"#{odd_one.lower()}")).result().cases] == [odd_one]


def test_a_word_that_looks_like_an_id_is_still_a_word(book: CaseBook) -> None:
    recorded = book.record(new_case("the train crashed at 4242")).result()
    for words in ("4242", "crashed"):
        assert [case.id for case in book.listed(SERVER, Filters(words=words)).result().cases] == [recorded.id]


def test_keys_with_underscores_are_found_as_they_stand(book: CaseBook) -> None:
    recorded = book.record(new_case("train:\n  gradient_checkpointing: false")).result()
    book.record(new_case("a gradient without checkpointing")).result()
    found = book.listed(SERVER, Filters(words="gradient_checkpointing")).result().cases
    assert [case.id for case in found] == [recorded.id]


def test_searches_are_paged(book: CaseBook) -> None:
    ids = [book.record(new_case("common")).result().id for _ in range(5)]
    first = book.listed(SERVER, Filters(words="common"), size=2).result()
    second = book.listed(SERVER, Filters(words="common"), size=9, after=first.after).result()
    assert [case.id for case in (*first.cases, *second.cases)] == ids[::-1]


def test_a_case_of_unexplained_kind_is_told_apart(book: CaseBook, odd_one: str) -> None:
    asked = diagnosis(problem=problem("unknown"), findings=[], steps=[])
    plain = diagnosis(problem=problem("none", "plan"), findings=[], steps=[])
    unexplained = book.record(new_case(diagnosis=asked, steps=())).result()
    book.record(new_case(diagnosis=plain, steps=())).result()
    found = book.listed(SERVER, Filters(unexplained=True)).result().cases
    assert [case.id for case in found] == [unexplained.id]
