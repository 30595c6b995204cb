"""What a paste proves of the estimate: what a failed phase needed at least, and which phases the run has behind it."""

from typing import TYPE_CHECKING

from bot.engine.memory_figures import Proof
from bot.engine.memory_setup import NoFigure
from bot.evidence import value
from bot.facts import Facts

if TYPE_CHECKING:
    from bot.engine.memory_figures import Estimate

# Phases of a problem that one phase of the estimate stands for.
STANDS_FOR = {
    "load": "load", "quantize": "load", "text_encoder": "load", "cache_latents": "cache",
    "cache_text_embeddings": "cache", "train": "train", "save": "train", "sample": "sample",
}  # fmt: skip
SPILL = "shared_memory_spill"  # the card did not hold the phase either, though nothing died
# What a run has behind it when it fails in a phase. Where steps were done, a preview comes after training steps.
_BEHIND = {"train": frozenset({"load", "cache"}), "sample": frozenset({"load", "cache"}), "cache": frozenset({"load"})}
_STEPPED = frozenset({"load", "cache", "train"})
_RAN_OUT = frozenset({"vram_oom", SPILL})


def judged(made: "Estimate", facts: Facts) -> "Estimate":
    """With what the evidence proves: an error's own numbers, or the mere fact that this card did not hold the phase.

    Raises NoFigure where a phase that is behind the run contradicts weights that were only assumed.
    """
    phase = STANDS_FOR.get(str(value(facts, "problem.phase") or value(facts, "crash.phase")), "")
    passed = _passed(phase, facts)
    made = made._replace(passed=passed)
    spills = value(facts, "problem.class") == SPILL  # then system RAM may have held a part
    if not spills and "weights" in made.setup.assumed and any(name in passed for name in made.despite()):
        raise NoFigure("weights")
    if value(facts, "problem.class") not in {None, *_RAN_OUT} or phase not in made.phases:
        return made
    least = _least(facts, made) if _out_of_memory(facts) else None
    if least is None:
        return made
    over = max(0.0, least - made.phases[phase].peak)
    return made._replace(proof=Proof(phase, least, over, made.verdict(phase) == "fits"))


def _passed(phase: str, facts: Facts) -> frozenset[str]:
    """Where memory is the matter, what comes before the failed phase; what steps that were done show, in any case."""
    problem = value(facts, "problem.class")
    behind = _BEHIND.get(phase, frozenset()) if problem in _RAN_OUT else frozenset()
    if value(facts, "log.steps_done") and problem != SPILL:
        fails_in_steps = phase == "train" and problem == "vram_oom"
        behind |= _BEHIND["train"] if fails_in_steps or value(facts, "log.banners") else _STEPPED
    return behind


def _out_of_memory(facts: Facts) -> bool:
    return bool(
        value(facts, "problem.class") in _RAN_OUT
        or value(facts, "crash.class") == "vram_oom"
        or value(facts, "log.banners")
        or value(facts, "log.aborted")
    )


def _least(facts: Facts, made: "Estimate") -> float | None:
    """What was held plus what was asked for and refused, context included; without numbers, all the card had."""
    held, tried = value(facts, "crash.allocated_gib"), value(facts, "crash.tried_gib")
    if held and tried is not None:
        context = made.phases["load"].parts["context"]
        return float(held + tried + context)
    return made.usable
