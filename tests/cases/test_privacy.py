"""The privacy text says what is so, in each language, from the settings in force."""

import pytest

from bot.cases.deletion import Policy
from bot.cases.privacy import Facts, privacy_text
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import Locale


@pytest.fixture(params=["en", "de", "it"])
def words(request: pytest.FixtureRequest) -> Locale:
    return Knowledge().locale(request.param)


def test_the_periods_in_force_are_said(words: Locale) -> None:
    text = privacy_text(Facts(Policy(retention_days=13, grace_days=5, no_answer_days=3)), words)
    assert " 13 " in text
    assert " 5 " in text
    assert "{" not in text


def test_one_day_is_one_day() -> None:
    text = privacy_text(Facts(Policy(1, 1, 1)), Knowledge().locale("en"))
    assert "after 1 day." in text
    assert "1 day later." in text


def test_who_sees_it_depends_on_where(words: Locale) -> None:
    policy = Policy(30, 7, 3)
    in_a_server = privacy_text(Facts(policy), words)
    alone = privacy_text(Facts(policy, moderators=False), words)
    assert words.text("privacy.seen_by") in in_a_server
    assert words.text("privacy.seen_by") not in alone
    assert words.text("privacy.seen_by_operator") in alone


def test_who_opted_out_is_told_so(words: Locale) -> None:
    text = privacy_text(Facts(Policy(30, 7, 3), opted_out=True, contact="mail to the operator"), words)
    assert words.text("privacy.opted_out") in text
    assert words.text("privacy.your_rights") not in text
    assert "mail to the operator" in text


def test_it_fits_a_discord_embed(words: Locale) -> None:
    assert len(privacy_text(Facts(Policy(3650, 365, 3), opted_out=True, contact="x" * 80), words)) < 4096
