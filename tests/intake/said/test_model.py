"""The model from a log, and the weighing of several readings."""

import pytest

from bot.facts import Fact
from bot.intake.model import log_model, settle_model
from bot.intake.said.prose import said_model
from tests.intake.said.making import knowledge, lines, passage


def logged(text: str) -> tuple[object, object]:
    facts = log_model(0, lines(text), knowledge())
    return tuple(facts[name].value if name in facts else None for name in ("model.arch", "model.family"))


@pytest.mark.parametrize(
    ("text", "arch", "family"),
    [
        ("Loading Flux2 model\nLoading transformer", "flux2", "flux-2"),
        ("Loading Flux2 model\nLoading Qwen3\n", None, "flux-2-klein"),
        ("Loading Krea 2 model\nLoading Qwen3-VL text encoder from x", "krea2", "krea-2"),
        ("Loading Flux model", None, "flux-1"),
        ("Loading Flux model\nGrabbing ostris/FLUX.1-schnell-training-adapter", "flux", "flux-1"),
        ("Loading Wan model\nCreating DualWanTransformer3DModel", None, "wan-2-2"),
        ("Loading Wan model", None, None),
        ("Loading ZImage model\nostris/zimage_turbo_training_adapter", "zimage:turbo", "z-image"),
        ('File "C:\\aitk\\extensions_built_in\\diffusion_models\\krea2\\krea2.py", line 3', "krea2", "krea-2"),
        ("Loading Qwen Image model\nQwenImageEditPlusModel", "qwen_image_edit_plus", "qwen-image-edit-plus"),
        ("nothing", None, None),
    ],
)
def test_log(text, arch, family):
    assert logged(text) == (arch, family)


def named(origin, **values):
    return {f"model.{name}": Fact(value, origin) for name, value in values.items()}


def settled(*sources):
    return {name: fact.value for name, fact in settle_model(sources, knowledge().families).items()}


def test_first_source_that_names_a_model_decides():
    config, prose = (
        named("config", arch="flux", family="flux-1", kind="image"),
        named("prose", arch="sdxl", family="sdxl", kind="image"),
    )
    assert settled(config, prose)["model.arch"] == "flux"
    assert settled({}, prose)["model.arch"] == "sdxl"
    assert settled({}, {}) == {}


def test_later_source_may_add_the_arch_within_the_family():
    log, prose = (
        named("log", family="wan-2-2", kind="video"),
        named("prose", arch="wan22_5b", family="wan-2-2", kind="video"),
    )
    assert settled(log, prose)["model.arch"] == "wan22_5b"
    assert "model.arch" not in settled(log, named("prose", arch="flux", family="flux-1", kind="image"))


def test_default_of_the_toolkit_gives_way_to_a_name():
    config = named("default", arch="sd1", family="sd1-5", kind="image")
    assert settled(config, named("prose", arch="flux", family="flux-1", kind="image"))["model.arch"] == "flux"
    assert settled(config)["model.arch"] == "sd1"


def test_family_alone_tells_what_all_its_archs_share():
    found = settled(named("log", family="wan-2-2", kind="video"))
    assert (found["arch.frame_step"], found["arch.qtype_te"]) == (4, False)
    assert "arch.cache_latents" not in found


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("qwen oom on a 5090", "qwen-image"),
        ("my qwen lora dies", "qwen-image"),
        ("the qwen te takes it all with klein 9b", "flux-2-klein"),
        ("captions by qwen vl, out of memory", None),
        ("Qwen 3 oom", None),
        ("ace step lora, oom", "ace-step-1-5"),
    ],
)
def test_a_short_name_counts_where_no_other_model_is_named(text: str, family: str | None) -> None:
    facts, _ = said_model(passage(text), knowledge().families)
    assert (facts["model.family"].value if facts else None) == family


def test_a_card_behind_a_short_name_is_no_version_of_it() -> None:
    facts, _ = said_model(passage("qwen 4080 dies"), knowledge().families)
    assert facts["model.family"].value == "qwen-image"
    assert said_model(passage("qwen 7b dies"), knowledge().families)[0] == {}
