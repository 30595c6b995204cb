"""More of anything never lowers an estimate; gradient checkpointing never raises one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.memory import estimate
from bot.facts import Fact
from bot.intake.read import Pasted, read
from bot.knowledge.load import Knowledge

from .conftest import JOB

KNOWLEDGE = Knowledge()
ARCHS = sorted(arch for arch in KNOWLEDGE.memory.models)
QUICK = settings(max_examples=60, deadline=None)
FEW = settings(max_examples=12, deadline=None)  # of each architecture
qtypes = st.sampled_from(sorted(KNOWLEDGE.memory.file.precisions))
sides, batches = st.integers(48, 2048), st.integers(1, 12)
ranks, frames, shares = st.integers(1, 512), st.integers(1, 201), st.sampled_from([0.0, 0.1, 0.3, 0.77, 1.0])
controls = st.integers(0, 4)
booleans = st.booleans()
settings_of_a_run = {
    "model.qtype": qtypes, "model.quantize": booleans, "model.quantize_te": booleans, "model.assistant_lora": booleans,
    "model.ara": booleans, "model.layer_offloading": booleans, "model.offload_transformer": shares,
    "model.offload_text_encoder": shares, "model.low_vram": booleans, "model.match_target_res": booleans,
    "datasets.resolution": sides, "datasets.num_frames": frames, "datasets.cache_latents": booleans,
    "datasets.controls": controls, "batch_size": batches, "network.rank": ranks,
    "train.gradient_checkpointing": booleans, "train.preservation": st.sampled_from(["none", "dop", "bpp"]),
    "train.do_cfg": booleans, "train.use_ema": booleans, "train.cache_text_embeddings": booleans,
    "train.dtype": st.sampled_from(["bf16", "fp16", "fp32"]),
    "train.optimizer": st.sampled_from(sorted(KNOWLEDGE.memory.file.optimizers)),
    "sample.width": sides, "sample.height": sides, "sample.num_frames": frames,
}  # fmt: skip
runs = st.fixed_dictionaries({"model.arch": st.sampled_from(ARCHS), **settings_of_a_run})


def runs_of(arch):
    return st.fixed_dictionaries({"model.arch": st.just(arch), **settings_of_a_run})


def peaks(run):
    stated = {name: Fact(value, "config") for name, value in {**JOB, **run}.items()}
    made = estimate(stated, KNOWLEDGE)
    return {name: made.phases[name].peak for name in made.phases}


def assert_never_lower(more, less):
    high, low = peaks(more), peaks(less)
    assert all(high[phase] >= low[phase] - 1e-6 for phase in low)


@pytest.mark.parametrize("arch", ARCHS)
def test_more_never_lowers(arch):
    """Pixels, batch, rank, frames, control images, previews: one at a time, whatever else the run says."""
    numbers = {
        "datasets.resolution": sides, "batch_size": batches, "network.rank": ranks, "datasets.num_frames": frames,
        "datasets.controls": controls, "sample.width": sides, "sample.height": sides, "sample.num_frames": frames,
    }  # fmt: skip

    @FEW
    @given(run=runs_of(arch), others=st.fixed_dictionaries(numbers))
    def check(run, others):
        for name, other in others.items():
            high, low = ({**run, name: pick(run[name], other)} for pick in (max, min))
            assert_never_lower(high, low)

    check()


@pytest.mark.parametrize("arch", ARCHS)
def test_checkpointing_never_raises_and_preservation_ema_and_fp32_never_lower(arch):
    @FEW
    @given(run=runs_of(arch))
    def check(run):
        for name, less, more in (
            ("train.gradient_checkpointing", True, False), ("train.preservation", "none", "dop"),
            ("train.use_ema", False, True), ("train.dtype", "bf16", "fp32"), ("train.do_cfg", False, True),
            ("model.low_vram", True, False),
        ):  # fmt: skip
            assert_never_lower({**run, name: more}, {**run, name: less})

    check()


@QUICK
@given(run=runs, one=st.integers(2, 7), other=st.integers(2, 7))
def test_more_bits_never_lower(run, one, other):
    more, less = (f"uint{pick(one, other)}" for pick in (max, min))
    assert_never_lower({**run, "model.qtype": more}, {**run, "model.qtype": less})


@QUICK
@given(run=runs)
def test_every_figure_is_a_positive_size(run):
    assert all(0 < size < float("inf") for size in peaks(run).values())


@QUICK
@given(
    run=runs,
    odd=st.dictionaries(
        st.sampled_from(
            [
                "batch_size",
                "network.rank",
                "datasets.num_frames",
                "datasets.controls",
                "sample.num_frames",
                "sample.width",
            ]
        ),
        st.sampled_from([-(10**7), -1, 0, 10**7]),
        min_size=1,
    ),
)
def test_numbers_that_cannot_be_make_no_nonsense(run, odd):
    """Nothing negative, nothing endless; a batch of none has no training step."""
    found = peaks({**run, **odd})
    assert all(0 < size < float("inf") for size in found.values())
    assert ("train" in found) == ({**run, **odd}["batch_size"] > 0)


TEXT = """\
job: extension
config:
  process:
    - type: sd_trainer
      network: {{type: lora, linear: {rank}}}
      datasets:
        - folder_path: a
          resolution: {resolution}
          num_frames: {frames}
      train: {{batch_size: {batch}, dtype: bf16, optimizer: adamw8bit}}
      model: {{name_or_path: Tongyi-MAI/Z-Image, arch: zimage, quantize: true}}
      sample: {{width: {width}, height: {width}}}
"""
values = st.sampled_from(
    [
        "1",
        "0",
        "-3",
        "'4'",
        "four",
        "null",
        "true",
        "[]",
        "{}",
        "1.5",
        "1e30",
        ".nan",
        ".inf",
        "-.inf",
        "9" * 400,
        "[9, x]",
    ]
)


@QUICK
@given(written=st.fixed_dictionaries(dict.fromkeys(("rank", "resolution", "frames", "batch", "width"), values)))
def test_whatever_is_written_there_is_an_answer(written):
    made = estimate(read([Pasted("a.yaml", TEXT.format(**written))], KNOWLEDGE).facts, KNOWLEDGE)
    assert made is None or all(0 < phase.peak < float("inf") for phase in made.phases.values())
