"""A config with no crash on a card that is named: advice by the estimate, and nothing asked for that is not missing."""

import pytest

from bot.engine import diagnose
from bot.intake.read import Pasted, Told, read
from tests.engine.conftest import JOB

ON = JOB.replace("gradient_checkpointing: false", "gradient_checkpointing: true").replace(
    "batch_size: 4", "batch_size: 1"
)


def planned(text, knowledge, vram):
    return diagnose(read([Pasted("config.yaml", text)], knowledge, Told(vram_gib=vram)), knowledge)


@pytest.mark.parametrize(
    ("text", "vram", "node", "first"),
    [
        (ON, 24, "plan-ahead", "nothing-to-change"),
        (ON.replace("[512, 768, 1024]", "[768, 1536]"), 11, "plan-too-large", "top-bucket"),
        (ON.replace("quantize: true", "quantize: false"), 12, "plan-too-large-to-load", "weights-unquantized"),
        (
            ON.replace("width: 1024", "width: 4096").replace("height: 1024", "height: 4096"),
            12,
            "plan-previews-too-large",
            "preview-cost",
        ),
    ],
)
def test_what_the_card_is_too_small_for_comes_first(text, vram, node, first, knowledge):
    made = planned(text, knowledge, vram)
    assert (made.outcome, next(step.rule for step in made.steps if step.now)) == (node, first)
    assert made.problem["class"] == "none"


def test_running_it_as_it_is_is_no_step_behind_another(knowledge):
    made = planned(JOB, knowledge, 24)
    assert made.steps[0].rule == "gradient-checkpointing-off"
    assert "ask" not in [step.lever for step in made.steps]


@pytest.mark.parametrize(("asked", "load"), [("", "fits"), ("5090, will it run on the 16GB card as well?", "no")])
def test_a_question_about_another_card_is_judged_for_that_card(asked, load, knowledge):
    config = ON.replace("quantize: true", "quantize: false")
    made = planned(f"{config}\n# {asked}\n", knowledge, None if asked else 32)
    assert made.memory["verdict"]["load"] == load
    assert made.hardware["vram_gib"] == (16 if asked else 32)


def test_a_step_that_does_not_lower_what_is_tight_gets_no_verdict(knowledge):
    flux = ON.replace("Tongyi-MAI/Z-Image", "black-forest-labs/FLUX.1-dev").replace("arch: zimage", "arch: flux")
    made = planned(
        flux.replace("low_vram: true", "low_vram: false").replace("batch_size: 1", "batch_size: 2"), knowledge, 24
    )
    step = made.steps[0]
    assert made.memory["verdict"]["load"] == "tight"
    assert (step.lever, step.fits, step.no_figure) == ("batch_size", None, "untouched")
