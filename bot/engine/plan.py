"""A starting config for an architecture and a card, from the estimate: as good as fits, never better than that.

It starts from what costs no quality on any card (gradient checkpointing, batch 1, cached latents and text embeddings),
gives way where a phase does not fit (bot/engine/plan_levers.py), and takes back what turns out not to be needed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Literal

from bot.engine.memory import estimate
from bot.engine.memory_figures import Estimate, Verdict
from bot.engine.plan_config import Choice, as_facts
from bot.engine.plan_levers import LEVERS, gave, given_back, on_arch_grid

if TYPE_CHECKING:
    from bot.knowledge.architectures import Arch
    from bot.knowledge.load import Knowledge
    from bot.knowledge.memory import Start

Outcome = Literal["fits", "tight", "no", "unknown"]
MAX_ROUNDS = 40
WORTH = 0.05  # GiB that a lever must bring to be pulled
RAISED = (768, 1024, 1280)  # buckets to try after a stable run
SMALL_CARD = (
    32  # GiB: up to here low_vram is on from the start where the toolkit's own form has it, since it costs little
)


@dataclass(frozen=True, slots=True)
class Raise:
    """What may be tried after a stable run: a lever and its value, and what it costs in GiB of the training step."""

    lever: str
    value: float
    costs: float


@dataclass(frozen=True, slots=True)
class Plan:
    """The choice for a card and its figures. Where nothing fits, `cards` and `models` name the nearest that would."""

    arch: "Arch"
    vram: float
    outcome: Outcome
    choice: Choice | None
    estimate: Estimate | None
    start: "Start"
    vendor: str = "nvidia"
    gave: tuple[str, ...] = ()
    raises: tuple[Raise, ...] = ()
    cards: tuple[int, ...] = ()
    models: tuple[str, ...] = ()

    @property
    def headroom(self) -> float | None:
        """GiB left at the worst moment of all phases, allocator slack not counted."""
        if self.estimate is None or self.estimate.usable is None:
            return None
        return self.estimate.usable - max(self.estimate.peak(name) for name in self.estimate.phases)


def named_arch(name: str, knowledge: "Knowledge") -> "Arch | None":
    """The architecture that a name means (an id, a family's slug, what people call it), one with figures if there is."""
    families = knowledge.families
    exact = families.archs.get(name)
    if exact is not None:
        return exact
    seen = families.names.search(name)
    family = families.family(name) or (seen[0].family if seen else None)
    if seen and seen[0].arch is not None:
        return seen[0].arch
    if family is None:
        return families.arch(name) or families.closest(name)
    return next((arch for arch in family.archs if knowledge.memory.model(arch.id) is not None), family.archs[0])


def plan(arch: "Arch", vram: float, knowledge: "Knowledge", *, vendor: str = "nvidia", nearest: bool = True) -> Plan:
    """The best start that fits a card of `vram` GiB. `nearest`: where none does, look for what would do."""
    search = _Search(arch, vram, knowledge)
    made = search.settled()
    if made is None:
        return Plan(arch, vram, "unknown", None, None, search.start, vendor)
    choice, figures, gave = made
    outcome = _worst(figures)
    found = Plan(arch, vram, outcome, choice, figures, search.start, vendor, gave)
    if outcome != "no":
        return replace(found, raises=tuple(search.raises(choice, figures)))
    if not nearest:
        return found
    return replace(found, cards=_cards(arch, vram, knowledge), models=_smaller(arch, vram, knowledge))


class _Search:
    """The way to a choice for one architecture on one card."""

    def __init__(self, arch: "Arch", vram: float, knowledge: "Knowledge") -> None:
        self.arch, self.vram, self.knowledge = arch, vram, knowledge
        self.start = knowledge.memory.start(arch)

    def figures(self, choice: Choice) -> Estimate | None:
        """The estimate of a choice."""
        return estimate(as_facts(self.arch, choice, self.start, self.vram), self.knowledge)

    def settled(self) -> tuple[Choice, Estimate, tuple[str, ...]] | None:
        """Gives way lever by lever until every phase fits, or nothing is left to give; then takes back what was too much."""
        first = choice = self._first()
        names: list[str] = []
        figures = self.figures(choice)
        if figures is None:
            return None
        for _ in range(MAX_ROUNDS):
            found = self._next(choice, figures)
            if found is None:
                break
            name, choice, figures = found
            names.append(name)
        if _worst(figures) != "no":
            choice, figures = self._relaxed(choice, figures, first)
        differing = gave(choice, first)
        return choice, figures, tuple(dict.fromkeys(name for name in names if name in differing))

    def _relaxed(self, choice: Choice, figures: Estimate, first: Choice) -> tuple[Choice, Estimate]:
        """What had to give way for one phase may have made room that another lever gave away before."""
        outcome = _worst(figures)
        for _ in range(MAX_ROUNDS):
            for more in given_back(self.arch, choice, first):
                after = self.figures(more)
                if after is not None and _worst(after) in {outcome, "fits"}:
                    choice, figures = more, after
                    break
            else:
                return choice, figures
        return choice, figures

    def _first(self) -> Choice:
        can = self.arch.can
        video = can.frames is not None
        frames = on_arch_grid(self.arch, 41) if video else 1
        side = 768 if video else 1024
        return Choice(
            resolution=side, batch=1, rank=32, frames=frames, quantize=False, qtype="qfloat8",
            low_vram=can.low_vram == "read" and self.vram <= SMALL_CARD, offload=0.0, offload_encoder=False,
            preview_side=side, preview_frames=frames, previews=True, match_target_res=can.match_target_res,
        )  # fmt: skip

    def _next(self, choice: Choice, figures: Estimate) -> tuple[str, Choice, Estimate] | None:
        """The first lever that brings down the first phase that does not fit."""
        for phase in figures.phases:
            if figures.verdict(phase) == "fits":
                continue
            for name, lever in LEVERS[phase]:
                changed = lever(self.arch, choice)
                after = None if changed is None else self.figures(changed)
                if changed is None or after is None:
                    continue
                if phase not in after.phases or after.peak(phase) < figures.peak(phase) - WORTH:
                    return name, changed, after
        return None

    def raises(self, choice: Choice, figures: Estimate) -> Iterator[Raise]:
        """What still fits if raised alone, in the order in which it is worth trying."""
        if "train" not in figures.phases:
            return
        for lever, value, changed in self._higher(choice):
            after = self.figures(changed)
            if after is not None and _worst(after) == "fits":
                yield Raise(lever, value, round(after.peak("train") - figures.peak("train"), 1))

    def _higher(self, choice: Choice) -> Iterator[tuple[str, int, Choice]]:
        side = next((one for one in RAISED if one > choice.resolution), None)
        if side is not None:
            yield "top_bucket", side, replace(choice, resolution=side)
        if choice.frames > 1:
            more = on_arch_grid(self.arch, choice.frames * 2)
            yield "num_frames", more, replace(choice, frames=more)
        for batch in (2, 4):
            yield "batch_size", batch, replace(choice, batch=batch)
        yield "rank", 64, replace(choice, rank=64)


def _worst(figures: Estimate) -> Verdict:
    """A plan must not count on luck: what is computed to need more than the card has does not fit."""
    usable = figures.usable or 0.0
    if any(figures.peak(name) > usable for name in figures.phases):
        return "no"
    return "fits" if all(figures.verdict(name) == "fits" for name in figures.phases) else "tight"


def _cards(arch: "Arch", vram: float, knowledge: "Knowledge") -> tuple[int, ...]:
    """The smallest usual card on which a plan for this model fits."""
    sizes = (size for size in knowledge.memory.file.card_sizes if size > vram)
    return tuple(islice((size for size in sizes if plan(arch, size, knowledge, nearest=False).outcome == "fits"), 1))


def _smaller(arch: "Arch", vram: float, knowledge: "Knowledge") -> tuple[str, ...]:
    """Models for the same kind of work that fit this card, the nearest in size first."""
    found = []
    for name in knowledge.memory.file.smaller.get(arch.kind, ()):
        other = knowledge.families.arch(name)
        if other is not None and other.family != arch.family:
            made = plan(other, vram, knowledge, nearest=False)
            if made.outcome == "fits":
                found.append(name)
    return tuple(found[:2])
