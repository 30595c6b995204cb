"""The memory estimate beside a ladder: what the run needs, what each step saves, and whether it fits then."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.engine.ladder import Planned
from bot.engine.memory import estimate, why_none
from bot.engine.memory_evidence import STANDS_FOR
from bot.engine.memory_figures import Estimate
from bot.engine.memory_savings import fits_after, recomputed, saved
from bot.engine.overlay import after
from bot.evidence import value
from bot.facts import Facts
from bot.knowledge.load import Knowledge

# Problems that the card's own memory has a part in; of the others a figure in VRAM would say nothing.
OF_THE_CARD = frozenset({"vram_oom", "gpu_shared", "shared_memory_spill", "none", "unknown"})
Outlook = tuple[Mapping[str, Any] | None, list[Planned]]


def outlook(
    planned: Sequence[Planned], facts: Facts, after_now: Facts, knowledge: Knowledge, *, own_tool: bool = True
) -> Outlook:
    """The contract's `memory` object (None where nobody measured this run), and the steps with their savings.

    `after_now` are the facts once the step to make now is made.
    Each step counts on top of those before it, as they are tried: `saves_gib` is what it adds in the phase at issue (in
    the phase it helps most, where nothing failed), `fits` the verdict with all of them made; where either cannot be
    told, `no_figure` says why (words: `memory.none.<reason>`): no verdict either where what does not fit is a phase that the
    step does not lower. `smallest_set` names the rules up to the first that should
    fit, without those that save nothing there; None where none does or no card is known.
    """
    if not own_tool:
        return None, [_without(item, "tool") for item in planned]
    first = estimate(facts, knowledge)
    if first is None:
        reason = str(why_none(facts, knowledge))
        return None, [_without(item, reason if item.changes else "outside") for item in planned]
    shown, smallest = _counted(planned, first, facts, after_now, knowledge)
    return {**first.as_dict(), "smallest_set": smallest}, shown


def _without(item: Planned, reason: str) -> Planned:
    return item._replace(step=item.step._replace(no_figure=reason))


def _counted(
    planned: Sequence[Planned], first: Estimate, facts: Facts, after_now: Facts, knowledge: Knowledge
) -> tuple[list[Planned], list[str] | None]:
    of_the_card = value(facts, "problem.class") in OF_THE_CARD
    shown: list[Planned] = []
    smallest: list[str] | None = None
    before, changed, ran = first, facts, False
    for item in planned:
        changed = after_now if item.step.now else after(item.changes, changed)
        now = recomputed(first, changed, knowledge) if item.changes else None
        if now is None or not of_the_card:
            shown.append(_without(item, "outside" if not item.changes else "changed" if of_the_card else "elsewhere"))
            continue
        ran = ran or _ran_before(changed, facts)
        figured = _figured(item, first, before, now, facts)
        shown.append(
            figured._replace(step=figured.step._replace(fits="fits")) if ran and figured.step.fits else figured
        )
        if shown[-1].step.fits == "fits" and smallest is None:
            smallest = [made.step.rule for made in shown if made.step.saves_gib]
        before = now
    return shown, smallest


def _ran_before(changed: Facts, facts: Facts) -> bool:
    """Whether a step leads back to what the person says ran: that fits, whatever is computed."""
    told = (("said.batch_ran", "batch_size"), ("said.size_ran", "datasets.resolution"))
    pairs = [(value(facts, ran), value(facts, name), value(changed, name)) for ran, name in told if ran in facts]
    failing = [(ran, now) for ran, was, now in pairs if was and now and ran < was]
    return bool(failing) and all(now <= ran for ran, now in failing)


def _figured(item: Planned, first: Estimate, before: Estimate, now: Estimate, facts: Facts) -> Planned:
    """A step with its saving and verdict, or with why there is none: the phase at issue has no figure, or no card is known."""
    phase = STANDS_FOR.get(str(value(facts, "problem.phase")))
    less = saved(before, now)
    missing = _missing(phase, first)
    if missing is not None and phase is not None:
        return _without(item, missing)
    gib = less.get(phase, 0.0) if phase else max(less.values(), default=0.0)
    fits = None if missing else fits_after(first, now, facts)
    if not phase and fits != "fits" and not any(now.verdict(name) == fits for name in less):
        return item._replace(step=item.step._replace(saves_gib=gib, no_figure="untouched"))
    reason = missing or ("card" if fits is None else None)
    return item._replace(step=item.step._replace(saves_gib=gib, fits=fits, no_figure=reason))


def _missing(phase: str | None, first: Estimate) -> str | None:
    """What the figures lack for the phase at issue; where nothing failed, for the training step."""
    if (phase or "train") in first.phases:
        return None
    return first.setup.why_no_batch or "phase"
