"""How much memory a run needs by phase, whether it fits, and what a change saves.

Pure arithmetic over facts and the coefficients of knowledge/memory. A figure states its scope (one phase) and the error
that public reports showed it to have; where nobody measured, there is none.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from bot.engine.memory_phases import (
    GIB,
    PHASES,
    Phase,
    Residents,
    cache_phase,
    host_bytes,
    load_phase,
    sample_phase,
    train_phase,
)
from bot.engine.memory_setup import NoFigure, Reason, Setup, describe, read_setup
from bot.evidence import value
from bot.facts import Facts

if TYPE_CHECKING:
    from bot.knowledge.load import Knowledge

Verdict = Literal["fits", "tight", "no"]
# Phases of a problem that one phase of the estimate stands for.
STANDS_FOR = {
    "load": "load", "quantize": "load", "text_encoder": "load", "cache_latents": "cache",
    "cache_text_embeddings": "cache", "train": "train", "save": "train", "sample": "sample",
}  # fmt: skip
_WORST: tuple[Verdict, ...] = ("fits", "tight", "no")
# What a run has behind it when it fails in a phase.
_BEHIND = {"train": frozenset({"load", "cache"}), "sample": frozenset({"load", "cache"}), "cache": frozenset({"load"})}


class Proof(NamedTuple):
    """What the evidence proves: in `phase` at least `least` GiB were needed, `over` more than computed.

    `contradicts`: the computation alone would have called that phase fitting.
    """

    phase: str
    least: float
    over: float
    contradicts: bool


class Estimate(NamedTuple):
    """The figures for one run. `usable` is the card's free memory in GiB where a card is known."""

    setup: Setup
    phases: Mapping[str, Phase]
    host: float
    error: float
    points: int
    slack: float
    ranged: bool
    usable: float | None
    proof: Proof | None = None
    passed: frozenset[str] = frozenset()

    def peak(self, phase: str) -> float:
        """GiB that a phase needs: as computed, or as the evidence proves where that is more."""
        shift = self.proof.over if self.proof is not None and self.proof.phase == phase else 0.0
        return self.phases[phase].peak + shift

    def reach(self, phase: str) -> tuple[float, float]:
        """The least and the most GiB it may be: the error both ways, the allocator's free blocks on top."""
        peak = self.peak(phase)
        least = max(peak * (1 - self.error), self.proof.least if self.proof and self.proof.phase == phase else 0.0)
        return least, peak * (1 + self.error) + self.slack * self.phases[phase].moving

    def verdict(self, phase: str) -> Verdict | None:
        """Whether that phase fits the card; None without a card. It says nothing of other phases."""
        if self.usable is None or phase not in self.phases:
            return None
        least, most = self.reach(phase)
        return "fits" if most <= self.usable else "no" if least > self.usable else "tight"

    def _shown(self, phase: str) -> str | None:
        """The verdict as it is told: a phase that the run has behind it did fit, whatever is computed."""
        verdict = self.verdict(phase)
        return "passed" if phase in self.passed and verdict in {"tight", "no"} else verdict

    def over(self) -> str | None:
        """The first phase, in the order of a run, that needs more than the card has; None where all fit, or no card is known."""
        usable = self.usable
        return None if usable is None else next((name for name in PHASES if name in self.phases and self.peak(name) > usable), None)

    def as_dict(self) -> dict[str, Any]:
        """The contract's `memory` object. Sizes in GiB; `parts` are the training step's, `all_parts` each phase's."""
        reaches = {name: self.reach(name) for name in self.phases}
        shown = "train" if "train" in self.phases else "load"
        made: dict[str, Any] = {
            "parts": _rounded(self.phases[shown].parts),
            "peak_gib": {name: round(self.peak(name), 1) if name in self.phases else None for name in PHASES},
            "error": round(self.error, 2),
            "basis": f"knowledge/memory/{self.setup.model.coefficients}.yaml",
            "scope": shown, "error_points": self.points, "range_only": self.ranged,
            "range_gib": {name: [round(least, 1), round(most, 1)] for name, (least, most) in reaches.items()},
            "all_parts": {name: _rounded(phase.parts) for name, phase in self.phases.items()},
            "verdict": {name: self._shown(name) for name in self.phases},
            "host_ram_gib": round(self.host, 1) or None,
            "usable_gib": None if self.usable is None else round(self.usable, 1),
            "rests_on": describe(self.setup), "missing": self.setup.why_no_batch,
        }  # fmt: skip
        if self.proof is not None:
            made["proof"] = {
                "phase": self.proof.phase, "least_gib": round(self.proof.least, 1),
                "over_gib": round(self.proof.over, 1), "contradicts": self.proof.contradicts,
            }  # fmt: skip
        return made


