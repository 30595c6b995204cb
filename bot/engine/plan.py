"""A starting config for an architecture and a card, from the estimate: as good as fits, never better than that.

It starts from what costs no quality on any card (gradient checkpointing, batch 1, cached latents and text embeddings) and
gives way where a phase does not fit, in the order of what is lost: precision of the weights, previews, the largest
bucket, frames, speed by offloading.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from bot.engine.memory import Estimate, Verdict, estimate
from bot.engine.plan_config import Choice, as_facts
from bot.knowledge.families import low_bit_qtype

if TYPE_CHECKING:
    from bot.knowledge.families import Arch
    from bot.knowledge.load import Knowledge

Outcome = Literal["fits", "tight", "no", "unknown"]
Lever = Callable[["Arch", Choice], Choice | None]
MAX_ROUNDS = 40
SMALL_CARD = 32  # GiB: up to here low_vram is on from the start where the toolkit's own form has it, since it costs little


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


def plan(arch: "Arch", vram: float, knowledge: "Knowledge", *, nearest: bool = True) -> Plan:
    """The best start that fits a card of `vram` GiB. `nearest`: where none does, look for what would do."""
    made = _settle(arch, vram, knowledge)
    if made is None:
        return Plan(arch, vram, "unknown", None, None)
    choice, figures, gave = made
    outcome = _worst(figures)
    if outcome == "no" and nearest:
        return Plan(
            arch, vram, outcome, choice, figures, gave, cards=_cards(arch, vram, knowledge),
            models=_smaller(arch, vram, knowledge),
        )  # fmt: skip
    raises = tuple(_raises(arch, choice, figures, vram, knowledge)) if outcome != "no" else ()
    return Plan(arch, vram, outcome, choice, figures, gave, raises)


def _settle(arch: "Arch", vram: float, knowledge: "Knowledge") -> tuple[Choice, Estimate, tuple[str, ...]] | None:
    """Gives way lever by lever until every phase fits, or nothing is left to give."""
    choice = _start(arch, vram)
    gave: list[str] = []
    figures = estimate(as_facts(arch, choice, vram), knowledge)
    if figures is None:
        return None
    for _ in range(MAX_ROUNDS):
        found = _next(arch, choice, figures, vram, knowledge)
        if found is None:
            break
        name, choice, figures = found
        gave.append(name)
    return choice, figures, tuple(dict.fromkeys(gave))


def _start(arch: "Arch", vram: float) -> Choice:
    can = arch.can
    video = can.frames is not None
    frames = _on_grid(arch, 41) if video else 1
    return Choice(
        resolution=768 if video else 1024, batch=1, rank=32, frames=frames, quantize=False, qtype="qfloat8",
        low_vram=can.low_vram == "read" and vram <= SMALL_CARD, offload=0.0, offload_encoder=False, preview_side=768 if video else 1024, preview_frames=frames, previews=True,
        match_target_res=can.match_target_res,
    )  # fmt: skip


def _on_grid(arch: "Arch", frames: int) -> int:
    step, base = arch.can.frames or (1, 0)
    return max(base, (frames - base) // step * step + base)


def _next(
    arch: "Arch", choice: Choice, figures: Estimate, vram: float, knowledge: "Knowledge"
) -> tuple[str, Choice, Estimate] | None:
    """The first lever that brings down the first phase that does not fit."""
    for phase in figures.phases:
        if figures.verdict(phase) == "fits":
            continue
        for name, lever in LEVERS[phase]:
            changed = lever(arch, choice)
            after = None if changed is None else estimate(as_facts(arch, changed, vram), knowledge)
            if changed is None or after is None:
                continue
            if phase not in after.phases or after.peak(phase) < figures.peak(phase) - 0.05:
                return name, changed, after
    return None


def _quantize(arch: "Arch", choice: Choice) -> Choice | None:
    return replace(choice, quantize=True) if arch.can.quantize and not choice.quantize else None


def _low_vram(arch: "Arch", choice: Choice) -> Choice | None:
    return replace(choice, low_vram=True) if arch.can.low_vram != "ignored" and not choice.low_vram else None


def _low_bit(arch: "Arch", choice: Choice) -> Choice | None:
    """Fewer bits with a recovery adapter, where one is offered; it does not go together with offloading."""
    now = int(choice.qtype[4]) if choice.qtype.startswith("uint") else 8
    offered = {bits: path for bits, path in (arch.can.adapters or {}).items() if bits < now}
    if not offered or choice.offloads:
        return None
    bits = max(offered)
    return replace(choice, quantize=True, qtype=low_bit_qtype(bits, offered[bits]))


def _may_offload(arch: "Arch", choice: Choice) -> bool:
    return arch.can.layer_offloading in {"honoured", "hidden"} and "|" not in choice.qtype


def _offload_encoder(arch: "Arch", choice: Choice) -> Choice | None:
    """Costs little: with cached embeddings the text encoder works only before the training."""
    if not _may_offload(arch, choice) or choice.offload_encoder:
        return None
    return replace(choice, offload_encoder=True, quantize=arch.can.quantize, qtype="float8")


def _offload(arch: "Arch", choice: Choice) -> Choice | None:
    if not _may_offload(arch, choice) or choice.offload >= 1:
        return None
    share = round(choice.offload + 0.25, 2)
    return replace(choice, offload=share, offload_encoder=True, quantize=arch.can.quantize, qtype="float8")


def _bucket(_: "Arch", choice: Choice) -> Choice | None:
    smaller = [side for side in (768, 512) if side < choice.resolution]
    return replace(choice, resolution=smaller[0]) if smaller else None


def _fewer_frames(arch: "Arch", choice: Choice) -> Choice | None:
    fewer = next((_on_grid(arch, count) for count in (33, 21, 9, 1) if count < choice.frames), choice.frames)
    return replace(choice, frames=fewer) if fewer < choice.frames else None


def _preview_size(_: "Arch", choice: Choice) -> Choice | None:
    smaller = [side for side in (768, 512) if side < choice.preview_side]
    return replace(choice, preview_side=smaller[0]) if smaller else None


def _preview_frames(arch: "Arch", choice: Choice) -> Choice | None:
    fewer = next((_on_grid(arch, count) for count in (21, 9, 1) if count < choice.preview_frames), choice.preview_frames)
    return replace(choice, preview_frames=fewer) if fewer < choice.preview_frames else None


def _no_previews(_: "Arch", choice: Choice) -> Choice | None:
    return replace(choice, previews=False) if choice.previews else None


_WEIGHTS: Sequence[tuple[str, Lever]] = (
    ("quantize", _quantize), ("low_vram", _low_vram), ("low_bit_weights", _low_bit),
    ("layer_offloading", _offload_encoder), ("layer_offloading", _offload),
)  # fmt: skip
LEVERS: dict[str, Sequence[tuple[str, Lever]]] = {
    "load": _WEIGHTS,
    "cache": _WEIGHTS,
    "train": (
        ("quantize", _quantize), ("low_vram", _low_vram), ("low_bit_weights", _low_bit), ("num_frames", _fewer_frames),
        ("top_bucket", _bucket), ("layer_offloading", _offload_encoder), ("layer_offloading", _offload),
    ),
    "sample": (
        ("quantize", _quantize), ("low_vram", _low_vram), ("preview_cost", _preview_size),
        ("preview_cost", _preview_frames), ("low_bit_weights", _low_bit), ("preview_cost", _no_previews),
    ),
}  # fmt: skip


def _worst(figures: Estimate) -> Verdict:
    """A plan must not count on luck: what is computed to need more than the card has does not fit."""
    usable = figures.usable or 0.0
    if any(figures.peak(name) > usable for name in figures.phases):
        return "no"
    return "fits" if all(figures.verdict(name) == "fits" for name in figures.phases) else "tight"


def _raises(
    arch: "Arch", choice: Choice, figures: Estimate, vram: float, knowledge: "Knowledge"
) -> Iterator[Raise]:
    """What still fits if raised alone, in the order in which it is worth trying."""
    if "train" not in figures.phases:
        return
    options: list[tuple[str, float, Choice]] = []
    higher = [side for side in (768, 1024, 1280) if side > choice.resolution]
    if higher:
        options.append(("top_bucket", higher[0], replace(choice, resolution=higher[0])))
    if choice.frames > 1:
        more = _on_grid(arch, choice.frames * 2)
        options.append(("num_frames", more, replace(choice, frames=more)))
    options += [
        ("batch_size", batch, replace(choice, batch=batch)) for batch in (2, 4)
    ] + [("rank", 64, replace(choice, rank=64))]  # fmt: skip
    for lever, value, changed in options:
        after = estimate(as_facts(arch, changed, vram), knowledge)
        if after is not None and _worst(after) == "fits":
            yield Raise(lever, value, round(after.peak("train") - figures.peak("train"), 1))


def _cards(arch: "Arch", vram: float, knowledge: "Knowledge") -> tuple[int, ...]:
    """The smallest usual card on which a plan for this model fits."""
    for size in knowledge.memory.file.card_sizes:
        if size > vram and plan(arch, size, knowledge, nearest=False).outcome in {"fits", "tight"}:
            return (size,)
    return ()


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
