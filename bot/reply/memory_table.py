"""A memory estimate as lines of text and as bars, from the contract's `memory` object."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bot.knowledge.locale import Locale

# From the bottom of the card up; one sign each, so that bars read without colour.
PARTS: Mapping[str, str] = {
    "base": "█", "adapter": "▉", "text_encoder": "▓", "vae": "▒", "lora": "▞", "optimizer": "▚", "ema": "▙",
    "gradients": "◆", "activations": "░", "encode": "░", "preview": "░", "context": "·", "unexplained": "?",
}  # fmt: skip
WIDTH = 48
MOST = 2 / 3  # of a phase that may not fit are made of the parts that are named, the largest first
_NOT_SURE = frozenset({"tight", "no", "unlikely"})
CARDS = 2  # a bar longer than this many cards is cut


def lines(memory: Mapping[str, Any], locale: "Locale") -> Iterator[str]:
    """Phase by phase what is needed and whether it fits, then what the figures rest on."""
    for phase, size in memory["peak_gib"].items():
        if size is not None:
            yield _phase_line(memory, phase, size, locale)
    if memory.get("usable_gib"):
        yield locale.text("memory.usable", usable=memory["usable_gib"])
    if memory.get("host_ram_gib"):
        yield locale.text("memory.host", host=memory["host_ram_gib"])
    if memory.get("missing"):
        yield locale.text(f"memory.missing.{memory['missing']}")
    yield from _by_the_evidence(memory, locale)
    yield from _assumed(memory, locale)
    yield locale.text("memory.error", error=memory["error"])


def _phase_line(memory: Mapping[str, Any], phase: str, size: float, locale: "Locale") -> str:
    name = locale.text(f"memory.phases.{phase}")
    if phase == "train" and memory.get("range_only"):
        least, most = memory["range_gib"][phase]
        said = locale.text("memory.range", phase=name, least=least, most=most)
    else:
        said = locale.text("memory.peak", phase=name, size=size)
    verdict = memory["verdict"].get(phase)
    if verdict == "tight" and size > memory["usable_gib"]:
        verdict = "unlikely"
    if not verdict:
        return said
    said = f"{said} ({locale.text(f'memory.verdict.{verdict}')})"
    return f"{said}. {_mostly(memory['all_parts'][phase], locale)}" if verdict in _NOT_SURE else said


def _by_the_evidence(memory: Mapping[str, Any], locale: "Locale") -> Iterator[str]:
    """Where what happened and the figures differ."""
    if memory.get("proof", {}).get("contradicts"):
        failed = memory["proof"]["phase"]
        yield locale.text("memory.contradicts", phase=locale.text(f"memory.phases.{failed}"))
    if memory.get("despite"):
        yield locale.text("memory.despite", phases=[locale.text(f"memory.phases.{name}") for name in memory["despite"]])


def _assumed(memory: Mapping[str, Any], locale: "Locale") -> Iterator[str]:
    """What nobody said and the figures rest on all the same."""
    rests = memory.get("rests_on") or {}
    if rests.get("assumed"):
        arch = locale.knowledge.families.arch(rests["arch"]) if locale.knowledge else None
        values = {"weights": rests["weights"], "model": rests["arch"] if arch is None else arch.label}
        taken = [locale.text(f"memory.taken.{name}", **values) for name in rests["assumed"]]
        yield locale.text("memory.assumes", taken=taken)


def _mostly(parts: Mapping[str, float], locale: "Locale") -> str:
    """What a phase that may not fit is made of: its largest parts."""
    largest: list[str] = []
    for part in sorted(parts, key=lambda part: parts[part], reverse=True):
        if sum(parts[one] for one in largest) < MOST * sum(parts.values()):
            largest.append(part)
    named = [locale.text("memory.part", part=locale.text(f"memory.parts.{part}"), size=parts[part]) for part in largest]
    return locale.text("memory.mostly", parts=named)


def bars(memory: Mapping[str, Any], locale: "Locale", width: int = WIDTH) -> Iterator[str]:
    """One bar a phase, parts side by side; `|` stands at the end of the card, `…` where a bar is cut.

    Below them what each sign is.
    """
    phases: Mapping[str, Mapping[str, float]] = memory["all_parts"]
    names = {phase: locale.text(f"memory.phases.{phase}") for phase in phases}
    card = memory.get("usable_gib") or 0.0
    longest = max(sum(parts.values()) for parts in phases.values())
    scale = width / (max(card, min(longest, CARDS * card)) if card else longest)
    margin = max(map(len, names.values()))
    for phase, parts in phases.items():
        drawn = "".join(PARTS[part] * length for part, length in _lengths(parts, scale))
        drawn = drawn if len(drawn) <= width else drawn[: width - 1] + "…"
        yield f"{names[phase]:<{margin}} {_with_edge(drawn, round(card * scale))}"
    used = [part for part in PARTS if any(part in parts for parts in phases.values())]
    signs: dict[str, list[str]] = {}
    for part in used:
        signs.setdefault(PARTS[part], []).append(locale.text(f"memory.parts.{part}"))
    yield "  ".join(f"{sign} {' / '.join(said)}" for sign, said in signs.items())


def _with_edge(drawn: str, end: int) -> str:
    if not end:
        return drawn
    return f"{drawn[:end]:<{end}}|{drawn[end:]}"


def _lengths(parts: Mapping[str, float], scale: float) -> Iterator[tuple[str, int]]:
    """Characters of each part; rounding is carried along, so that the whole bar is as long as its sum."""
    drawn, total = 0, 0.0
    for part in PARTS:
        total += parts.get(part, 0.0)
        length = round(total * scale) - drawn
        drawn += length
        if length:
            yield part, length
