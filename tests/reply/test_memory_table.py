"""The estimate as lines, bars and a picture, in every language."""

import pytest

from bot.engine.memory import estimate
from bot.engine.plan import plan
from bot.facts import Fact
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import locale_tags
from bot.reply.memory_table import CARDS, WIDTH, bars, lines
from bot.reply.plan_text import plan_lines

KNOWLEDGE = Knowledge()
TAGS = locale_tags(KNOWLEDGE.folder)
STATED = {
    "model.arch": "zimage", "model.quantize": True, "model.qtype": "qfloat8", "network.type": "lora", "network.rank": 32,
    "train.gradient_checkpointing": True, "train.dtype": "bf16", "train.optimizer": "adamw8bit", "batch_size": 1,
    "datasets.resolution": 1024, "sample.width": 1024, "sample.height": 1024, "gpu.vram_gib": 24.0,
}  # fmt: skip


def memory(**changes):
    named = {name.replace("__", "."): value for name, value in changes.items()}
    facts = {name: Fact(value, "config") for name, value in {**STATED, **named}.items() if value is not None}
    return estimate(facts, KNOWLEDGE).as_dict()


@pytest.mark.parametrize("tag", TAGS)
def test_each_phase_has_a_line_with_its_verdict(tag):
    locale = KNOWLEDGE.locale(tag)
    said = list(lines(memory(), locale))
    for phase in ("load", "train", "sample"):
        assert any(line.startswith(locale.text(f"memory.phases.{phase}")) for line in said)
    assert any(locale.text("memory.verdict.fits") in line for line in said)
    assert not [line for line in said if "{" in line]


@pytest.mark.parametrize("tag", TAGS)
def test_with_checkpointing_off_the_step_is_a_range(tag):
    locale = KNOWLEDGE.locale(tag)
    train = next(
        line for line in lines(memory(train__gradient_checkpointing=False), locale)
        if line.startswith(locale.text("memory.phases.train"))
    )  # fmt: skip
    assert train.partition("(")[0].count("GiB") == 2


@pytest.mark.parametrize("tag", TAGS)
def test_what_may_not_fit_is_told_with_its_largest_parts(tag):
    locale = KNOWLEDGE.locale(tag)
    small, large = (list(lines(memory(gpu__vram_gib=card), locale)) for card in (8.0, 80.0))
    load = next(line for line in small if line.startswith(locale.text("memory.phases.load")))
    assert locale.text("memory.parts.base") in load
    assert locale.text("memory.parts.text_encoder") in load
    assert not any(locale.text("memory.parts.base") in line for line in large)


def test_what_is_missing_and_what_contradicts_is_said():
    locale = KNOWLEDGE.locale("en")
    assert locale.text("memory.missing.resolution") in list(lines(memory(datasets__resolution=None), locale))
    died = memory(problem__phase="train", log__aborted=True)
    assert locale.text("memory.contradicts", phase=locale.text("memory.phases.train")) in list(lines(died, locale))
    assert locale.text("memory.contradicts", phase=locale.text("memory.phases.train")) not in list(
        lines(memory(), locale)
    )


def test_bars_are_as_long_as_their_sums_and_show_the_edge_of_the_card():
    drawn = list(bars(memory(), KNOWLEDGE.locale("en")))
    *phases, legend = drawn
    assert len(phases) == 3
    assert all(row.count("|") == 1 for row in phases)
    assert len({row.index("|") for row in phases}) == 1
    assert "Model weights" in legend
    assert "Recovery adapter" not in legend


def test_a_bar_far_longer_than_the_card_is_cut():
    drawn = list(bars(memory(train__gradient_checkpointing=False, batch_size=8), KNOWLEDGE.locale("en")))
    train = next(row for row in drawn if row.startswith("Training"))
    assert train.endswith("…")
    assert max(map(len, drawn[:3])) <= WIDTH + len("Training step ") + 1
    assert train.index("|") - len("Training step ") == WIDTH // CARDS


def test_without_a_card_there_is_no_edge():
    drawn = list(bars(memory(gpu__vram_gib=None), KNOWLEDGE.locale("en")))
    assert not any("|" in row for row in drawn)


def test_a_picture_where_a_plotting_library_is_installed():
    pytest.importorskip("matplotlib", reason="the extra `charts` is not installed")
    from bot.reply.memory_image import image

    assert image(memory(), KNOWLEDGE.locale("de")).startswith(b"\x89PNG")


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize(("name", "vram"), [("zimage:turbo", 12), ("flux2", 16), ("minimax_h3", 24), ("wan21:14b", 80)])
def test_a_plan_is_said_whole(tag, name, vram):
    made = plan(KNOWLEDGE.families.archs[name], vram, KNOWLEDGE)
    locale = KNOWLEDGE.locale(tag)
    said = list(plan_lines(made, locale, KNOWLEDGE.families))
    assert locale.text(f"memory.plan.{made.outcome}") in said
    assert not [line for line in said if "{" in line]
    assert (locale.text("memory.plan.raise") in said) == bool(made.raises)
