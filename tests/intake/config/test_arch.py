"""Which architecture a config means."""

import pytest

from tests.intake.config.making import job, read, values


@pytest.mark.parametrize(
    ("model", "arch", "family"),
    [
        ("{arch: 'zimage:turbo'}", "zimage:turbo", "z-image"),
        ("{arch: zimage, name_or_path: Tongyi-MAI/Z-Image-Turbo}", "zimage:turbo", "z-image"),
        ("{arch: zimage, name_or_path: Tongyi-MAI/Z-Image}", "zimage", "z-image"),
        ("{arch: wan21, name_or_path: Wan-AI/Wan2.1-T2V-14B-Diffusers}", "wan21:14b", "wan-2-1"),
        ("{arch: 'zimage:some_new_tag'}", "zimage", "z-image"),
        ("{is_flux: true, name_or_path: black-forest-labs/FLUX.1-dev}", "flux", "flux-1"),
        ("{is_flux: true, name_or_path: ostris/Flex.1-alpha}", "flex1", "flex-1"),
        ("{is_xl: true, name_or_path: /models/mine.safetensors}", "sdxl", "sdxl"),
        ("{is_v3: true, is_xl: false}", "sd3", "sd3-5"),
        ("{is_lumina2: true}", "lumina2", "lumina2"),
        ("{name_or_path: Qwen/Qwen-Image-Edit-2509}", "qwen_image_edit_plus", "qwen-image-edit-plus"),
        ("{name_or_path: 'C:\\ckpt\\Z-Image-Turbo'}", "zimage:turbo", "z-image"),
        ("{name_or_path: /models/some_merge.safetensors}", "sd1", "sd1-5"),
    ],
)
def test_resolution(model, arch, family):
    found = values(job(model=model))
    assert (found["model.arch"], found["model.family"]) == (arch, family)
    assert found["arch.known"] is True


def test_misspelt_arch_is_told_and_guessed():
    facts, _ = read(job(model="{arch: zimge, name_or_path: /models/x}"))
    assert facts["arch.known"].value is False
    assert facts["arch.known"].path == "config.process[0].model.arch"
    assert facts["model.arch"].value == "zimage"


def test_arch_that_is_nothing_like_any_leaves_the_model_open():
    found = values(job(model="{arch: my_model, name_or_path: /models/x}"))
    assert found["arch.known"] is False
    assert "model.arch" not in found


def test_default_arch_is_marked_as_such():
    facts, _ = read(job(model="{name_or_path: /models/x}"))
    assert (facts["model.arch"].value, facts["model.arch"].origin) == ("sd1", "default")


def test_fragment_without_arch_or_known_name_has_none():
    assert "model.arch" not in values("model:\n  name_or_path: /models/x\n  quantize: true\n")


def test_capabilities_come_with_the_arch():
    wan = values(job(model="{arch: wan22_14b_i2v}"))
    assert (wan["arch.frame_step"], wan["arch.frame_base"], wan["arch.cache_latents"]) == (4, 1, False)
    assert wan["arch.low_bit"] == (4,)
    flux = values(job(model="{arch: flux}"))
    assert (flux["arch.low_vram"], flux["arch.layer_offloading"], flux["arch.risk_resolution"]) == (
        "hidden",
        "ignored",
        1024,
    )
    assert "arch.frame_step" not in flux
    assert values(job(model="{arch: sdxl}"))["arch.quantize"] is False
    assert values(job(model="{arch: ace_step_15}"))["arch.layer_offloading"] == "fails"
