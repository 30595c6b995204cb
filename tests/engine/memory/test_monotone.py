"""More of anything never lowers an estimate; gradient checkpointing never raises one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.memory import estimate
from bot.facts import Fact
from bot.knowledge.load import Knowledge

from .conftest import JOB

KNOWLEDGE = Knowledge()
ARCHS = sorted(arch for arch in KNOWLEDGE.memory.models)
QUICK = settings(max_examples=60, deadline=None)
archs, qtypes = st.sampled_from(ARCHS), st.sampled_from(["qfloat8", "float8", "uint3", "uint6"])
sides, batches = st.integers(256, 1536), st.integers(1, 8)
ranks, frames, shares = st.integers(1, 256), st.integers(1, 121), st.sampled_from([0.0, 0.3, 1.0])
runs = st.fixed_dictionaries({
    "model.arch": archs, "model.qtype": qtypes, "model.quantize": st.booleans(), "datasets.resolution": sides,
    "batch_size": batches, "network.rank": ranks, "datasets.num_frames": frames, "model.offload_transformer": shares,
    "train.gradient_checkpointing": st.booleans(), "datasets.cache_latents": st.booleans(),
    "model.low_vram": st.booleans(), "train.preservation": st.sampled_from(["none", "dop"]),
})  # fmt: skip


def peaks(run):
    stated = {name: Fact(value, "config") for name, value in {**JOB, **run}.items()}
    made = estimate(stated, KNOWLEDGE)
    return {name: made.phases[name].peak for name in made.phases}


def assert_never_lower(more, less):
    high, low = peaks(more), peaks(less)
    assert all(high[phase] >= low[phase] - 1e-6 for phase in low)


@pytest.mark.parametrize(
    ("name", "values"),
    [("datasets.resolution", sides), ("batch_size", batches), ("network.rank", ranks), ("datasets.num_frames", frames)],
)
def test_more_never_lowers(name, values):
    @QUICK
    @given(run=runs, one=values, other=values)
    def check(run, one, other):
        assert_never_lower({**run, name: max(one, other)}, {**run, name: min(one, other)})

    check()


@QUICK
@given(run=runs, one=st.integers(2, 7), other=st.integers(2, 7))
def test_more_bits_never_lower(run, one, other):
    more, less = (f"uint{pick(one, other)}" for pick in (max, min))
    assert_never_lower({**run, "model.qtype": more}, {**run, "model.qtype": less})


@QUICK
@given(run=runs)
def test_checkpointing_never_raises(run):
    off, on = ({**run, "train.gradient_checkpointing": state} for state in (False, True))
    assert_never_lower(off, on)


@QUICK
@given(run=runs, controls=st.integers(0, 3))
def test_a_control_image_more_never_lowers(run, controls):
    edit = {**run, "model.arch": "qwen_image_edit_plus"}
    assert_never_lower({**edit, "datasets.controls": controls + 1}, {**edit, "datasets.controls": controls})


@QUICK
@given(run=runs, one=sides, other=sides)
def test_a_larger_preview_never_lowers(run, one, other):
    small, large = ({**run, "sample.width": side, "sample.height": side} for side in (min(one, other), max(one, other)))
    assert_never_lower(large, small)
