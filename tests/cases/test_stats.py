"""Numbers: cases by kind, what each lever brought, and the chart of it."""

from importlib.util import find_spec

import pytest

from bot.cases import chart, render
from bot.cases.book import CaseBook
from bot.cases.deletion import Policy
from bot.cases.model import NewAnswer, Scope
from bot.cases.stats import Spot, Success
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import Locale
from tests.cases.conftest import Clock
from tests.cases.making import FIRST, GUILD, NOW, OTHER_GUILD, SECOND, diagnosis, new_case, problem

SERVER = Scope.server(GUILD)


@pytest.fixture
def told(book: CaseBook) -> CaseBook:
    """Three cases: one that worked at the second step, one that gave up at once, one in which the bot asked."""
    first = SERVER.of(book.record(new_case()).result().id)
    book.answer(first, NewAnswer(1, "still_fails", (SECOND,))).result()
    book.answer(first, NewAnswer(2, "works")).result()
    second = SERVER.of(book.record(new_case(locale="it")).result().id)
    book.answer(second, NewAnswer(1, "still_fails", state="failed")).result()
    unknown = diagnosis(problem=problem("unknown", "unknown"), findings=[], steps=[], model={"arch": None, "family": None})
    book.record(new_case(diagnosis=unknown, steps=())).result()
    book.record(new_case(guild=OTHER_GUILD)).result()
    return book


def check(book: CaseBook) -> None:
    found = book.stats(SERVER).result()
    assert found.cases == 3
    assert found.by["class"] == {"vram_oom": 2, "unknown": 1}
    assert found.by["family"] == {"z-image": 2, "": 1}
    assert found.by["locale"] == {"de": 2, "it": 1}
    assert found.by["state"] == {"works": 1, "failed": 1, "open": 1}
    assert found.levers[FIRST.lever] == Success(offered=2, failed=2)
    assert found.levers[SECOND.lever] == Success(offered=1, worked=1)
    assert list(found.rules) == [SECOND.rule, FIRST.rule]
    assert found.rounds == {2: 1}
    assert found.asked == (Spot("unknown", "unknown", "", 1),)
    assert found.gave_up == (Spot("vram_oom", "train", "z-image", 1),)


def test_cases_levers_and_steps_are_counted(told: CaseBook) -> None:
    check(told)
    assert told.stats(Scope.operator()).result().cases == 4


def test_the_numbers_are_the_same_after_everything_was_deleted(told: CaseBook, clock: Clock) -> None:
    clock.pass_(days=40)
    told.purge(Policy(30, 7, 90)).result()
    assert told.stats(Scope.operator()).result().live == 0
    check(told)


def test_since_counts_from_then_on(told: CaseBook, clock: Clock) -> None:
    clock.pass_(days=1)
    told.record(new_case()).result()
    assert told.stats(SERVER, NOW).result().cases == 4
    assert told.stats(SERVER, clock.now).result().cases == 1


def test_a_step_nobody_answered_is_neither_success_nor_failure() -> None:
    assert (Success(offered=3, unanswered=3).rate, Success(offered=3, unanswered=3).sure_rate) == (None, 0.0)


def test_ninety_of_a_hundred_is_surer_than_one_of_one() -> None:
    assert Success(worked=90, failed=10).sure_rate > Success(worked=1).sure_rate
    # Wilson's interval for 90 of 100, as tables give it.
    assert Success(worked=90, failed=10).sure_rate == pytest.approx(0.8256, abs=1e-4)


@pytest.fixture(params=["en", "de", "it"])
def words(request: pytest.FixtureRequest) -> Locale:
    return Knowledge().locale(request.param)


def test_the_figures_are_said_in_each_language(told: CaseBook, words: Locale) -> None:
    text = render.stats_text(told.stats(SERVER).result(), words)
    assert words.text("cases.stats.cases", count=3) in text
    assert words.text("levers.batch_size.name") in text
    assert "█" * render.BAR in text
    assert "{" not in text


def test_long_tables_end_in_a_sum(words: Locale) -> None:
    lines = render.bars({f"label {number}": 40 - number for number in range(30)}, words)
    assert len(lines) == render.ROWS + 1
    assert lines[-1].endswith(str(sum(40 - number for number in range(render.ROWS, 30))))


def test_no_cases_are_said_too(book: CaseBook, words: Locale) -> None:
    assert words.text("cases.stats.cases", count=0) in render.stats_text(book.stats(SERVER).result(), words)


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib (extra `charts`) is not installed here")
@pytest.mark.filterwarnings("default")
def test_the_chart_is_a_small_picture(told: CaseBook, words: Locale) -> None:
    for found in (told.stats(SERVER).result(), told.stats(Scope.server(9)).result()):
        picture = chart.png(found, words)
        assert picture.startswith(b"\x89PNG")
        assert (int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])) == (1000, 800)
        assert len(picture) < 200_000


def test_without_the_extra_there_is_no_chart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chart, "find_spec", lambda _: None)
    assert not chart.is_available()
