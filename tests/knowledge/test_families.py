"""Families and architectures: complete, consistent, and found by the names people write."""

import pytest

from bot.knowledge.architectures import low_bit_qtype
from bot.knowledge.families import Families
from bot.knowledge.load import Knowledge


@pytest.fixture(scope="module")
def families() -> Families:
    return Knowledge().families


def test_every_family_and_arch_of_the_toolkit_is_there(families):
    assert len(families.families) == 37
    assert len(families.archs) == 63


def test_every_arch_names_its_family_and_can_be_found_by_id_and_code(families):
    for arch in families.archs.values():
        assert families.families[arch.family].archs.count(arch) == 1
        assert families.arch(arch.id) is arch
        assert families.arch(arch.code).code == arch.code


def test_recovery_adapters_are_written_as_the_toolkit_reads_them(families):
    adapters = families.archs["qwen_image"].can.adapters
    assert adapters is not None
    assert (
        low_bit_qtype(3, adapters[3]) == "uint3|ostris/accuracy_recovery_adapters/qwen_image_torchao_uint3.safetensors"
    )
    assert sorted(families.archs["qwen_image:2512"].can.adapters or {}) == [3, 4]
    assert families.archs["zimage"].can.adapters is None


def test_frame_grids(families):
    assert families.archs["wan21:14b"].can.frames == (4, 1)
    assert families.archs["ltx2.3"].can.frames == (8, 1)
    assert families.archs["minimax_h3"].can.frames == (17, 5)
    assert families.archs["flux2"].can.frames is None


@pytest.mark.parametrize(
    ("text", "family", "arch"),
    [
        ("z-image turbo lora", "z-image", "zimage:turbo"),
        ("ZImageTurbo", "z-image", "zimage:turbo"),
        ("zimage_turbo", "z-image", "zimage:turbo"),
        ("z image base", "z-image", "zimage"),
        ("FLUX dev su una 3090", "flux-1", "flux"),
        ("flux1-dev.safetensors", "flux-1", "flux"),
        ("FLUX_DEV_1", "flux-1", "flux"),
        ("Flux.2 lora", "flux-2", "flux2"),
        ("flux 2 dev", "flux-2", "flux2"),
        ("klein 9b 图像编辑", "flux-2-klein", "flux2_klein_9b"),
        ("FLUX.2-klein-base-4B", "flux-2-klein", "flux2_klein_4b"),
        ("训练Qwen-Image-Edit-2511 lora", "qwen-image-edit-plus", "qwen_image_edit_plus:2511"),
        ("qwen edit 2509", "qwen-image-edit-plus", "qwen_image_edit_plus"),
        ("qwen edit", "qwen-image-edit", "qwen_image_edit"),
        ("Qwen-Image", "qwen-image", "qwen_image"),
        ("Wan 2.2", "wan-2-2", None),
        ("wan2.2 t2v", "wan-2-2", "wan22_14b:t2v"),
        ("Wan2.1-T2V-1.3B", "wan-2-1", "wan21:1b"),
        ("LTX 2.3", "ltx-2-3", "ltx2.3"),
        ("LTX-2 em docker", "ltx-2", "ltx2"),
        ("krea2 turbo", "krea-2", "krea2:turbo"),
        ("HiDream", "hidream", "hidream"),
        ("SDXL", "sdxl", "sdxl"),
        ("sd 1.5", "sd1-5", "sd15"),
    ],
)
def test_names_as_people_write_them(families, text, family, arch):
    found = families.names.search(text)
    assert [(name.family.slug, name.arch and name.arch.id) for name in found] == [(family, arch)]


@pytest.mark.parametrize(
    "text",
    [
        "reflux",
        "the flexible one",
        "a klein wenig",
        "wanted 2 images",
        "pixartist",
        "qwen3 text encoder",
        "anima mia",
        "on my ssd",
    ],
)
def test_other_words_are_no_names(families, text):
    assert families.names.search(text) == []


def test_names_do_not_run_across_sentences(families):
    assert [name.family.slug for name in families.names.search("I use flux. 2 images only")] == ["flux-1"]


def test_repository_inside_a_longer_path(families):
    assert families.of_repo("Lightricks/LTX-2.3/ltx-2.3-22b-dev.safetensors").id == "ltx2.3"
    assert families.of_repo("D:\\models\\qwen-image-edit-2511").id == "qwen_image_edit_plus:2511"
    assert families.of_repo("/models/unnamed.safetensors") is None


@pytest.mark.parametrize(
    ("written", "meant"),
    [("zimge", "zimage"), ("qwen-image", "qwen_image"), ("flux_2", "flux2"), ("krea", "krea2"), ("my_model", None)],
)
def test_closest(families, written, meant):
    near = families.closest(written)
    assert (near and near.id) == meant


def test_agreed_capabilities_are_those_all_share(families):
    shared = families.families["wan-2-2"].agreed()
    assert shared["frames"] == (4, 1)
    assert "cache_latents" not in shared
    assert "layer_offloading" not in shared


@pytest.mark.parametrize(
    "change",
    [
        {"defaults": {"low_ram": 1}},
        {"families": {"x": {"label": "X", "kind": "picture", "source": "s", "archs": {}}}},
        {"families": {"x": {"label": "X", "kind": "image", "source": "s", "risk": "none-such", "archs": {}}}},
        {
            "families": {
                "x": {
                    "label": "X",
                    "kind": "image",
                    "source": "s",
                    "archs": {"a": {"label": "A", "can": {"fly": True}}},
                }
            }
        },
        {
            "families": {
                "x": {
                    "label": "X",
                    "kind": "image",
                    "source": "s",
                    "archs": {},
                    "hints": [{"words": ["a"], "arch": "b"}],
                }
            }
        },
    ],
)
def test_faults_in_the_file_are_refused(change):
    class Changed(Knowledge):
        def read(self, name):
            content = Knowledge().read(name)
            return content | {key: content[key] | value for key, value in change.items()}

    with pytest.raises(ValueError, match=r"low_ram|kind|none-such|fly|architecture"):
        Families.load(Changed())
