"""Prose as a whole: phrases, goal, and the model it is about."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.facts import FACTS
from bot.intake.said.prose import read_prose
from tests.intake.said.making import knowledge, lines


def read(text: str) -> dict[str, object]:
    return {name: fact.value for name, fact in read_prose(0, lines(text), knowledge()).items()}


def test_nothing_said_is_nothing_read():
    assert read("") == {}
    assert read(" \n\t\n") == {}


@pytest.mark.parametrize(
    ("text", "arch", "family"),
    [
        ("Wan 2.2 14B lora, i2v, 81 frames", "wan22_14b_i2v", "wan-2-2"),
        ("Wan 2.2 lora", None, "wan-2-2"),
        ("wan 2.1 i2v at 480p", "wan21_i2v:14b480p", "wan-2-1"),
        ("z-image oom. yes, Z-Image Turbo", "zimage:turbo", "z-image"),
        ("flux lora, it is FLUX.2 dev", "flux2", "flux-2"),
        ("FLUX trains fine, Wan 2.2 t2v does not", "wan22_14b:t2v", "wan-2-2"),
        ("Qwen-Image lora", "qwen_image", "qwen-image"),
        ("my lora ooms", None, None),
    ],
)
def test_model(text, arch, family):
    found = read(text)
    assert (found.get("model.arch"), found.get("model.family")) == (arch, family)


def test_goal_is_speed_where_speed_is_wanted():
    found = read("läuft stabil, aber 9 s/it ist mir zu langsam")
    assert found["goal"] == "speed"
    assert "wants-speed" in found["says"]
    assert "goal" not in read("it OOMs at step 3")


def test_phrase_is_taken_back_in_its_own_sentence():
    assert "oom" not in read("no OOM, but it is odd").get("says", ())
    assert "oom" in read("yesterday no OOM. today it OOMs")["says"]


def test_phrases_state_facts_that_nothing_else_tells():
    found = read("every cache toggle on, sampling is off")
    assert (found["datasets.cache_latents"], found["train.cache_text_embeddings"], found["train.disable_sampling"]) == (
        True,
        True,
        True,
    )
    assert read("previews off, no wait: disable_sampling: false")["train.disable_sampling"] is True


def test_says_is_in_the_order_of_the_text():
    found = read("After the update it hangs. No error.")
    assert found["says"] == ("after-update", "hang", "no-error")


def test_long_text_is_read_from_its_start_only():
    found = read("batch 2\n" + "word " * 7000 + "\n" + "x\n" * 4000 + "rank 64")
    assert found["train.batch_size"] == 2
    assert "network.rank" not in found


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet=st.sampled_from(list("abegnorstu 0123456789.,:;=%x+/-\n()?!äéßъ显存GBVRAMgbt")), max_size=200))
def test_any_text_gives_facts_of_their_types(text):
    types = {"bool": bool, "int": int, "float": float, "str": str, "strs": tuple, "ints": tuple}
    for name, fact in read_prose(0, lines(text), knowledge()).items():
        assert isinstance(fact.value, types[FACTS[name].type])


@pytest.mark.parametrize(
    ("text", "happened"),
    [
        ("it ooms at step 3", True), ("would it oom with batch 2?", False), ("at step 300 now with no oom", False), ("runs without an oom so far", False),
        ("without gc it ooms", True), ("why would it oom with batch 1?", True), ("never had an OOM before the update", True),
        ("würde es mit Batch 2 OOM geben?", False), ("kein OOM mehr", False), ("senza OOM", False), ("sans OOM", False), ("没有爆显存", False), ("一直爆显存", True),
    ],
)  # fmt: skip
def test_an_oom_that_is_denied_or_imagined_is_none(text, happened):
    assert ("oom" in read(text).get("says", ())) is happened


def test_a_batch_of_one_in_letters():
    assert read("I set batch one")["batch_size"] == 1


@pytest.mark.parametrize(
    ("text", "batch"),
    [("runs at batch 1. would it oom with batch 2?", 2), ("batch 1 ooms. would batch 2 be faster?", 1), ("can I use batch 4 on a 3090?", 4), ("can I use batch 4 to go faster?", None)],
)  # fmt: skip
def test_what_is_asked_about_is_the_plan_where_nothing_fails(text, batch):
    assert read(text).get("batch_size") == batch
