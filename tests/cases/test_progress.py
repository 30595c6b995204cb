"""A case is carried to its end: each round is answered once, the next offered with it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.cases.book import CaseBook
from bot.cases.model import NewAnswer, Scope, Target
from tests.cases.conftest import Clock
from tests.cases.making import FIRST, GUILD, MODERATOR, SECOND, new_case


@pytest.fixture
def target(book: CaseBook) -> Target:
    return Scope.server(GUILD).of(book.record(new_case()).result().id)


def test_works_ends_the_case(book: CaseBook, target: Target) -> None:
    answered = book.answer(target, NewAnswer(1, "works")).result()
    assert answered.applied
    assert (answered.case.case.state, answered.case.steps[0].outcome) == ("works", "works")
    assert answered.case.steps[0].answered_at == "2026-07-04T12:00:00Z"


def test_still_fails_offers_the_next_step(book: CaseBook, target: Target) -> None:
    answered = book.answer(target, NewAnswer(1, "still_fails", (SECOND,))).result()
    assert [(step.round, step.lever, step.outcome) for step in answered.case.steps] == [
        (1, FIRST.lever, "still_fails"),
        (2, SECOND.lever, "waiting"),
    ]
    assert answered.case.round == 2
    assert [step.lever for step in answered.case.current] == [SECOND.lever]
    assert answered.case.case.state == "open"


def test_the_end_of_the_ladder_fails_the_case(book: CaseBook, target: Target) -> None:
    assert book.answer(target, NewAnswer(1, "still_fails", state="failed")).result().case.case.state == "failed"


def test_of_two_clicks_at_once_one_counts(book: CaseBook, target: Target) -> None:
    answers = [NewAnswer(1, "still_fails", (SECOND,), receipt=f"interaction:{n}") for n in range(20)]
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda new: book.answer(target, new).result(), answers))
    assert sum(answered.applied for answered in made) == 1
    assert book.find(target).result().round == 2


def test_a_click_delivered_twice_counts_once(book: CaseBook, target: Target) -> None:
    click = NewAnswer(1, "undone", receipt="interaction:1")
    assert book.answer(target, click).result().applied
    assert not book.answer(target, click).result().applied


def test_an_earlier_round_is_not_answered(book: CaseBook, target: Target) -> None:
    book.answer(target, NewAnswer(1, "still_fails", (SECOND,))).result()
    assert not book.answer(target, NewAnswer(1, "works")).result().applied
    assert book.find(target).result().case.state == "open"


def test_going_back_takes_back_the_press_that_brought_the_step(book: CaseBook, target: Target) -> None:
    book.answer(target, NewAnswer(1, "still_fails", (SECOND,))).result()
    book.answer(target, NewAnswer(2, "undone", (FIRST,))).result()
    found = book.answer(target, NewAnswer(3, "works")).result().case
    assert [step.outcome for step in found.steps] == ["undone", "undone", "works"]
    counted = book.stats(target.scope).result()
    assert (counted.rounds, counted.levers[FIRST.lever].failed) == ({1: 1}, 0)


def test_taking_back_what_worked_leaves_the_step_before(book: CaseBook, target: Target) -> None:
    book.answer(target, NewAnswer(1, "still_fails", (SECOND,))).result()
    book.answer(target, NewAnswer(2, "works")).result()
    book.answer(target, NewAnswer(2, "undone", (SECOND,))).result()
    found = book.answer(target, NewAnswer(3, "works")).result().case
    assert [step.outcome for step in found.steps] == ["still_fails", "undone", "works"]
    assert book.stats(target.scope).result().rounds == {2: 1}


def test_what_worked_can_be_undone(book: CaseBook, target: Target) -> None:
    book.answer(target, NewAnswer(1, "works")).result()
    undone = book.answer(target, NewAnswer(1, "undone")).result()
    assert undone.applied
    assert (undone.case.case.state, undone.case.steps[0].outcome) == ("open", "undone")


def test_steps_offered_together_are_answered_together(book: CaseBook) -> None:
    target = Scope.server(GUILD).of(book.record(new_case(steps=(FIRST, SECOND))).result().id)
    answered = book.answer(target, NewAnswer(1, "works")).result()
    assert [step.outcome for step in answered.case.steps] == ["works", "works"]


def test_moderators_close_reopen_and_assign(book: CaseBook, target: Target, clock: Clock) -> None:
    assert book.set_state(target, "closed").result().case.state == "closed"
    clock.pass_(minutes=1)
    reopened = book.set_state(target, "open").result().case
    assert (reopened.state, reopened.changed_at) == ("open", "2026-07-04T12:01:00Z")
    assert book.assign(target, MODERATOR).result().case.assigned == MODERATOR
    assert book.assign(target, None).result().case.assigned is None


def test_the_latest_verdict_is_the_cases(book: CaseBook, target: Target) -> None:
    book.note(target, MODERATOR, "looks odd").result()
    book.note(target, MODERATOR, "it was the preview", "wrong_lever").result()
    found = book.note(target, MODERATOR, "no, it was right", "right").result()
    assert found.case.verdict == "right"
    assert [(note.verdict, note.text) for note in found.notes] == [
        (None, "looks odd"),
        ("wrong_lever", "it was the preview"),
        ("right", "no, it was right"),
    ]


def test_a_late_answer_to_a_step_given_up_waiting_for_counts(book: CaseBook, target: Target, clock: Clock) -> None:
    from bot.cases.deletion import Policy

    clock.pass_(days=4)
    assert book.purge(Policy(30, 7, 3)).result().unanswered == 1
    assert book.find(target).result().steps[0].outcome == "no_answer"
    assert book.answer(target, NewAnswer(1, "works")).result().applied
