"""The order of the steps, what each changes, and what the evidence rules out."""

import pytest

from bot.engine import diagnose
from bot.yamledit import parse
from tests.engine.conftest import JOB, TRAINING

FAQ = ["gradient_checkpointing", "batch_size", "top_bucket", "preview_cost", "num_frames"]


def levers(diagnosis):
    return [step.lever for step in diagnosis.steps]


def patches(diagnosis, lever):
    step = next(step for step in diagnosis.steps if step.lever == lever)
    return {patch.path: (patch.old, patch.new) for patch in step.patches}


def test_a_training_crash_climbs_the_ladder_in_the_faq_s_order(evidence, knowledge):
    text = JOB.replace("arch: zimage", "arch: wan22_14b:t2v").replace(
        "resolution: [512", "num_frames: 81\n          resolution: [512"
    )
    made = levers(diagnose(evidence(text, TRAINING), knowledge))
    assert [lever for lever in made if lever in FAQ] == FAQ


def test_only_the_first_step_is_made_now_and_its_diff_is_one_line(evidence, knowledge):
    diagnosis = diagnose(evidence(JOB, TRAINING), knowledge)
    assert [step.now for step in diagnosis.steps].count(True) == 1
    assert diagnosis.steps[0].now
    changed = [line for line in diagnosis.diff.splitlines() if line[0] in "+-" and line[:3] not in {"---", "+++"}]
    assert changed == ["-        gradient_checkpointing: false", "+        gradient_checkpointing: true"]


@pytest.mark.parametrize("line", ["        gradient_checkpointing: true\n", ""])
def test_checkpointing_that_is_on_is_not_fixed_again(line, evidence, knowledge):
    text = JOB.replace("        gradient_checkpointing: false\n", line)
    diagnosis = diagnose(evidence(text, TRAINING), knowledge)
    assert levers(diagnosis)[0] == "batch_size"
    assert "gradient_checkpointing" not in levers(diagnosis)
    assert ("gradient_checkpointing", "already-on") in [(skip.lever, skip.reason) for skip in diagnosis.skipped]


def test_batch_goes_down_and_accumulation_up(evidence, knowledge):
    made = patches(diagnose(evidence(JOB, TRAINING), knowledge), "batch_size")
    assert made == {
        "config.process[0].train.batch_size": (4, 2),
        "config.process[0].train.gradient_accumulation": (1, 2),
    }


def test_the_legacy_accumulation_key_gives_way_since_both_are_refused(evidence, knowledge):
    text = JOB.replace("gradient_accumulation: 1", "gradient_accumulation_steps: 2")
    made = patches(diagnose(evidence(text, TRAINING), knowledge), "batch_size")
    assert made["config.process[0].train.gradient_accumulation_steps"] == (2, 1)


def test_a_dataset_s_own_batch_is_the_one_that_is_lowered(evidence, knowledge):
    text = JOB.replace("batch_size: 4", "batch_size: 1").replace(
        "resolution: [", "batch_size: 6\n          resolution: ["
    )
    made = patches(diagnose(evidence(text, TRAINING), knowledge), "batch_size")
    assert made == {"config.process[0].datasets[0].batch_size": (6, 3)}


def test_buckets_lose_only_the_highest_entry(evidence, knowledge):
    made = patches(diagnose(evidence(JOB, TRAINING), knowledge), "top_bucket")
    assert made == {"config.process[0].datasets[0].resolution": ([512, 768, 1024], [512, 768])}


@pytest.mark.parametrize(("written", "new"), [("1024", 768), ("[1536]", [1280]), ("[632]", [512])])
def test_a_single_bucket_goes_to_the_next_size(written, new, evidence, knowledge):
    text = JOB.replace("[512, 768, 1024]", written)
    made = patches(diagnose(evidence(text, TRAINING), knowledge), "top_bucket")
    assert made["config.process[0].datasets[0].resolution"][1] == new


def test_frames_step_down_along_the_grid_of_the_architecture(evidence, knowledge):
    for arch, frames, step, base in (("wan22_14b:t2v", 81, 4, 1), ("ltx2", 121, 8, 1), ("minimax_h3", 107, 17, 5)):
        text = JOB.replace("arch: zimage", f"arch: {arch}").replace(
            "resolution: [512", f"num_frames: {frames}\n          resolution: [512"
        )
        old, new = patches(diagnose(evidence(text, TRAINING), knowledge), "num_frames")[
            "config.process[0].datasets[0].num_frames"
        ]
        assert old == frames
        assert base <= new < frames
        assert (new - base) % step == 0


