"""The error that ended a run, its numbers, phase and what came before."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bot.evidence import Crash
from bot.facts import Fact, FactValue, Origin, Place
from bot.intake.crash.build import build_window, card_named, model_given_away, torch_version
from bot.intake.crash.classes import Scene, class_of, more_flags
from bot.intake.crash.ends import has_begun, just_ends
from bot.intake.crash.log import Log, read_log, resets
from bot.intake.crash.match import Chosen, Found, find
from bot.intake.crash.numbers import Judgement, Numbers, judge_numbers, read_numbers
from bot.intake.crash.phase import NO_TRACE, Trace, read_trace
from bot.intake.crash.view import View
from bot.intake.text.clean import Line
from bot.knowledge.load import Knowledge
from bot.knowledge.signatures import Signatures

_GIB = 2**30
_WORTH_READING = (b"%|", b"torch", b"bucket", b"cuda_log_file")
_CLASS_NAME = re.compile(
    r"((?:[A-Za-z_]\w{0,60}\.){0,8}[A-Za-z_]\w{0,60}(?:Error|Exception|OutOfResources|Interrupt)):"
)
_VENDORS = {"cuda": "nvidia", "hip": "amd", "mps": "apple", "xpu": "intel"}
_SIZES = {
    "tried": "tried", "total": "total", "free": "free", "allocated": "allocated",
    "reserved_unallocated": "reserved", "self_in_use": "self",
}  # fmt: skip


class CrashReading(NamedTuple):
    """What a log says: the crash (None where no error text was found) and the crash.*, log.*, torch.version facts."""

    crash: Crash | None
    facts: Mapping[str, Fact]


def read_crash(source: int, lines: Sequence[Line], knowledge: Knowledge) -> CrashReading:
    """Read the cleaned lines of one source.

    An error that the run survived is told in `crash` and in the crash.* numbers, with `crash.fatal` false and class
    `none` (banners, though, keep the class vram_oom: those steps were lost). `crash.phase` is then how far the log got.
    """
    signatures = knowledge.signatures
    view = View(source, lines)
    present = signatures.gate.present(view.squeezed)
    if not present and not any(word in view.squeezed for word in _WORTH_READING):
        return CrashReading(None, {})
    log = read_log(view, signatures, present)
    found = find(view, signatures, log, present)
    chosen = found.chosen
    trace = read_trace(view, signatures, log, chosen.match) if chosen else NO_TRACE
    facts = _log_facts(view, signatures, log, found) | _environment(view, signatures, log, trace)
    if chosen is None:
        return CrashReading(None, _as_facts(facts, _places(view, log, None)))
    scene = Scene(view, signatures, present, log, chosen, trace)
    numbers = read_numbers(view, signatures, chosen)
    judged = judge_numbers(numbers, signatures.file.thresholds)
    places = _places(view, log, chosen)
    facts |= _crash_facts(scene, numbers, judged)
    crash = Crash(
        signature=chosen.match.signature.id,
        error=facts["crash.error"],
        backend=facts["crash.backend"],
        gpu_index=numbers.gpu_index,
        step=facts["crash.step"],
        numbers=_contract_numbers(numbers, judged),
        place=places["crash"],
    )
    return CrashReading(crash, _as_facts(facts, places))


def _places(view: View, log: Log, chosen: Chosen | None) -> dict[str, Place]:
    """The line to cite for a fact or for all facts of a group."""
    offsets: dict[str, int] = {"crash": chosen.match.start} if chosen else {}
    if log.signs:
        offsets["log"] = log.signs[-1].offset
    if log.banners:
        offsets |= dict.fromkeys(("log.banners", "log.intermittent"), log.banners[-1].offset)
    if log.bars:
        offsets |= dict.fromkeys(("log.step", "log.s_per_it", "crash.step"), log.bars[-1].offset)
    return {name: view.place(offset) for name, offset in offsets.items()}


def _as_facts(values: Mapping[str, Any], places: Mapping[str, Place]) -> dict[str, Fact]:
    def place(name: str) -> Place | None:
        return places.get(name) or places.get(name.partition(".")[0])

    origins: dict[str, Origin] = {"crash.flags": "derived", "crash.class": "derived"}
    return {
        name: Fact(value, origins.get(name, "log"), place(name)) for name, value in values.items() if value is not None
    }


def _crash_facts(scene: Scene, numbers: Numbers, judged: Judgement) -> dict[str, Any]:
    signature = scene.match.signature
    bar = scene.log.bar_before(scene.match.start)
    facts: dict[str, FactValue | None] = {
        "crash.present": True,
        "crash.signature": signature.id,
        "crash.fatal": scene.chosen.fatal,
        "crash.class": class_of(scene, judged),
        "crash.phase": scene.phase,
        "crash.backend": signature.backend,
        "gpu.vendor": _VENDORS.get(signature.backend or ""),
        "crash.error": _error_name(scene),
        "crash.gpu_index": numbers.gpu_index,
        "crash.step": bar.step if bar else None,
        "crash.flags": (*judged.flags, *more_flags(scene)) or None,
        "crash.others_gib": judged.others / _GIB or None,
    }
    return facts | {
        f"crash.{short}_gib": judged.figures[name] / _GIB for name, short in _SIZES.items() if name in judged.figures
    }


def _error_name(scene: Scene) -> str | None:
    """The exception's class as printed: on the error's own line, or on a later line of the same failure."""
    view, match = scene.view, scene.match
    first, last = view.line_of(match.start), view.line_of(max(0, match.span[1] - 1))
    for line in view.lines[max(0, first - 1) : min(last, first + 120) + 1]:
        named = _CLASS_NAME.search(line.text[:400])
        if named:
            return named[1]
    return None


def _log_facts(view: View, signatures: Signatures, log: Log, found: Found) -> dict[str, Any]:
    last = log.bars[-1] if log.bars else None
    facts: dict[str, Any] = {"log.present": True} if log.signs else {}
    facts |= {"log.survived": found.survived or None, "log.stopped": found.stopped or None}
    facts |= {"log.markers": log.markers} if log.markers else {}
    if log.signs and (found.chosen is not None or has_begun(log, signatures)):
        facts["log.phase"] = next((sign.phase for sign in reversed(log.signs) if sign.phase), None)
    if log.signs:
        facts["log.ends"] = just_ends(view, signatures, log, found.chosen) or None
    if log.banners or log.aborted:
        facts |= {"log.banners": len(log.banners), "log.aborted": log.aborted, "log.intermittent": resets(log)}
    if last:
        facts |= {"log.step": last.step, "log.steps_done": last.step > 0, "log.s_per_it": last.seconds}
    if log.buckets:
        facts["log.buckets"] = tuple(f"{w}x{h}" if f == 1 else f"{w}x{h}x{f}" for w, h, f in log.buckets)
        facts["log.bucket_pixels"] = max(w * h for w, h, _ in log.buckets)
        facts["log.bucket_frames"] = max(f for _, _, f in log.buckets)
    return facts


def _environment(view: View, signatures: Signatures, log: Log, trace: Trace) -> dict[str, Any]:
    facts: dict[str, Any] = dict(model_given_away(log, signatures))
    card = card_named(view)
    facts |= {"gpu.name": card, "gpu.vendor": "nvidia"} if card else {}
    return facts | build_window(view, signatures, log, trace) | {"torch.version": torch_version(view, signatures)}


def _contract_numbers(numbers: Numbers, judged: Judgement) -> dict[str, int]:
    """Bytes by the contract's names; of the other processes the sum."""
    others = {"others_in_use": sum(numbers.others)} if numbers.others else {}
    return {**judged.figures, **others}
