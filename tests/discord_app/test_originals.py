"""What is remembered of pastes stays within its limit, the latest first."""

from bot.discord_app.casework.history import Given
from bot.discord_app.casework.originals import Originals
from bot.intake.read import Pasted


def given(size):
    return (Given(Pasted("config.yaml", "x" * size)),)


def test_the_oldest_go_first_and_what_is_kept_anew_is_young_again():
    kept = Originals(most=10)
    for case in ("a", "b"):
        kept.keep(case, given(4))
    kept.keep("a", given(5))
    kept.keep("c", given(5))
    assert (kept.of("a"), kept.of("b"), kept.of("c")) == (given(5), (), given(5))


def test_what_is_larger_than_the_limit_is_not_kept():
    kept = Originals(most=10)
    kept.keep("a", given(11))
    assert kept.of("a") == ()


def test_what_is_dropped_is_gone():
    kept = Originals()
    kept.keep("a", given(1))
    kept.drop("a")
    kept.drop("a")
    assert kept.of("a") == ()
