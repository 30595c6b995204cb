"""Numbers: cases by kind, what each lever brought, and the chart of it."""

import random
from collections import Counter
from importlib.util import find_spec

import pytest

from bot.cases import chart, render
from bot.cases.book import CaseBook
from bot.cases.deletion import Policy
from bot.cases.model import VERDICTS, FullCase, NewAnswer, Scope
from bot.cases.stats import Spot, Stats, Success
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
    unknown = diagnosis(
        problem=problem("unknown", "unknown"), findings=[], steps=[], model={"arch": None, "family": None}
    )
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


def walk(book: CaseBook, rng: random.Random, clock: Clock) -> None:
    """Cases of two servers, each carried on by some presses of its buttons."""
    for _ in range(60):
        clock.pass_(hours=rng.randrange(30))
        kind = problem(rng.choice(["vram_oom", "ram_oom", "unknown"]), rng.choice(["train", "load"]))
        model = {"arch": None, "family": rng.choice([None, "z-image", "flux1"]), "kind": "image"}
        made = diagnosis(problem=kind, model=model)
        guild = rng.choice([GUILD, OTHER_GUILD])
        target = Scope.server(guild).of(
            book.record(new_case(diagnosis=made, guild=guild, locale=rng.choice(["de", "it", "en"]))).result().id
        )
        offered = [FIRST, SECOND]
        for number in range(1, rng.randrange(6)):
            press = rng.choice(["works", "still_fails", "undone"])
            state = "failed" if press == "still_fails" and rng.random() < 0.2 else None
            offer = () if press == "works" or state else (offered[number % 2],)
            if not book.answer(target, NewAnswer(number, press, offer, state)).result().applied or not offer:
                break
        if rng.random() < 0.3:
            book.note(target, 7, "why", rng.choice(VERDICTS)).result()


def counted_by_hand(cases: list[FullCase]) -> dict[str, object]:
    levers: dict[str, Counter[str]] = {}
    rounds: Counter[int] = Counter()
    for full in cases:
        for step in full.steps:
            levers.setdefault(step.lever, Counter())[step.outcome] += 1
        answered = {step.round for step in full.steps if step.outcome in {"works", "still_fails"}}
        if any(step.outcome == "works" for step in full.steps):
            rounds[len(answered)] += 1
    spots = Counter(
        (full.case.problem_class, full.case.phase, full.case.family or "")
        for full in cases
        if full.case.state == "failed"
    )
    return {
        "class": dict(Counter(full.case.problem_class for full in cases)),
        "locale": dict(Counter(full.case.locale for full in cases)),
        "verdict": dict(Counter(full.case.verdict or "" for full in cases)),
        "levers": {
            lever: Success(n.total(), n["works"], n["still_fails"], n["undone"], n["waiting"] + n["no_answer"])
            for lever, n in levers.items()
        },
        "rounds": dict(sorted(rounds.items())),
        "gave_up": spots,
    }


def counted(found: Stats) -> dict[str, object]:
    kinds = {name: dict(found.by[name]) for name in ("class", "locale", "verdict")}
    spots = Counter({(spot.problem_class, spot.phase, spot.family): spot.n for spot in found.gave_up})
    return kinds | {"levers": dict(found.levers), "rounds": dict(found.rounds), "gave_up": spots}


@pytest.mark.parametrize("seed", range(3))
def test_the_numbers_are_those_counted_by_hand(book: CaseBook, clock: Clock, seed: int) -> None:
    walk(book, random.Random(seed), clock)
    for scope in (Scope.operator(), SERVER, Scope.server(OTHER_GUILD)):
        cases = [book.find(scope.of(case.id)).result() for case in book.listed(scope, size=1000).result().cases]
        by_hand = counted_by_hand(cases)
        assert counted(book.stats(scope).result()) == by_hand
        for full in cases[::2] if scope.guild else []:
            book.delete(scope.of(full.case.id)).result()
        assert counted(book.stats(scope).result()) == by_hand, "counters keep what was deleted"


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
