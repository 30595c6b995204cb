"""How much memory a run needs by phase, whether it fits, and what a change saves.

Pure arithmetic over facts and the coefficients of knowledge/memory. A figure states its scope (one phase) and the error
that public reports showed it to have; where nobody measured, there is none.
"""

from typing import TYPE_CHECKING

from bot.engine.memory_figures import Estimate, Proof
from bot.engine.memory_phases import (
    GIB,
    Residents,
    cache_phase,
    host_bytes,
    load_phase,
    sample_phase,
    train_phase,
)
from bot.engine.memory_setup import NoFigure, Reason, Setup, read_setup
from bot.evidence import value
from bot.facts import Facts

if TYPE_CHECKING:
    from bot.knowledge.load import Knowledge

# Phases of a problem that one phase of the estimate stands for.
STANDS_FOR = {
    "load": "load", "quantize": "load", "text_encoder": "load", "cache_latents": "cache",
    "cache_text_embeddings": "cache", "train": "train", "save": "train", "sample": "sample",
}  # fmt: skip
SPILL = "shared_memory_spill"  # the card did not hold the phase either, though nothing died
# What a run has behind it when it fails in a phase.
_BEHIND = {"train": frozenset({"load", "cache"}), "sample": frozenset({"load", "cache"}), "cache": frozenset({"load"})}


def why_none(facts: Facts, knowledge: "Knowledge") -> Reason | None:
    """Why there is no figure for these facts; None where there is one."""
    try:
        read_setup(facts, knowledge.memory)
    except NoFigure as none:
        return none.reason
    return None


def estimate(facts: Facts, knowledge: "Knowledge") -> Estimate | None:
    """The figures for the run that these facts describe; None where nobody measured what it trains."""
    try:
        setup = read_setup(facts, knowledge.memory)
    except NoFigure:
        return None
    return judge(computed(setup, knowledge, usable_gib(facts, knowledge)), facts)


def computed(setup: Setup, knowledge: "Knowledge", usable: float | None) -> Estimate:
    """The figures for a setup, whatever the evidence."""
    memory = knowledge.memory
    piece = Residents(setup, memory)
    batch, preview = setup.batch, setup.preview
    phases = (
        load_phase(piece), cache_phase(piece, batch), None if batch is None else train_phase(piece, batch),
        None if preview is None else sample_phase(piece, preview),
    )  # fmt: skip
    errors, overhead = memory.errors, memory.file.overhead
    band = errors.gc_on if setup.checkpointing else errors.gc_off
    band = errors.families.get(setup.model.coefficients, band) if setup.checkpointing else band
    return Estimate(
        setup, {phase.name: phase for phase in phases if phase is not None}, host_bytes(piece) / GIB, band.share,
        band.points, overhead.slack_on if setup.checkpointing else overhead.slack_off,
        ranged=not setup.checkpointing and not errors.gpu_record, usable=usable,
    )  # fmt: skip


def usable_gib(facts: Facts, knowledge: "Knowledge") -> float | None:
    """GiB of the card that this job can have: the error's own total, or most of the nominal size, less others' share."""
    total = value(facts, "crash.total_gib")
    if not total:
        nominal = value(facts, "gpu.vram_gib")
        total = nominal * knowledge.memory.file.overhead.usable if nominal else None
    if not total:
        return None
    taken = value(facts, "crash.others_gib") or value(facts, "gpu.others_gib") or 0.0
    return float(max(0.0, total - taken))


def judge(made: Estimate, facts: Facts) -> Estimate:
    """With what the evidence proves: an error's own numbers, or the mere fact that this card did not hold the phase."""
    problem = value(facts, "problem.class")
    if problem not in {None, "vram_oom", SPILL}:
        return made
    phase = STANDS_FOR.get(str(value(facts, "problem.phase") or value(facts, "crash.phase")), "")
    if phase not in made.phases:
        return made
    passed = _BEHIND.get(phase, frozenset()) if problem == "vram_oom" else frozenset()
    least = _least(facts, made) if _out_of_memory(facts) else None
    proof = None
    if least is not None:
        over = max(0.0, least - made.phases[phase].peak)
        proof = Proof(phase, least, over, made.verdict(phase) == "fits")
    return Estimate(
        made.setup, made.phases, made.host, made.error, made.points, made.slack, made.ranged, made.usable, proof, passed
    )


def _out_of_memory(facts: Facts) -> bool:
    return bool(
        value(facts, "problem.class") == SPILL
        or value(facts, "crash.class") == "vram_oom"
        or value(facts, "log.banners")
        or value(facts, "log.aborted")
    )


def _least(facts: Facts, made: Estimate) -> float | None:
    """What was held plus what was asked for and refused, context included; without numbers, all the card had."""
    held, tried = value(facts, "crash.allocated_gib"), value(facts, "crash.tried_gib")
    if held and tried is not None:
        context = made.phases["load"].parts["context"]
        return float(held + tried + context)
    return made.usable
