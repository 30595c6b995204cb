"""knowledge/memory holds together: every model has its parts, and every file says how good it is."""

from pathlib import Path

import pytest

from bot.knowledge.folder import data_folder
from bot.knowledge.load import Knowledge

FILES = sorted(
    path.stem for path in (data_folder() / "memory").glob("*.yaml")
    if path.stem not in {"models", "companions", "errors", "gpu_record", "starts"}
)  # fmt: skip
MEASURED = "measured on the meta device"


@pytest.mark.parametrize("arch", sorted(Knowledge().memory.models))
def test_every_model_has_its_coefficients_and_companions(knowledge, arch):
    model = knowledge.memory.models[arch]
    assert knowledge.memory.coefficients(model.coefficients).architecture == model.coefficients
    assert {*model.encoders, *model.plain_encoders} <= knowledge.memory.companions.text_encoders.keys()
    assert model.vae in knowledge.memory.companions.vaes


def test_every_architecture_of_the_toolkit_has_figures_or_is_listed_as_unknown(knowledge):
    known, unknown = set(knowledge.memory.models), set(knowledge.memory.file.unknown)
    assert not known & unknown
    archs = {arch.id for family in knowledge.families.families.values() for arch in family.archs}
    assert archs <= known | unknown


@pytest.mark.parametrize("name", FILES)
def test_a_measured_file_states_a_small_error_at_shapes_it_was_not_fitted_on(knowledge, name):
    found = knowledge.memory.coefficients(name)
    assert "torch" in found.versions
    assert found.basis == MEASURED
    fits = [
        fit for base in found.backends.values() for fit in (base.gc_off, base.gc_on, base.kept, base.preview) if fit
    ]
    assert all(fit.held_out is not None and fit.held_out <= 0.03 for fit in fits)
    assert all(base.preview is not None for name, base in found.backends.items() if name in {"none", "float8"})


@pytest.mark.parametrize("name", FILES)
def test_the_size_is_the_published_one(knowledge, name):
    found = knowledge.memory.coefficients(name)
    if found.published is None:
        pytest.skip(f"{name}: no published size is known")
    assert found.parameters / 1e9 == pytest.approx(found.published, rel=0.02)


def test_text_encoders_have_their_published_size(knowledge):
    for name, encoder in knowledge.memory.companions.text_encoders.items():
        assert encoder.parameters / 1e9 == pytest.approx(encoder.published, rel=0.01), name


def test_more_bits_weigh_more(knowledge):
    for name in FILES:
        weights = knowledge.memory.coefficients(name).weights
        order = [weights[key] for key in (*(f"uint{bits}" for bits in range(2, 8)), "bf16", "fp32")]
        assert order == sorted(order), name
        assert weights["uint7"] <= weights["qfloat8"] * 1.01, name


def test_no_file_points_outside_the_project():
    for path in Path(data_folder() / "memory").iterdir():
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert "/tmp/" not in text, path.name
