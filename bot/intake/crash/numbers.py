"""Sizes in an error text, in bytes, and what the numbers alone decide."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bot.intake.crash.match import Chosen
from bot.intake.crash.view import View
from bot.knowledge.schema import Class
from bot.knowledge.signature_file import Thresholds
from bot.knowledge.signatures import Signatures

_REACH = 1700
_BACK = 260
_TWICE = b"triedtoallocate"
_UNITS = {
    "bytes": 1,
    "kb": 2**10,
    "kib": 2**10,
    "mb": 2**20,
    "mib": 2**20,
    "gb": 2**30,
    "gib": 2**30,
    "tb": 2**40,
    "tib": 2**40,
}
_SAME = 0.01
_MOST_DIGITS = 26


class Numbers(NamedTuple):
    """Figures in bytes by the contract's names; `others` are the other processes, one by one."""

    figures: Mapping[str, int]
    others: tuple[int, ...]
    gpu_index: int | None
    exact: bool
    sentinel: bool


class Judgement(NamedTuple):
    """What the derived rules say: flags, the figures they correct, and the class where it changes."""

    flags: tuple[str, ...]
    figures: Mapping[str, int]
    others: int
    class_: Class | None


def parse_size(text: str) -> int | None:
    """`1.95gib`, `298.gib`, `23,64gib`, `0bytes`, `1024`: bytes. Units are powers of 1024, GB means GiB."""
    digits = text.rstrip("abgikmtyes")
    unit = _UNITS.get(text[len(digits) :] or "bytes")
    number = digits.rstrip(".,")
    if "," in number:
        whole, _, rest = number.rpartition(",")
        grouped = "." in number or "," in whole or (len(rest) == 3 and unit == 1)
        number = number.replace(",", "") if grouped else f"{whole}.{rest}"
    if unit is None or number.count(".") > 1 or not 0 < len(number) <= _MOST_DIGITS:
        return None
    return int(float(number) * unit)


def read_numbers(view: View, signatures: Signatures, chosen: Chosen) -> Numbers:
    """The figures of the chosen error; where its text is cut, those of the same error printed before."""
    found: dict[str, int] = {}
    others: tuple[int, ...] = ()
    gpu: int | None = None
    for start, end in _texts(view, chosen):
        figures, here = _figures(view, signatures, start, end)
        if "tried" in found and figures.get("tried", found["tried"]) != found["tried"]:
            continue
        found = figures | found
        others = others or here
        gpu = _gpu_index(view, signatures, start, end) if gpu is None else gpu
    limit = signatures.file.thresholds.sentinel
    sentinel = any(value >= limit for value in (*found.values(), *others))
    found = {name: value for name, value in found.items() if value < limit}
    if "reserved" in found and "allocated" in found:
        found.setdefault("reserved_unallocated", max(0, found["reserved"] - found["allocated"]))
    exact = _exact(view, signatures, found)
    return Numbers(found | exact, tuple(size for size in others if size < limit), gpu, bool(exact), sentinel)


def _texts(view: View, chosen: Chosen) -> Iterator[tuple[int, int]]:
    """Spans of the error's text: the chosen one, then the other printings in the same failure."""
    match = chosen.match
    yield match.start, _end_of_text(view, match.start)
    where = view.squeezed.rfind(_TWICE, match.span[0], match.start)
    for _ in range(4):
        if where == -1:
            return
        yield max(match.span[0], where - _BACK), _end_of_text(view, where)
        where = view.squeezed.rfind(_TWICE, match.span[0], where)


def _end_of_text(view: View, start: int) -> int:
    first = view.squeezed.find(_TWICE, start, start + _BACK)
    again = view.squeezed.find(_TWICE, (first if first != -1 else start) + 1, start + _REACH)
    return again if again != -1 else min(len(view.squeezed), start + _REACH)


def _figures(view: View, signatures: Signatures, start: int, end: int) -> tuple[dict[str, int], tuple[int, ...]]:
    text = view.squeezed[start:end]
    found: dict[str, int] = {}
    others: list[int] = []
    for place in signatures.any_number.matching(text):
        number = signatures.file.numbers[place]
        if number.name in found:
            continue
        pattern = signatures.pattern(number.pattern)
        sizes = (parse_size(match[1].decode()) for match in pattern.finditer(text))
        values = [size for size in sizes if size is not None]
        if number.all:
            others += values
        elif values:
            found[number.name] = values[0]
    return found, tuple(others)


def _gpu_index(view: View, signatures: Signatures, start: int, end: int) -> int | None:
    match = signatures.pattern(signatures.file.gpu_index).search(view.squeezed[start:end])
    if match is None:
        return None
    index: bytes = match[1]
    return int(index) if index.isdigit() else index[0]


