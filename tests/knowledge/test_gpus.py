"""Cards by the names people write."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.knowledge.gpus import Gpus
from bot.knowledge.load import Knowledge

_GPUS = Knowledge().gpus


@pytest.fixture
def gpus() -> Gpus:
    return _GPUS


@pytest.mark.parametrize(
    ("text", "name", "gib"),
    [
        ("RTX 4090", "RTX 4090", 24),
        ("on my 3090.", "RTX 3090", 24),
        ("RTX5090", "RTX 5090", 32),
        ("5090 laptop", "RTX 5090 Laptop", 24),
        ("laptop with a 4090", "RTX 4090 Laptop", 16),
        ("4060ti", "RTX 4060 Ti", None),
        ("3060", "RTX 3060", 12),
        ("3060 laptop", "RTX 3060 Laptop", 6),
        ("rtx pro 6000 blackwell", "RTX PRO 6000", 96),
        ("RTX 6000 Ada", "RTX 6000 Ada", 48),
        ("A6000", "RTX A6000", 48),
        ("NVIDIA A100-SXM4-80GB", "A100", None),
        ("H100 PCIe", "H100", 80),
        ("7900XTX", "RX 7900 XTX", 24),
        ("Arc B580", "Arc B580", 12),
        ("Ryzen AI Max+ 395", "Strix Halo", None),
        ("MacBook M2 Max", "Apple M2 Max", None),
        ("4070 Ti Super", "RTX 4070 Ti Super", 16),
    ],
)
def test_names(gpus, text, name, gib):
    assert [(seen.gpu.name, seen.gpu.gib) for seen in gpus.search(text)] == [(name, gib)]


@pytest.mark.parametrize(
    "text",
    ["dies at step 3090", "3090/30000", "3090 steps", "localhost:5090", "line 3080, in run", "lr 0.5090", "512", "1080 x 1920",
     "4090 images", "a 6000 step run", "3090 it", "sdxl m1 merge", "#5090", "40900", "seed 4070"],
)  # fmt: skip
def test_numbers_that_are_no_cards(gpus, text):
    assert gpus.search(text) == []


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("2x3090", [2]),
        ("8张L20", [8]),
        ("dual 4090s", [2]),
        ("4 x A100", [4]),
        ("two RTX 3090s", [2]),
        ("3090/4090", [1, 1]),
        ("zwei 4090", [2]),
    ],
)
def test_counts(gpus, text, counts):
    assert [seen.count for seen in gpus.search(text)] == counts


def test_size_said_decides_among_those_sold(gpus):
    card = gpus.named("4060 Ti")
    assert (card.with_size(16), card.with_size(15.93), card.with_size(64), card.with_size(None)) == (
        16.0,
        16.0,
        None,
        None,
    )
    assert gpus.named("4090").with_size(64) == 24.0
    assert gpus.named("M1 mac").with_size(16) == 16


def test_option_that_names_no_card(gpus):
    assert gpus.named("a big one") is None


def test_names_for_completion_are_unique_and_hold_laptops(gpus):
    assert len(set(gpus.names)) == len(gpus.names)
    assert {"RTX 4090", "RTX 4090 Laptop", "Instinct MI300X"} <= set(gpus.names)


def test_every_card_is_found_by_its_own_name(gpus):
    for name in gpus.names:
        text = f"mac {name}" if name.startswith("Apple") else name
        assert [seen.gpu.name for seen in gpus.search(text)][:1] == [name]


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="0123456789 x/.,:rtxRTXtisgb\n4090\u00d7张", max_size=60))
def test_any_text_is_searched(text):
    for seen in _GPUS.search(text):
        assert 0 <= seen.start < seen.end <= len(text)


@pytest.mark.parametrize(
    ("name", "card", "gib"),
    [
        ("RTX 4060 Ti 16GB", "RTX 4060 Ti", 16), ("gtx 1060 6 gb", "GTX 1060", 6), ("A100 40GB", "A100", 40), ("3090", "RTX 3090", 24),
        ("M2 Max 64GB", "Apple M2 Max", 64), ("2080 ti 22gb", "RTX 2080 Ti", 22), ("A100", "A100", None), ("RTX 3090 24G", "RTX 3090", 24),
    ],
)  # fmt: skip
def test_an_option_says_the_size_with_the_name(name, card, gib, gpus):
    told, size = gpus.told(name)
    assert (told.name, size) == (card, gib)


@pytest.mark.parametrize(("name", "gib"), [("banana", None), ("banana 24 GB", 24)])
def test_a_size_counts_where_no_such_card_is_known(name, gib, gpus):
    assert gpus.told(name) == (None, gib)


def test_a_number_in_brackets_behind_the_word_step_is_a_card(gpus):
    assert [seen.gpu.name for seen in gpus.search("dies at the first step (4090)")] == ["RTX 4090"]
    assert gpus.search("dies at the first run (4090 steps)") == []
