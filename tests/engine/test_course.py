"""What is announced as the next change is what the next answer proposes, for every situation of tests/corpus."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cli.inputs import read_inputs
from bot.engine import diagnose
from bot.intake.read import Pasted, Told, read
from tests.engine.conftest import JOB, TRAINING
from tests.test_corpus import CASES, CORPUS, slug

MOST_STEPS = 40
BANNER = "\n# OOM during training step, skipping batch 1/3 #\n"


def told(step):
    """What a person reads of a step: which, and from what to what; a path without the frame around a process."""
    if step is None:
        return None
    values = step.values or {}
    patches = [(patch.path.removeprefix("config.process[0]."), patch.new) for patch in step.patches]
    return step.rule, values.get("old"), values.get("new"), patches


def now_of(diagnosis):
    return next((step for step in diagnosis.steps if step.now), None)


def announced(diagnosis):
    return next((step for step in diagnosis.steps if not step.now and step.safety != "unsafe"), None)


def walked(evidence, knowledge):
    """The diagnoses from the first to the last that proposes something, each with the step before taken as made."""
    tried, made = [], [diagnose(evidence, knowledge)]
    while (step := now_of(made[-1])) is not None:
        tried.append(step.rule)
        assert len(tried) < MOST_STEPS, tried
        made.append(diagnose(evidence, knowledge, tried=tried))
    return made


def assert_as_announced(evidence, knowledge):
    ladder = walked(evidence, knowledge)
    for before, after in pairwise(ladder):
        coming = now_of(after)
        if announced(before) is None and after.problem["class"] == "none" and coming is not None:
            assert coming.lever == "ask"  # after advice ahead of a run there is nothing left but to run it
        else:
            assert told(coming) == told(announced(before))


@pytest.mark.parametrize("expect", CASES, ids=slug)
def test_what_is_announced_is_what_comes(expect, knowledge):
    pasted = next(path for path in CORPUS.glob(f"{slug(expect)}.*") if path != expect)
    assert_as_announced(read(read_inputs((str(pasted),)), knowledge), knowledge)


@settings(max_examples=40, deadline=None)
@given(
    batch=st.integers(0, 9),
    top=st.sampled_from([512, 768, 1536]),
    side=st.sampled_from([512, 1024, 1536, 2000]),
    data=st.data(),
)
def test_so_with_any_numbers(batch, top, side, data, knowledge):
    text = JOB.replace("batch_size: 4", f"batch_size: {batch}").replace("[512, 768, 1024]", f"[512, {top}]")
    text = text.replace("width: 1024", f"width: {side}")
    cut = data.draw(st.integers(len(text) // 3, len(text)))
    assert_as_announced(read([Pasted("a.txt", text[:cut] + BANNER)], knowledge, Told(vram_gib=24)), knowledge)


def test_a_list_that_cannot_be_edited_goes_down_all_the_same(knowledge):
    """Behind an anchor nothing is edited; the person makes the change by hand, and the next one starts from there."""
    evidence = read(read_inputs((str(CORPUS / "415-anchored-resolutions.yaml"),)), knowledge)
    changes = [told(now_of(made)) for made in walked(evidence, knowledge)[:2]]
    assert [patches for _, _, _, patches in changes] == [
        [("datasets[0].resolution", [512, 768]), ("datasets[1].resolution", [512, 768])],
        [("datasets[0].resolution", [512])],
    ]


def test_told_numbers_go_down_without_a_config(knowledge):
    evidence = read([Pasted("a.txt", "CUDA out of memory during training, z-image, batch size 8, 24 GB")], knowledge)
    steps = [now_of(made) for made in walked(evidence, knowledge)[:-1]]
    batches = [step.patches[0].new for step in steps if step.lever == "batch_size"]
    assert batches == [4, 1]


def test_a_halved_batch_is_announced_to_go_further_down(evidence, knowledge):
    text = JOB.replace("gradient_checkpointing: false", "gradient_checkpointing: true")
    made = diagnose(evidence(text, TRAINING), knowledge)
    halved = [(step.values["old"], step.values["new"]) for step in made.steps if step.lever == "batch_size"]
    assert halved == [(4, 2), (2, 1)]
