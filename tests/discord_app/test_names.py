"""Names of files that the bot makes, whatever the pasted file was called."""

import pytest

from bot.discord_app.casework.clicks import fixed_name


@pytest.mark.parametrize(("name", "fixed"), [
    ("config.yaml", "config.fixed.yaml"),
    ("my job.YML", "my job.fixed.YML"),
    ("größe.json", "größe.fixed.json"),
    ("message.txt", "config.fixed.yaml"),
    ("a\r\nb.yaml", "a__b.fixed.yaml"),
    ('"@everyone/../x.yaml', "__everyone_.._x.fixed.yaml"),
    ("\x07\u202ex.yaml", "__x.fixed.yaml"),
    (".yaml", ".fixed.yaml"),
])  # fmt: skip
def test_a_name_is_letters_digits_and_what_no_header_minds(name, fixed):
    assert fixed_name(name) == fixed


def test_a_long_name_is_cut_in_front():
    assert len(fixed_name(f"{'x' * 300}.yaml")) == 100
