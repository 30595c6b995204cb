"""The preview before the first step runs out, and checkpointing is off: the training step after it is thought of as well."""

import pytest

from bot.engine import diagnose
from bot.intake.read import Pasted, read
from bot.reply import compose, text
from tests.engine.conftest import JOB

LOG = """
RTX 3060 12GB
Generating baseline samples before training
Generating Samples:   0%|          | 0/1 [00:02<?, ?it/s]
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.27 GiB.
"""
LARGE = JOB.replace("width: 1024", "width: 1536").replace("height: 1024", "height: 1536")


def died(config, knowledge, tried=()):
    pasted = [Pasted("config.yaml", config), Pasted("log.txt", LOG)]
    return diagnose(read(pasted, knowledge), knowledge, tried=tried)


def test_the_previews_go_down_once_and_then_checkpointing_comes_on(knowledge):
    rules = [step.rule for step in died(LARGE, knowledge).steps]
    assert rules[:2] == ["preview-cost", "gradient-checkpointing-off"]
    again = died(LARGE, knowledge, ("preview-cost",))
    assert next(step.rule for step in again.steps if step.now) == "gradient-checkpointing-off"


def test_with_checkpointing_on_the_previews_go_further_down(knowledge):
    fine = LARGE.replace("gradient_checkpointing: false", "gradient_checkpointing: true")
    assert [step.rule for step in died(fine, knowledge).steps][:2] == ["preview-cost", "preview-cost"]


@pytest.mark.parametrize("tag", ["en", "de", "it"])
def test_the_verdict_warns_of_the_step_that_follows(tag, knowledge):
    locale = knowledge.locale(tag)
    assert locale.text("memory.ahead") in text.render(compose(died(LARGE, knowledge), locale))
    fine = LARGE.replace("gradient_checkpointing: false", "gradient_checkpointing: true").replace(
        "batch_size: 4", "batch_size: 1"
    )
    assert locale.text("memory.ahead") not in text.render(compose(died(fine, knowledge), locale))
