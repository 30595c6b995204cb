"""A phase that the run has behind it did fit, whatever is computed for it."""

from bot.engine import diagnose
from bot.intake.read import Pasted, Told, read
from bot.knowledge.load import Knowledge

TEXT = "train:\n  batch_size: 6\ndatasets:\n  - resolution: [512, 1024]\nmodel:\n  arch: qwen_image\n  quantize: true\n  low_vram: true\n"


def test_loading_went_through_where_a_step_failed():
    knowledge = Knowledge()
    made = diagnose(read([Pasted("a.txt", TEXT + "\nOOM at step 3")], knowledge, Told(vram_gib=24)), knowledge)
    assert made.memory["peak_gib"]["load"] > made.memory["usable_gib"]
    assert made.memory["verdict"]["load"] == "passed"
    assert made.memory["verdict"]["train"] == "no"


def test_what_saves_nothing_is_not_among_what_should_be_enough():
    knowledge = Knowledge()
    made = diagnose(read([Pasted("a.txt", TEXT + "\nOOM at step 3")], knowledge, Told(vram_gib=24)), knowledge)
    assert "batch-size-above-floor" in made.memory["smallest_set"]
    assert not any(rule.startswith("preview") for rule in made.memory["smallest_set"])


def test_what_ran_out_of_memory_does_not_fit():
    """All the card had was not enough, so the training step is not merely unlikely to fit."""
    knowledge = Knowledge()
    text = TEXT.replace("batch_size: 6", "batch_size: 1").replace("qwen_image", "zimage")
    made = diagnose(read([Pasted("a.txt", text + "\nOOM at step 3")], knowledge, Told(vram_gib=24)), knowledge)
    assert made.memory["verdict"]["train"] == "no"
