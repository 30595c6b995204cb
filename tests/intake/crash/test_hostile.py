"""Nothing pasted can break the reading."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.facts import FACTS
from bot.intake.crash.read import read_crash
from bot.intake.text.clean import Line
from tests.intake.crash.conftest import EXAMPLES

PIECES = st.sampled_from(
    [example["text"] for example in EXAMPLES] + ["%|", "[00:", "/3 #", "\x00", "\ud800", "Ⅷİß", "\n", "9" * 60 + " GiB"]
)
TYPES = {"bool": bool, "int": int, "float": float, "str": str, "strs": tuple, "ints": tuple}


@settings(max_examples=40, deadline=None)
@given(
    pieces=st.lists(st.tuples(PIECES, st.integers(0, 400), st.integers(0, 400)), max_size=6), noise=st.text(max_size=60)
)
def test_splices_are_read(knowledge, pieces, noise):
    text = noise + "\n".join(piece[start : start + length] for piece, start, length in pieces)
    read = read_crash(0, [Line(row, number) for number, row in enumerate(text.split("\n"), 1)], knowledge)
    for name, fact in read.facts.items():
        assert isinstance(fact.value, TYPES[FACTS[name].type]), name
    if read.crash:
        assert all(isinstance(size, int) and size >= 0 for size in read.crash.numbers.values())


def test_long_text_keeps_head_and_tail(knowledge):
    filler = [Line("x" * 100, 2)] * 20_000
    lines = [Line("Loading ZImage model", 1), *filler, Line("RuntimeError: CUDA driver error: out of memory", 20_002)]
    read = read_crash(3, lines, knowledge)
    assert read.crash.place == read.facts["crash.class"].place
    assert (read.crash.place.source, read.crash.place.line) == (3, 20_002)
    assert read.facts["model.family"].value == "z-image"
