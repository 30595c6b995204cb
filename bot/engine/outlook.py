"""The memory estimate beside a ladder: what the run needs, what each step saves, and whether it fits then."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.engine.ladder import Planned
from bot.engine.memory import STANDS_FOR, estimate, fits_after, recomputed, saved
from bot.engine.overlay import after
from bot.evidence import value
from bot.facts import Facts
from bot.knowledge.load import Knowledge


def outlook(
    planned: Sequence[Planned], facts: Facts, knowledge: Knowledge
) -> tuple[Mapping[str, Any] | None, list[Planned]]:
    """The contract's `memory` object (None where nobody measured this run), and the steps with their savings.

    Each step counts on top of those before it, as they are tried: `saves_gib` is what it adds in the phase at issue (in
    the phase it helps most, where nothing failed), `fits` the verdict with all of them made. `smallest_set` names the
    rules up to the first that should fit, without those that save nothing there; None where none does or no card is known.
    """
    first = estimate(facts, knowledge)
    if first is None:
        return None, list(planned)
    phase = STANDS_FOR.get(str(value(facts, "problem.phase")))
    shown: list[Planned] = []
    smallest: list[str] | None = None
    before, changed = first, facts
    for item in planned:
        changed = after(item.changes, changed)
        now = recomputed(first, changed, knowledge) if item.changes else None
        if now is None:
            shown.append(item)
            continue
        less, fits = saved(before, now), fits_after(first, now, facts)
        gib = less.get(phase, 0.0) if phase else max(less.values(), default=0.0)
        shown.append(item._replace(step=item.step._replace(saves_gib=gib, fits=fits)))
        if fits == "fits" and smallest is None:
            smallest = [made.step.rule for made in shown if made.step.saves_gib]
        before = now
    return {**first.as_dict(), "smallest_set": smallest}, shown
