"""A text cut anywhere and sent in several messages is the text again."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pastes import LOG, config

from bot.discord_app.workers.pieces import joined
from bot.intake.read import Pasted

ROWS = config().strip().split("\n")
# Behind the first section; a piece that begins in the first column is a section of its own.
CUTS = [number for number in range(7, len(ROWS) - 1) if ROWS[number].startswith(" ")]


def pieces(*texts):
    return [Pasted("message.txt", text) for text in texts]


def blocks(text):
    return text.replace("```yaml\n", "").replace("\n```", "")


@given(st.lists(st.sampled_from(CUTS), min_size=1, max_size=3, unique=True).map(sorted), st.data())
def test_in_code_blocks(cuts, data):
    edges = [0, *cuts, len(ROWS)]
    parts = ["\n".join(ROWS[a:b]) for a, b in pairwise(edges)]
    label = data.draw(st.sampled_from(["", "part 2\n", "(cont.) "]))
    made = joined(pieces(*(f"{label}```yaml\n{part}\n```" for part in parts)))
    assert len(made) == 1
    assert "\n".join(ROWS) in blocks(made[0].data)


@pytest.mark.parametrize("cut", CUTS)
def test_one_block_that_two_messages_share(cut):
    made = joined(pieces("my config ```yaml\n" + "\n".join(ROWS[:cut]), "\n".join(ROWS[cut:]) + "\n```"))
    assert [blocks(one.data) for one in made] == ["my config " + "\n".join(ROWS)]


@pytest.mark.parametrize("cut", CUTS)
def test_without_code_blocks_the_first_indentation_is_found_again(cut):
    made = joined(pieces("\n".join(ROWS[:cut]), "\n".join(ROWS[cut:]).strip()))
    assert [one.data for one in made] == ["\n".join(ROWS)]


def test_a_traceback_whose_error_comes_in_the_next_message():
    cut = LOG.index("torch.OutOfMemoryError")
    assert [one.data for one in joined(pieces(LOG[:cut].strip(), LOG[cut:].strip()))] == [LOG.strip()]


@pytest.mark.parametrize("second", [
    config("another"),
    "```yaml\ntrain:\n  batch_size: 1\n```",
    "      network:\n        linear: 8",
    "what now?",
    LOG,
    "```\nsome words\n```",
    "",
])  # fmt: skip
def test_what_stands_for_itself_is_left_so(second):
    assert len(joined(pieces(config(), second))) == 2


@given(st.lists(st.text(st.sampled_from("a:- `\n \"'#"), max_size=60), max_size=4))
def test_no_text_breaks_it(texts):
    made = joined(pieces(*texts))
    assert len(made) <= len(texts)


def test_files_are_never_joined():
    files = [Pasted("a.yaml", b"a:\n  b: 1"), Pasted("a.yaml", b"  c: 1")]
    assert joined(files) == tuple(files)
