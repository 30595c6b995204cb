"""The simulator itself, where torch and diffusers are installed: a small model measured anew."""

import warnings
from dataclasses import replace

import pytest

from bot.engine.memory_step import highest

torch = pytest.importorskip("torch", reason="the dependency group `measure` is not installed")
pytest.importorskip("diffusers", reason="the dependency group `measure` is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")

GIB = 2**30


@pytest.fixture(scope="module")
def tools():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from knowledge.memory import run, shapes, step
    return run, shapes, step


@pytest.fixture(scope="module")
def small(tools):
    """Z-Image with two blocks: the same layers, seconds instead of minutes."""
    run, _, _ = tools
    arch = run.ARCHITECTURES["z-image"]

    def build():
        model = arch.build()
        model.layers = torch.nn.ModuleList(list(model.layers)[:2])
        return model

    return replace(arch, build=build)


def steps(tools, arch, side, **way):
    _, shapes, step = tools
    return step.run_step(arch, shapes.Shape(side, side), step.Way(**way))


def test_a_block_keeps_as_much_without_checkpointing_as_the_file_says(tools, small, knowledge):
    """A block's share of the slope over tokens: what two blocks and the whole file's thirty have in common."""
    few = steps(tools, small, 512, checkpointing=False).peak - steps(tools, small, 256, checkpointing=False).peak
    found = knowledge.memory.coefficients("z-image").backends["none"].gc_off
    all_blocks = found.planes[0][1] * (1024 - 256)
    assert few / 2 == pytest.approx(all_blocks / 30, rel=0.15)


def test_checkpointing_keeps_a_fraction(tools, small):
    on, off = steps(tools, small, 512), steps(tools, small, 512, checkpointing=False)
    assert on.kept < off.kept / 5
    assert on.peak < off.peak


def test_float8_keeps_unpacked_weights_and_quanto_does_not(tools, small):
    plain, quanto, torchao = (
        steps(tools, small, 256, checkpointing=False, backend=backend).kept for backend in ("none", "qfloat8", "float8")
    )
    weights = 2 * 2 * 180e6  # two blocks of about 180 million values, bf16
    assert torchao - plain == pytest.approx(weights, rel=0.3)
    assert quanto - plain < weights / 4


def test_nothing_of_a_step_stays_alive(tools, small):
    first, second = (steps(tools, small, 256).peak for _ in range(2))
    assert second == pytest.approx(first, rel=0.005)  # position tables are made once and kept


def test_a_real_family_measured_anew_agrees_with_its_file(tools, knowledge):
    """One shape that no fit has seen, all thirty blocks of Wan 1.3B."""
    run, shapes, step = tools
    arch = run.ARCHITECTURES["wan-2-1-1-3b"]
    shape = shapes.Shape(480, 352, frames=13)
    measured = step.run_step(arch, shape, step.Way()).peak
    tokens, text = arch.grid.tokens(shape), arch.text
    row = (1.0, tokens, text, 0, 0, (tokens + text) ** 2)
    computed = highest(knowledge.memory.coefficients("wan-2-1-1-3b").backends["none"].gc_on, row)
    assert computed == pytest.approx(measured, rel=0.03)


def test_without_a_gpu_the_check_says_so(tools, tmp_path):
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    from knowledge.memory.check_cuda import check_cuda

    run, _, _ = tools
    with pytest.raises(run.Unmet, match="NVIDIA GPU"):
        check_cuda(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_name_or_a_checkout_that_is_missing_is_said(tools):
    run, _, _ = tools
    with pytest.raises(run.Unmet, match="no architecture nope"):
        run.chosen(["nope"], toolkit=None)
    with pytest.raises(run.Unmet, match="--toolkit"):
        run.chosen(["z-image", "chroma"], toolkit=None)
