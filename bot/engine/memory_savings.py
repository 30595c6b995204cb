"""What a change of the config saves by phase, and whether it then fits."""

from typing import TYPE_CHECKING

from bot.engine.memory import computed
from bot.engine.memory_evidence import STANDS_FOR
from bot.engine.memory_figures import WORST, Estimate, Proof, Verdict
from bot.engine.memory_setup import NoFigure, read_setup
from bot.evidence import value
from bot.facts import Facts

if TYPE_CHECKING:
    from bot.knowledge.load import Knowledge


def recomputed(was: Estimate, after: Facts, knowledge: "Knowledge") -> Estimate | None:
    """The figures once the facts have changed, on the same card; None where there are none any more."""
    try:
        return computed(read_setup(after, knowledge.memory), knowledge, was.usable)
    except NoFigure:
        return None


def saved(was: Estimate, now: Estimate) -> dict[str, float]:
    """GiB less in each phase where it is worth a word."""
    less = {
        name: phase.peak - (now.phases[name].peak if name in now.phases else 0) for name, phase in was.phases.items()
    }
    return {name: round(size, 1) for name, size in less.items() if size > 0.05}


def fits_after(was: Estimate, now: Estimate, facts: Facts) -> Verdict | None:
    """The verdict after the change, for the phase at issue."""
    phase = STANDS_FOR.get(str(value(facts, "problem.phase")), "")
    if was.proof is not None and phase in now.phases:
        saved = was.phases[was.proof.phase].peak - now.phases[was.proof.phase].peak
        least = max(0.0, was.proof.least - saved)
        proof = Proof(was.proof.phase, least, was.proof.over, was.proof.contradicts)
        now = now._replace(proof=proof)
    if phase in now.phases:
        return now.verdict(phase)
    verdicts = [verdict for name in now.phases if (verdict := now.verdict(name)) is not None]
    return max(verdicts, key=WORST.index, default=None)
