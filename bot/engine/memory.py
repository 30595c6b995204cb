"""How much memory a run needs by phase, whether it fits, and what a change saves.

Pure arithmetic over facts and the coefficients of knowledge/memory. A figure states its scope (one phase) and the error
that public reports showed it to have; where nobody measured, there is none.
"""

from typing import TYPE_CHECKING

from bot.engine.memory_evidence import judged
from bot.engine.memory_figures import Estimate
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


def why_none(facts: Facts, knowledge: "Knowledge") -> Reason | None:
    """Why there is no figure for these facts; None where there is one."""
    try:
        _estimate(facts, knowledge)
    except NoFigure as none:
        return none.reason
    return None


def estimate(facts: Facts, knowledge: "Knowledge") -> Estimate | None:
    """The figures for the run that these facts describe; None where nobody measured what it trains."""
    try:
        return _estimate(facts, knowledge)
    except NoFigure:
        return None


def _estimate(facts: Facts, knowledge: "Knowledge") -> Estimate:
    setup = read_setup(facts, knowledge.memory)
    return judged(computed(setup, knowledge, usable_gib(facts, knowledge)), facts)


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


def wished_gib(facts: Facts) -> float | None:
    """The size of the card that a run is planned for where it is not the person's own; None after a failure."""
    failed = value(facts, "crash.present") or value(facts, "problem.class") not in {None, "none"}
    size = value(facts, "gpu.target_vram_gib")
    return None if failed or not size else float(size)


def usable_gib(facts: Facts, knowledge: "Knowledge") -> float | None:
    """GiB of the card that this job can have: the error's own total, or most of the nominal size, less others' share.

    Ahead of a run on another card that somebody asks about, most of that one's.
    """
    wished = wished_gib(facts)
    if wished:
        return wished * knowledge.memory.file.overhead.usable
    total = value(facts, "crash.total_gib")
    if not total:
        nominal = value(facts, "gpu.vram_gib")
        total = nominal * knowledge.memory.file.overhead.usable if nominal else None
    if not total:
        return None
    taken = value(facts, "crash.others_gib") or value(facts, "gpu.others_gib") or 0.0
    return float(max(0.0, total - taken))
