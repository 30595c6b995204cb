"""What a person says beside a config: when it counts, and when the config knows better."""

import pytest

from bot.evidence import value
from bot.intake.read import Pasted, read
from tests.intake.said.making import knowledge

JOB = """\
config:
  process:
    - type: diffusion_trainer
      train: {{batch_size: 2}}
      model: {{arch: zimage, gradient_checkpointing: false}}
      sample: {{sample_every: {every}}}
"""


def facts(said, every=250):
    return read([Pasted("a.txt", f"{said}\n\n{JOB.format(every=every)}")], knowledge()).facts


def test_a_setting_that_names_a_misplaced_key_is_not_believed():
    assert value(facts("gradient_checkpointing: false, why does it OOM?"), "train.gradient_checkpointing") is True


@pytest.mark.parametrize(
    ("said", "every", "of_previews"),
    [
        ("fine until step 250, then OOM", 250, True),
        ("bis Schritt 500 geht es", 250, True),
        ("OOM at step 251", 250, False),
        ("OOM at step 250", 0, None),
        ("OOM at step 250, sampling is off", 250, False),
        ("OOM", 250, None),
    ],
)
def test_a_named_step_may_be_one_at_which_previews_are_made(said, every, of_previews):
    assert value(facts(said, every), "said.step_of_previews") is of_previews


def test_that_it_runs_without_previews_is_no_setting():
    found = facts("dead slow after every sample. without samples all runs fine")
    assert value(found, "train.disable_sampling") is False
