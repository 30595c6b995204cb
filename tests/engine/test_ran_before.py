"""What a person says ran before: steps lead back to it, and it is what fits."""

import pytest

from bot.engine import diagnose
from bot.intake.read import Pasted, read


def told(text, knowledge):
    return diagnose(read([Pasted("message", text)], knowledge), knowledge)


def made(diagnosis):
    return next(step for step in diagnosis.steps if step.now)


RAISED = "Z-Image, 4070 12GB, 768, gc on, batch size from {was} to {now} and now OOM at step 7"


@pytest.mark.parametrize(("was", "now", "less", "rest"), [(1, 4, 1, 4), (2, 8, 2, 4), (4, 6, 4, 1)])
def test_a_batch_that_was_raised_goes_back(was, now, less, rest, knowledge):
    step = made(told(RAISED.format(was=was, now=now), knowledge))
    assert {patch.path: patch.new for patch in step.patches} == {
        "train.batch_size": less,
        "train.gradient_accumulation": rest,
    }
    assert step.fits == "fits"


def test_a_batch_that_was_lowered_is_none_that_ran(knowledge):
    found = read([Pasted("message", RAISED.format(was=8, now=4))], knowledge)
    assert "said.batch_ran" not in found.facts


@pytest.mark.parametrize("words", ["768 ran fine, now at 1280", "512+768 finished a run, added 1280 and now"])
def test_a_size_that_ran_is_gone_back_to_and_fits(words, knowledge):
    step = made(
        told(f"Z-Image turbo, 3060 12GB, gc on, batch 1, quantize on, {words}: OOM at a step. bucket 1280", knowledge)
    )
    assert (step.lever, step.patches[0].new[-1], step.fits) == ("top_bucket", 768, "fits")


@pytest.mark.parametrize("words", ["768 runs out of memory", "768 läuft nicht", "768 non va bene"])
def test_a_size_that_does_not_run_is_none_that_did(words, knowledge):
    found = read([Pasted("message", f"flux on a 3090, OOM at a step, bucket 1024, and {words}")], knowledge)
    assert "said.size_ran" not in found.facts