def test_a_load_crash_is_helped_by_none_of_the_five(evidence, knowledge):
    stated = TRAINING | {"crash.phase": "load"}
    assert not set(levers(diagnose(evidence(JOB, stated), knowledge))) & {*FAQ}


def test_a_preview_crash_starts_at_the_previews(evidence, knowledge):
    diagnosis = diagnose(evidence(JOB, TRAINING | {"crash.phase": "sample"}), knowledge)
    assert levers(diagnosis)[0] == "preview_cost"
    assert not {"batch_size", "top_bucket", "num_frames"} & set(levers(diagnosis))


def test_previews_shrink_on_the_samples_and_in_prompts_that_carry_their_own_size(evidence, knowledge):
    text = JOB.replace(
        "- prompt: a lamp\n", "- prompt: a lamp --w 1536 --steps 20\n          - prompt: b\n            width: 1280\n"
    )
    made = patches(diagnose(evidence(text, TRAINING | {"crash.phase": "sample"}), knowledge), "preview_cost")
    assert made["config.process[0].sample.samples[0].prompt"][1] == "a lamp --w 1024 --steps 20"
    assert made["config.process[0].sample.samples[1].width"] == (1280, 1024)


def test_image_datasets_get_image_previews(evidence, knowledge):
    text = JOB.replace("arch: zimage", "arch: ltx2").replace("width: 1024", "num_frames: 121\n        width: 1024")
    made = patches(diagnose(evidence(text, TRAINING | {"crash.phase": "sample"}), knowledge), "preview_cost")
    assert made == {"config.process[0].sample.num_frames": (121, 1)}


def test_after_the_patch_the_finding_is_gone_and_none_is_new(evidence, knowledge):
    rechecked = diagnose(evidence(JOB, TRAINING), knowledge).rechecked
    assert "gradient-checkpointing-off" in rechecked["gone"]
    assert rechecked["new"] == ()


def test_the_next_step_is_made_on_top_of_those_tried(evidence, knowledge):
    diagnosis = diagnose(evidence(JOB, TRAINING), knowledge, tried=["gradient-checkpointing-off"])
    assert diagnosis.steps[0].lever == "batch_size"
    assert parse(diagnosis.patched).data["config"]["process"][0]["train"]["gradient_checkpointing"] is True
    assert "gradient_checkpointing" not in [
        line[1:].split(":")[0].strip() for line in diagnosis.diff.splitlines() if line[0] in "+-"
    ]


def test_the_ladder_comes_to_an_end(evidence, knowledge):
    tried: list[str] = []
    while steps := diagnose(evidence(JOB, TRAINING), knowledge, tried=tried).steps:
        assert len(tried) < 30
        tried.append(next(step for step in steps if step.now).rule)
    assert "gradient-checkpointing-off" in tried
    assert "top-bucket" in tried


def test_without_a_config_the_step_is_a_snippet_and_there_is_no_diff(evidence, knowledge):
    diagnosis = diagnose(evidence(None, TRAINING), knowledge)
    assert diagnosis.diff is None
    assert diagnosis.steps[0].snippet
    assert diagnosis.steps[0].patches[0].path == "train.gradient_checkpointing"


def test_another_tool_s_config_is_never_edited(evidence, knowledge):
    diagnosis = diagnose(evidence(JOB, TRAINING | {"tool": "onetrainer"}), knowledge)
    assert diagnosis.diff is None
    assert diagnosis.patched is None
    assert not any(step.patches for step in diagnosis.steps)


def test_an_anchor_in_the_way_turns_the_step_into_a_snippet(evidence, knowledge):
    text = JOB.replace("gradient_checkpointing: false", "gradient_checkpointing: &gc false").replace(
        "optimizer:", "train_unet: *gc\n        optimizer:"
    )
    diagnosis = diagnose(evidence(text, TRAINING), knowledge)
    assert diagnosis.steps[0].lever == "gradient_checkpointing"
    assert diagnosis.steps[0].snippet
    assert diagnosis.steps[0].values["refused"]
    assert diagnosis.diff is None
