"""The figures for one run: what each phase needs, how far that may be off, and whether it fits a card."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from bot.engine.memory_phases import PHASES, Phase
from bot.engine.memory_setup import Setup, describe

Verdict = Literal["fits", "tight", "no"]
WORST: tuple[Verdict, ...] = ("fits", "tight", "no")


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
        return "fits" if most <= self.usable else "no" if least >= self.usable else "tight"

    def _shown(self, phase: str) -> str | None:
        """The verdict as it is told: a phase that the run has behind it did fit, whatever is computed."""
        verdict = self.verdict(phase)
        return "passed" if phase in self.passed and verdict in {"tight", "no"} else verdict

    def despite(self) -> tuple[str, ...]:
        """The phases that the run has behind it though by the figures the card is too small for them."""
        return tuple(name for name in self.phases if name in self.passed and self.verdict(name) == "no")

    def over(self) -> str | None:
        """The first phase, in the order of a run, that needs more than the card has; None where all fit, or no card is known."""
        usable = self.usable
        return (
            None
            if usable is None
            else next((name for name in PHASES if name in self.phases and self.peak(name) > usable), None)
        )

    def _parts(self, phase: str) -> Mapping[str, float]:
        """What a phase is made of, in GiB; what the evidence proves beyond that is a part of its own."""
        parts = self.phases[phase].parts
        proof = self.proof
        return (
            parts if proof is None or proof.phase != phase or not proof.over else {**parts, "unexplained": proof.over}
        )

    def as_dict(self) -> dict[str, Any]:
        """The contract's `memory` object. Sizes in GiB; `parts` are the training step's, `all_parts` each phase's."""
        reaches = {name: self.reach(name) for name in self.phases}
        shown = "train" if "train" in self.phases else "load"
        parts = {name: _rounded(self._parts(name)) for name in self.phases}
        made: dict[str, Any] = {
            "parts": parts[shown],
            "peak_gib": {name: round(self.peak(name), 1) if name in self.phases else None for name in PHASES},
            "error": round(self.error, 2),
            "basis": f"knowledge/memory/{self.setup.model.coefficients}.yaml",
            "scope": shown, "error_points": self.points, "range_only": self.ranged,
            "range_gib": {name: [round(least, 1), round(most, 1)] for name, (least, most) in reaches.items()},
            "all_parts": parts,
            "verdict": {name: self._shown(name) for name in self.phases},
            "host_ram_gib": round(self.host, 1) or None,
            "usable_gib": None if self.usable is None else round(self.usable, 1),
            "rests_on": describe(self.setup), "missing": self.setup.why_no_batch, "despite": self.despite(),
        }  # fmt: skip
        if self.proof is not None:
            made["proof"] = {
                "phase": self.proof.phase, "least_gib": round(self.proof.least, 1),
                "over_gib": round(self.proof.over, 1), "contradicts": self.proof.contradicts,
            }  # fmt: skip
        return made


def _rounded(parts: Mapping[str, float]) -> dict[str, float]:
    return {name: round(size, 2) for name, size in parts.items()}