def _rounded(parts: Mapping[str, float]) -> dict[str, float]:
    return {name: round(size, 2) for name, size in parts.items()}


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
    if value(facts, "problem.class") not in {None, "vram_oom"}:
        return made
    phase = STANDS_FOR.get(str(value(facts, "problem.phase") or value(facts, "crash.phase")), "")
    if phase not in made.phases:
        return made
    passed = _BEHIND.get(phase, frozenset()) if value(facts, "problem.class") else frozenset()
    least = _least(facts, made) if _out_of_memory(facts) else None
    proof = None
    if least is not None:
        over = max(0.0, least - made.phases[phase].peak)
        proof = Proof(phase, least, over, made.verdict(phase) == "fits")
    return Estimate(
        made.setup, made.phases, made.host, made.error, made.points, made.slack, made.ranged, made.usable, proof, passed
    )


def _out_of_memory(facts: Facts) -> bool:
    return bool(value(facts, "crash.class") == "vram_oom" or value(facts, "log.banners") or value(facts, "log.aborted"))


def _least(facts: Facts, made: Estimate) -> float | None:
    """What was held plus what was asked for and refused, context included; without numbers, all the card had."""
    held, tried = value(facts, "crash.allocated_gib"), value(facts, "crash.tried_gib")
    if held and tried is not None:
        context = made.phases["load"].parts["context"]
        return float(held + tried + context)
    return made.usable


class Savings(NamedTuple):
    """What a change saves in GiB by phase, and whether the phase at issue (or the worst of all) then fits."""

    gib: Mapping[str, float]
    fits: Verdict | None

    @property
    def most(self) -> float | None:
        """The largest saving of a phase; None where nothing is saved."""
        return max(self.gib.values(), default=None)


def savings(before: Facts, after: Facts, knowledge: "Knowledge") -> Savings | None:
    """What the change from one config to the other saves; None where there is no figure for either.

    Numbers of the evidence belong to `before`; what they prove to be needed above the computation stays needed after.
    """
    was = estimate(before, knowledge)
    now = None if was is None else recomputed(was, after, knowledge)
    return None if was is None or now is None else Savings(saved(was, now), fits_after(was, now, before))


def recomputed(was: Estimate, after: Facts, knowledge: "Knowledge") -> Estimate | None:
    """The figures once the facts have changed, on the same card; None where there are none any more."""
    try:
        return computed(read_setup(after, knowledge.memory), knowledge, was.usable)
    except NoFigure:
        return None


def saved(was: Estimate, now: Estimate) -> dict[str, float]:
    """GiB less in each phase where it is worth a word."""
    less = {name: phase.peak - (now.phases[name].peak if name in now.phases else 0) for name, phase in was.phases.items()}
    return {name: round(size, 1) for name, size in less.items() if size > 0.05}


def fits_after(was: Estimate, now: Estimate, facts: Facts) -> Verdict | None:
    """The verdict after the change, for the phase at issue."""
    phase = STANDS_FOR.get(str(value(facts, "problem.phase")), "")
    if was.proof is not None and phase in now.phases:
        saved = was.phases[was.proof.phase].peak - now.phases[was.proof.phase].peak
        least = max(0.0, was.proof.least - saved)
        proof = Proof(was.proof.phase, least, was.proof.over, was.proof.contradicts)
        now = Estimate(
            now.setup, now.phases, now.host, now.error, now.points, now.slack, now.ranged, now.usable, proof
        )
    if phase in now.phases:
        return now.verdict(phase)
    verdicts = [verdict for name in now.phases if (verdict := now.verdict(name)) is not None]
    return max(verdicts, key=_WORST.index, default=None)
