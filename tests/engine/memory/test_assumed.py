"""What is taken for what a paste leaves open, that it is said, and that evidence against it is."""

import pytest

from bot.engine import diagnose
from bot.engine.memory import estimate, why_none
from bot.engine.memory_setup import read_setup
from bot.facts import Fact
from bot.intake.read import Pasted, Told, read
from bot.knowledge.load import Knowledge
from bot.reply.compose import compose
from bot.reply.text import render

FRAGMENT = """\
model:
  name_or_path: black-forest-labs/FLUX.1-dev
  is_flux: true
  quantize: true
  low_vram: true
train:
  batch_size: 4
  optimizer: adamw8bit
datasets:
  - folder_path: /data/lamp
    resolution: [512, 1024]
"""
TOLD = "Wan 2.2 14B LoRA, 81 frames at 480 px, batch 1, OOM in a training step on my 3090"


@pytest.fixture(scope="module")
def knowledge():
    return Knowledge()


def made(text, knowledge, vram=24.0):
    return diagnose(read([Pasted("a.txt", text)], knowledge, Told(vram_gib=vram)), knowledge)


def assumed(memory):
    return set(memory["rests_on"]["assumed"])


def test_a_fragment_without_dtype_is_taken_as_bf16_and_says_so(knowledge):
    without = made(FRAGMENT + "\nOOM at step 3", knowledge)
    written = made(FRAGMENT.replace("train:", "train:\n  dtype: bf16") + "\nOOM at step 3", knowledge)
    assert without.memory["peak_gib"] == written.memory["peak_gib"]
    assert (assumed(without.memory), assumed(written.memory)) == ({"dtype"}, set())
    assert "dtype" not in [step.lever for step in without.steps]
    assert "dtype: bf16" in render(compose(without, knowledge.locale("en")))


def test_a_whole_job_without_dtype_runs_in_fp32(knowledge, facts):
    job = facts(train__dtype=None)
    job = {**job, "train.dtype": Fact("fp32", "default")}
    setup = read_setup(job, knowledge.memory)
    assert setup.fp32
    assert setup.assumed == ()


def test_who_only_tells_gets_figures_and_what_they_rest_on(knowledge):
    memory = made(TOLD, knowledge).memory
    assert memory["peak_gib"]["train"] > memory["usable_gib"]
    assert assumed(memory) == {"arch", "weights", "dtype", "optimizer", "checkpointing", "encoder"}
    said = render(compose(made(TOLD, knowledge), knowledge.locale("de")))
    assert "das Modell ist Wan 2.2 (14B), Gewichte in qfloat8" in said


@pytest.mark.parametrize("tag", ["en", "de", "it"])
def test_every_assumption_has_its_words(knowledge, tag):
    names = set(knowledge.locale(tag).below("memory.taken"))
    assert names == {"arch", "dtype", "optimizer", "weights", "checkpointing", "encoder", "control", "batch"}


def test_frames_that_nobody_told_are_not_taken_for_a_single_one(knowledge):
    memory = made(TOLD.replace("81 frames at 480 px", "480 px"), knowledge).memory
    assert memory["peak_gib"]["train"] is None
    assert memory["missing"] == "frames"


def test_assumed_weights_that_the_run_contradicts_give_no_figure(knowledge):
    """FLUX as the form has it does not load on 16 GiB; a run that did load there holds other weights."""
    stated = read([Pasted("a.txt", "FLUX dev lora, batch 1, 512 px, OOM in a training step, 16 GB")], knowledge).facts
    stated = {**stated, "problem.class": Fact("vram_oom", "derived"), "problem.phase": Fact("train", "derived")}
    assert estimate(stated, knowledge) is None
    assert why_none(stated, knowledge) == "weights"


def test_a_run_that_got_past_a_phase_contradicts_its_figure_and_that_is_said(knowledge):
    text = FRAGMENT.replace("  low_vram: true\n", "") + "\nOOM at step 3"
    memory = made(text, knowledge, vram=16.0).memory
    assert memory["verdict"]["load"] == "passed"
    assert memory["despite"] == ("load",)
    assert "your run got past that" in render(compose(made(text, knowledge, vram=16.0), knowledge.locale("en")))


def test_steps_that_were_done_show_that_they_fit(facts, knowledge):
    stated = facts(gpu__vram_gib=8, log__steps_done=True, problem__class="none")
    made = estimate(stated, knowledge)
    assert made.despite() == ("load", "cache", "train")
    sampling = facts(gpu__vram_gib=8, log__steps_done=True, problem__class="vram_oom", problem__phase="sample")
    assert "train" in estimate(sampling, knowledge).passed
    training = facts(gpu__vram_gib=8, log__steps_done=True, problem__class="vram_oom", problem__phase="train")
    assert "train" not in estimate(training, knowledge).passed


def test_the_parts_of_a_phase_add_up_to_it_whatever_the_log_proves(facts, knowledge):
    stated = facts(
        gpu__vram_gib=24,
        crash__class="vram_oom",
        crash__phase="sample",
        crash__allocated_gib=20.0,
        crash__tried_gib=2.0,
    )
    memory = estimate(stated, knowledge).as_dict()
    for phase, parts in memory["all_parts"].items():
        assert sum(parts.values()) == pytest.approx(memory["peak_gib"][phase], abs=0.1)
    assert memory["all_parts"]["sample"]["unexplained"] > 5
