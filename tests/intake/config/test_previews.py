"""Previews: the block, each sample, and flags inside prompts."""

from tests.intake.config.making import job, read, values


def test_block_counts_where_nothing_overrides_it():
    found = values(
        job(sample="{width: 832, height: 480, num_frames: 41, sample_steps: 25, sample_every: 100, prompts: [a, b]}")
    )
    assert (found["sample.width"], found["sample.height"], found["sample.num_frames"]) == (832, 480, 41)
    assert (found["sample.steps"], found["sample.every"], found["sample.prompts"], found["sample.overrides"]) == (
        25,
        100,
        2,
        False,
    )


def test_samples_win_over_prompts():
    found = values(job(sample="{width: 512, prompts: [a, b, c], samples: [{prompt: d, width: 1536}]}"))
    assert (found["sample.prompts"], found["sample.width"]) == (1, 1536)


def test_largest_sample_counts_and_is_pointed_at():
    facts, _ = read(job(sample="{width: 512, height: 512, samples: [{prompt: a}, {prompt: b, width: 2048}]}"))
    assert (facts["sample.width"].value, facts["sample.width"].path) == (
        2048,
        "config.process[0].sample.samples[1].width",
    )
    assert facts["sample.overrides"].value is True


def test_block_does_not_count_where_every_sample_is_smaller():
    assert values(job(sample="{width: 2048, samples: [{prompt: a, width: 512}]}"))["sample.width"] == 512


def test_flags_in_a_prompt_override_everything():
    facts, _ = read(job(sample="{width: 512, samples: [{prompt: 'a boat --w 1280 --h 720 --frames 81', width: 640}]}"))
    assert (facts["sample.width"].value, facts["sample.height"].value, facts["sample.num_frames"].value) == (
        1280,
        720,
        81,
    )
    assert facts["sample.width"].path == "config.process[0].sample.samples[0].prompt"


def test_flags_in_plain_prompts_and_control_images():
    found = values(job(sample="{prompts: ['x --ctrl_img /a.png --w 896']}"))
    assert (found["sample.controls"], found["sample.width"]) == (1, 896)
    assert values(job(sample="{samples: [{prompt: x, ctrl_img_1: /a, ctrl_img_2: /b}]}"))["sample.controls"] == 2


def test_periodic_previews_switched_off_by_null_or_zero():
    assert values(job(sample="{sample_every: null}"))["sample.every"] == 0
    assert values(job(sample="{sample_every: 0}"))["sample.every"] == 0
