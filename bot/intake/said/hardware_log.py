"""The machine, from what a log or a terminal shows: nvidia-smi tables, torch's own lines, paths."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.facts import Fact
from bot.intake.text.clean import Line
from bot.intake.text.passage import Passage
from bot.knowledge.hosts import hosts_of
from bot.knowledge.load import Knowledge

if TYPE_CHECKING:
    from bot.knowledge.gpus import Seen

_USED_OF = re.compile(r"(\d{1,7})\s?MiB\s{0,4}/\s{0,4}(\d{1,7})\s?MiB")
_PROCESS = re.compile(
    r"^\|\s{0,8}\d{1,2}\s.{0,30}?(\d{2,8})\s{1,9}[CG+]{1,3}\s{1,4}(\S.{0,60}?)\s{1,40}(\d{1,7})MiB\s{0,3}\|?\s{0,3}$"
)
_MAKERS = ("NVIDIA ", "GeForce", "Radeon", "Instinct", "AMD ")
_HEAD, _TAIL = 3000, 600


def log_hardware(source: int, lines: Sequence[Line], knowledge: Knowledge) -> dict[str, Fact]:
    """The gpu.* and host.* facts (origin `log`) of cleaned lines; of a long log the first and last lines are read."""
    ends = lines if len(lines) <= _HEAD + _TAIL else (*lines[:_HEAD], *lines[-_TAIL:])
    passage = Passage(source, ends, limit=400_000)
    facts = _paths(passage, knowledge)
    named = [line for line in ends if any(maker in line.text for maker in _MAKERS)]
    table = [line for line in ends if "MiB" in line.text and "|" in line.text] if "MiB" in passage.text else []
    cards = _cards(source, named[:40], knowledge)
    if cards:
        (seen, fact_place), count = cards[0], len(cards)
        facts |= {
            "gpu.name": Fact(seen.gpu.name, "log", fact_place.place(seen.start)),
            "gpu.vendor": Fact(seen.gpu.vendor, "log", fact_place.place(seen.start)),
            "gpu.unified": Fact(seen.gpu.unified, "log", fact_place.place(seen.start)),
            "gpu.count": Fact(count if table else 1, "log", fact_place.place(seen.start)),
        }
        if seen.gpu.gib is not None:
            facts["gpu.vram_gib"] = Fact(float(seen.gpu.gib), "log", fact_place.place(seen.start))
    return facts | _smi(source, table, cards[0][0] if cards else None, hosts_of(knowledge).programs)


def _cards(source: int, lines: Sequence[Line], knowledge: Knowledge) -> "list[tuple[Seen, Passage]]":
    found: list[tuple[Seen, Passage]] = []
    for line in lines:
        passage = Passage(source, [line], limit=2000)
        found.extend((seen, passage) for seen in knowledge.gpus.search(passage.text)[:1])
    return found


def _smi(source: int, rows: Sequence[Line], seen: "Seen | None", programs: Sequence[str]) -> dict[str, Fact]:
    """Size of the first card, and what processes other than the largest Python one hold."""
    facts: dict[str, Fact] = {}
    totals = [(match, row) for row in rows if (match := _USED_OF.search(row.text))]
    if totals:
        match, row = totals[0]
        total = int(match[2]) / 1024
        sold = None if seen is None else seen.gpu.with_size(total)
        place = Passage(source, [row]).place(0)
        facts["gpu.vram_gib"] = Fact(float(round(total)) if sold is None else sold, "log", place)
        facts["gpu.count"] = Fact(len(totals), "log", place)
    processes = [(int(match[3]), match[2].lower(), row) for row in rows if (match := _PROCESS.match(row.text.strip()))]
    if processes:
        ours = (size for size, name, _ in processes if "python" in name and not any(word in name for word in programs))
        own = max(ours, default=0)
        others = sum(size for size, _, _ in processes) - own
        facts["gpu.others_gib"] = Fact(round(others / 1024, 2), "log", Passage(source, [processes[0][2]]).place(0))
    return facts


def _paths(passage: Passage, knowledge: Knowledge) -> dict[str, Fact]:
    hosts = hosts_of(knowledge)
    facts: dict[str, Fact] = {}
    for fact, names in (("host.platform", hosts.platforms), ("host.cloud", hosts.clouds)):
        for name in names:
            at = next((at for mark in hosts.marks[name] if (at := passage.text.find(mark)) >= 0), None)
            if at is not None:
                facts[fact] = Fact(name, "log", passage.place(at))
                break
    return facts
