"""Which batch sizes go down when several datasets are trained."""

import pytest

from bot.engine import diagnose
from bot.intake.read import Pasted, read

_HEAD = "job: extension\nconfig:\n  name: a\n  process:\n  - type: diffusion_trainer\n    model: {arch: zimage, name_or_path: x/y}\n"
_ENDED = "# OOM during training step 3 times in a row, aborting training\n"


def lowered(knowledge, datasets, batch):
    text = f"{_HEAD}    datasets: [{', '.join(datasets)}]\n    train: {{batch_size: {batch}}}\n{_ENDED}"
    steps = diagnose(read([Pasted("a.yaml", text)], knowledge), knowledge).steps
    patches = [patch for step in steps if step.lever == "batch_size" for patch in step.patches]
    return {
        patch.path.removeprefix("config.process[0]."): patch.new
        for patch in patches
        if "accumulation" not in patch.path
    }


@pytest.mark.parametrize(
    ("datasets", "batch", "expected"),
    [
        (["{resolution: 512}"], 4, {"train.batch_size": 2}),
        (["{resolution: 512, batch_size: 4}"], 1, {"datasets[0].batch_size": 2}),
        (
            ["{resolution: 768}", "{resolution: [512, 1280], batch_size: 2}"],
            4,
            {"train.batch_size": 2, "datasets[1].batch_size": 1},
        ),
        (
            ["{resolution: 512, batch_size: 4}", "{resolution: 1024}"],
            2,
            {"train.batch_size": 1, "datasets[0].batch_size": 2},
        ),
        (["{resolution: 1024, batch_size: 4}", "{resolution: 512}"], 2, {"datasets[0].batch_size": 2}),
        (["{resolution: 512, batch_size: 2}", "{resolution: 1536}"], 1, {"datasets[0].batch_size": 1}),
    ],
)
def test_the_heaviest_batches_go_down(knowledge, datasets, batch, expected):
    assert lowered(knowledge, datasets, batch) == expected


def test_numbers_in_quotes_are_numbers(knowledge):
    assert lowered(knowledge, ['{resolution: ["512", "768"]}'], '"2"') == {"train.batch_size": 1}


def test_a_piece_cut_out_below_the_job_is_named_from_the_process(knowledge):
    text = (
        "process:\n  - type: diffusion_trainer\n    train:\n      batch_size: 4\n      gradient_checkpointing: false\n"
        + _ENDED
    )
    made = diagnose(read([Pasted("a.yaml", text)], knowledge), knowledge)
    assert {patch.path for step in made.steps for patch in step.patches} >= {
        "train.gradient_checkpointing",
        "train.batch_size",
    }
    assert "+      gradient_checkpointing: true" in made.diff
