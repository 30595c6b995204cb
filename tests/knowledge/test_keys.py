"""Known keys and what near ones mean."""

import pytest

from bot.facts import FACTS
from bot.knowledge.keys import keys_of
from bot.knowledge.load import Knowledge


@pytest.fixture(scope="module")
def keys():
    return keys_of(Knowledge())


def test_sections_know_their_defaults(keys):
    for section, defaults in keys.defaults.items():
        aliases = {"rank"} if section == "network" else set()
        assert defaults.keys() - aliases <= keys.known[section]


def test_defaults_that_are_facts_have_their_types(keys):
    types = {"bool": bool, "int": int, "str": str}
    for section, defaults in keys.defaults.items():
        for key, value in defaults.items():
            spec = FACTS.get(f"{section}.{key}")
            if spec is not None:
                assert type(value) is types[spec.type]


@pytest.mark.parametrize(
    ("section", "key", "meant"),
    [
        ("train", "gradient_checkpoint", "train.gradient_checkpointing"),
        ("model", "GradientCheckpointing", "train.gradient_checkpointing"),
        ("datasets", "cache_latents_to_disc", "datasets.cache_latents_to_disk"),
        ("process", "num_frames", "datasets.num_frames"),
        ("model", "lowvram", "model.low_vram"),
        ("model", "vae_pth", None),
        ("train", "my_note", None),
        ("train", "learning_rate", None),
    ],
)
def test_meant(keys, section, key, meant):
    assert keys.meant(section, key) == meant


def test_section_of_loose_keys(keys):
    assert keys.section_of({"resolution": 1, "caption_ext": 2, "batch_size": 3}) == "datasets"
    assert keys.section_of({"hello": 1}) is None
