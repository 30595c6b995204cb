"""Patterns for the words of a knowledge file."""

import re

import pytest
import re2

from bot.knowledge.spelling import any_of, name_pattern, plain

ENGINES = pytest.mark.parametrize("engine", [re, re2])


@ENGINES
def test_the_longest_word_is_taken(engine):
    assert engine.search(any_of(["ram", "ram usage"]), "my ram usage")[0] == "ram usage"


@ENGINES
def test_bounds_hold_for_latin_letters_alone(engine):
    pattern = any_of(["ram", "内存"], begin=r"\b", end=r"\b")
    assert engine.search(pattern, "program") is None
    assert engine.search(pattern, "32 ram")[0] == "ram"
    assert engine.search(pattern, "我的内存不足")[0] == "内存"


@ENGINES
def test_words_are_found_in_text_without_accents(engine):
    assert engine.search(any_of(["Mémoire"]), plain("la mémoire")) is not None


@ENGINES
def test_signs_in_a_word_stand_for_themselves(engine):
    assert engine.search(any_of(["[ ]", "s/it"]), "30 s/it")[0] == "s/it"
    assert engine.search(any_of(["a.c"]), "abc") is None


@ENGINES
def test_no_words_find_nothing(engine):
    assert engine.search(any_of([]), "anything") is None


@ENGINES
@pytest.mark.parametrize("written", ["zimage", "z-image", "z image", "z_image"])
def test_a_name_is_found_as_people_write_it(engine, written):
    assert engine.search(any_of(["z image"], written=name_pattern), written.replace("_", "-")) is not None
