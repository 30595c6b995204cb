"""A key that is misspelt in the file itself is not put right: there it does nothing, and that is worth knowing."""

import pytest

from bot.intake.text.keynames import restored

RIGHT = ["train:", "  batch_size: 1", "  cache_text_embeddings: true", "model:", "  low_vram: true"]


def keys(rows):
    return [row.strip().partition(":")[0] for row, _ in restored([(row, at) for at, row in enumerate(rows, 1)])]


@pytest.mark.parametrize(
    "key",
    ["gradientcheckpointing", "gradientCheckpointing", "gradient-checkpointing", "Batch_size", "gradient_chekpointing"],
)
def test_one_misspelt_among_right_ones_stays(key):
    assert key in keys([*RIGHT, f"  {key}: false"])


def test_a_key_with_blanks_is_no_misspelling():
    assert keys([*RIGHT, "  gradient checkpointing: false"])[-1] == "gradient_checkpointing"


def test_a_list_of_settings_without_a_section_is_what_somebody_says():
    assert keys(["batch size: 4", "gradient checkpointing: off"]) == ["batch size", "gradient checkpointing"]


@pytest.mark.parametrize(
    ("row", "meant"),
    [("resolution: [5l2, 76B]", "resolution: [5l2, 76B]"), ("resolution: [5l2, 1O24]", "resolution: [512, 1024]"), ("  - 1O24", "  - 1024"),
     ("folder_path: /data/l0O", "folder_path: /data/l0O"), ("trigger_word: lO1", "trigger_word: lO1"), ("low_vram: fa1se", "low_vram: false"),
     ("note. false", "note. false"), ("low_vram. true", "low_vram: true")],
)  # fmt: skip
def test_only_what_must_be_a_number_or_a_switch_is_read_as_one(row, meant):
    assert restored([(row, 1)]) == [(meant, 1)]


def test_a_value_that_is_text_keeps_its_letters():
    rows = [("TRAIN:", 1), ("  DTYPE: BF16", 2), ("  BATCH_SIZE: 1", 3), ("  DEFAULT_CAPTION: A FOX", 4)]
    assert restored(rows) == [
        ("train:", 1),
        ("  dtype: BF16", 2),
        ("  batch_size: 1", 3),
        ("  default_caption: A FOX", 4),
    ]