def _exact(view: View, signatures: Signatures, found: Mapping[str, int]) -> dict[str, int]:
    """The byte counts that torch 2.13 prints before it gives up, where they are those of this error."""
    if "tried" not in found or b"failedwithoom" not in view.squeezed:
        return {}
    for match in signatures.pattern(signatures.file.exact_numbers).finditer(view.squeezed):
        tried, free, total = (int(match[group]) for group in (1, 2, 3))
        if abs(tried - found["tried"]) <= found["tried"] * _SAME:
            return {"tried": tried, "free": free, "total": total}
    return {}


def judge_numbers(numbers: Numbers, limits: Thresholds) -> Judgement:
    """Apply the derived rules, in their order. Without a total and a request there is nothing to judge."""
    figures = dict(numbers.figures)
    flags = ["nvml_sentinel"] if numbers.sentinel else []
    tried, total = figures.get("tried"), figures.get("total")
    if tried is None or total is None:
        return Judgement(tuple(flags + _of_user(figures, limits)), figures, sum(numbers.others), None)
    used = figures.get("allocated", 0) + figures.get("reserved_unallocated", 0)
    spill = figures.get("allocated", 0) > total or (figures.get("free") == 0 and used > total)
    others, own = _own_process(numbers, used, limits)
    if own is not None:
        figures["self_in_use"] = own
    holds, gap = _held_by_others(figures, others, tried, limits), _gap(numbers, figures, spill, limits)
    flags += [name for name, on in (("spill", spill), ("pid_namespace", own is not None)) if on]
    flags += [name for name, on in (("other_process", holds), ("gap", gap > 0)) if on]
    flags += _of_request(figures, tried, total, limits) + _of_user(figures, limits)
    return Judgement(tuple(flags), figures, sum(others) or gap, "gpu_shared" if holds or gap else None)


def _own_process(numbers: Numbers, used: int, limits: Thresholds) -> tuple[tuple[int, ...], int | None]:
    """The process that is this one under the PID of another name space (containers), told by its size.

    Where the text ends before torch's own count: the only one named is this one if it leaves no room for a second context.
    """
    if "self_in_use" in numbers.figures:
        return numbers.others, None
    if "allocated" not in numbers.figures:
        alone = len(numbers.others) == 1 and {"free", "total"} <= set(numbers.figures)
        left = numbers.figures["total"] - numbers.figures["free"] - sum(numbers.others) if alone else limits.context_min
        return ((), numbers.others[0]) if left < limits.context_min else (numbers.others, None)
    slack = int(used * _SAME)
    for index, size in enumerate(numbers.others):
        if used - slack <= size <= used + limits.own_process_extra:
            return numbers.others[:index] + numbers.others[index + 1 :], size
    return numbers.others, None


def _held_by_others(figures: Mapping[str, int], others: tuple[int, ...], tried: int, limits: Thresholds) -> bool:
    held = sum(others)
    enough = held >= max(limits.other_process_min, limits.other_process_share * figures["total"])
    return enough and held + figures.get("free", 0) >= tried


def _gap(numbers: Numbers, figures: Mapping[str, int], spill: bool, limits: Thresholds) -> int:
    """Bytes of the card that nobody named holds, where that is more than a context; else 0."""
    processes_named = numbers.others or numbers.sentinel or "self_in_use" in figures
    if spill or processes_named or not {"free", "allocated", "reserved_unallocated"} <= set(figures):
        return 0
    gap = figures["total"] - figures["free"] - figures["allocated"] - figures["reserved_unallocated"]
    enough = gap >= max(limits.gap_min, limits.gap_share * figures["total"])
    return gap if enough and gap + figures["free"] >= figures["tried"] else 0


def _of_request(figures: Mapping[str, int], tried: int, total: int, limits: Thresholds) -> list[str]:
    unallocated = figures.get("reserved_unallocated", 0)
    split = unallocated >= max(tried, limits.fragmentation_min, limits.fragmentation_share * total)
    tiny = tried < limits.tiny_request and "free" in figures and figures["free"] < tried
    return [name for name, on in (("fragmentation", split), ("absurd", tried > total), ("tiny", tiny)) if on]


def _of_user(figures: Mapping[str, int], limits: Thresholds) -> list[str]:
    capped = "allowed" in figures
    pools = figures.get("private_pools", 0)
    graphs = pools > 0 and pools >= limits.private_pool_share * figures.get("allocated", 0)
    return [name for name, on in (("user_cap", capped), ("cuda_graphs", graphs)) if on]
