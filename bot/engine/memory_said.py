"""Figures for the words of findings: what checkpointing that is off costs, and what a high rank does."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.engine.memory_phases import GIB
from bot.engine.memory_setup import NoFigure, Setup, read_setup
from bot.engine.memory_step import VALUE, lora_values, step_bytes
from bot.evidence import value
from bot.facts import Fact, Facts

if TYPE_CHECKING:
    from bot.knowledge.load import Knowledge

WORTH = 0.5  # GiB of a copy that are worth a word
HIGH_RANK = 64  # from here on the rules speak of the rank


def said(facts: Facts, knowledge: "Knowledge") -> Facts:
    """`estimate.activations_off_gib`, `…_on_gib`, `estimate.copy_gib` and `estimate.rank_gib`, each where it has a point."""
    unchecked = value(facts, "train.gradient_checkpointing") is False
    if not unchecked and (value(facts, "network.rank") or 0) < HIGH_RANK:
        return {}
    try:
        setup = read_setup(facts, knowledge.memory)
    except NoFigure:
        return {}
    if setup.batch is None:
        return {}
    stated = dict(_rank(setup)) | (dict(_unchecked(setup)) if unchecked else {})
    return {f"estimate.{name}_gib": Fact(round(size, 1), "derived") for name, size in stated.items()}


def _unchecked(setup: Setup) -> Iterator[tuple[str, float]]:
    copy = _copy(setup) if setup.base == "float8" else 0.0
    yield "activations_off", _step(setup) - copy
    yield "activations_on", _step(setup._replace(checkpointing=True))
    if copy > WORTH:
        yield "copy", copy


def _rank(setup: Setup) -> Iterator[tuple[str, float]]:
    """What half the rank would save: trained weights, their optimizer states and average, gradients, activations."""
    if setup.rank >= HIGH_RANK:
        half = setup._replace(rank=setup.rank // 2)
        held = VALUE + setup.optimizer + (VALUE if setup.ema else 0)
        values = (lora_values(setup) - lora_values(half)) * setup.trained_experts
        yield "rank", held * values / GIB + _step(setup) - _step(half)


def _step(setup: Setup) -> float:
    """GiB that come and go in a training step: activations, and the gradients that are there at its worst moment."""
    return 0.0 if setup.batch is None else step_bytes(setup, setup.batch) / GIB


def _copy(setup: Setup) -> float:
    """GiB of weights that the layers on the card unpack and keep."""
    on_card = setup._replace(offload=0.0)
    return (1 - setup.offload) * (_step(on_card) - _step(on_card._replace(base="none")))
