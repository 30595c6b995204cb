"""Figures for rules and for the words of findings: what checkpointing that is off costs, and a failure that no figure explains."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.engine.memory import computed, usable_gib
from bot.engine.memory_phases import GIB
from bot.engine.memory_setup import NoFigure, Setup, read_setup
from bot.engine.memory_step import step_bytes
from bot.evidence import value
from bot.facts import Fact, Facts

if TYPE_CHECKING:
    from bot.knowledge.load import Knowledge

WORTH = 0.5  # GiB of a copy that are worth a word


HALF = 0.5  # of the card: no setting that was not told doubles what a run takes


def said(facts: Facts, knowledge: "Knowledge") -> Facts:
    """`estimate.activations_off_gib`, `…_on_gib`, and `estimate.copy_gib` where weights are held twice.

    `estimate.unexplained` where a step ran out though all that is told of the run fits the card.
    """
    if _all_lowered(facts) and value(facts, "problem.class") == "vram_oom" and value(facts, "problem.phase") == "train":
        return {"estimate.unexplained": Fact(_unexplained(facts, knowledge), "derived")}
    if value(facts, "train.gradient_checkpointing") is not False:
        return {}
    try:
        setup = read_setup(facts, knowledge.memory)
    except NoFigure:
        return {}
    if setup.batch is None:
        return {}
    return {f"estimate.{name}_gib": Fact(round(size, 1), "derived") for name, size in _unchecked(setup)}


def _all_lowered(facts: Facts) -> bool:
    """Whether the settings at issue are told and low, and no figure of the error says what the run itself held."""
    told = value(facts, "train.gradient_checkpointing") is True and value(facts, "batch_size") == 1
    return told and value(facts, "crash.allocated_gib") is None and value(facts, "datasets.resolution") is not None


def _unexplained(facts: Facts, knowledge: "Knowledge") -> bool:
    usable = usable_gib(facts, knowledge)
    try:
        made = computed(read_setup(facts, knowledge.memory), knowledge, usable)
    except NoFigure:
        return False
    return usable is not None and "train" in made.phases and made.peak("train") <= HALF * usable


def _unchecked(setup: Setup) -> Iterator[tuple[str, float]]:
    copy = _copy(setup) if setup.base == "float8" else 0.0
    yield "activations_off", _step(setup) - copy
    yield "activations_on", _step(setup._replace(checkpointing=True))
    if copy > WORTH:
        yield "copy", copy


def _step(setup: Setup) -> float:
    """GiB that come and go in a training step: activations, and the gradients that are there at its worst moment."""
    return 0.0 if setup.batch is None else step_bytes(setup, setup.batch) / GIB


def _copy(setup: Setup) -> float:
    """GiB of weights that the layers on the card unpack and keep."""
    on_card = setup._replace(offload=0.0)
    return (1 - setup.offload) * (_step(on_card) - _step(on_card._replace(base="none")))
