"""The one call: any number of texts and files in, evidence out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bot.evidence import Crash, Evidence, Redaction, Source, value
from bot.facts import Fact, Facts
from bot.intake.documents.choose import choose_config
from bot.intake.documents.find import Found, find_documents
from bot.intake.documents.fragments import is_whole
from bot.intake.documents.page import Page, make_page
from bot.intake.merge import join, merge
from bot.intake.model import log_model
from bot.intake.said.hardware_log import log_hardware
from bot.intake.text.clean import Line, clean
from bot.intake.text.decode import Notice, decode
from bot.intake.text.redact import Redactor
from bot.knowledge.load import Knowledge

MAX_SOURCES = 50
MAX_TOTAL = 16 * 2**20  # bytes or characters looked at, all sources together
# Blanks, controls, and marks that say how to read what follows: a text of nothing else is empty.
_UNSEEN_SPANS = (
    (0, 33),
    (127, 128),
    (160, 161),
    (173, 174),
    (0x2000, 0x2010),
    (0x2028, 0x2030),
    (0x205F, 0x2061),
    (0xFEFF, 0xFF00),
)
_UNSEEN = "".join(chr(code) for span in _UNSEEN_SPANS for code in range(*span))


@dataclass(frozen=True, slots=True)
class Pasted:
    """One text or file as it came. `name` is shown in diffs; `data` is bytes for files."""

    name: str
    data: str | bytes


@dataclass(frozen=True, slots=True)
class Told:
    """What the person said outside the paste (command-line options, slash-command options)."""

    gpu: str | None = None
    vram_gib: float | None = None
    ram_gib: float | None = None
    goal: str | None = None


class _Sheet(NamedTuple):
    """One source, taken apart. `rest` are the lines outside of configs, where one of them has something in it."""

    source: Source
    page: Page
    found: Found
    rest: tuple[Line, ...]
    redactions: tuple[Redaction, ...]
    notices: tuple[Notice, ...]


def read(pasted: Sequence[Pasted], knowledge: Knowledge, told: Told = Told()) -> Evidence:
    """Everything that can be told from what was pasted. Never raises on content."""
    sheets, notices = _sheets(pasted, knowledge)
    tool = _tool(sheets, knowledge)
    ours = tool in {"ai-toolkit", "unknown"}
    documents = [document for sheet in sheets for document in sheet.found.documents] if ours else []
    chosen = choose_config(documents, [(sheet.source.name, sheet.rest) for sheet in sheets], knowledge)
    crash, logs = _read_logs(sheets, knowledge)
    prose, language = _read_prose(sheets, knowledge)
    own, unknown = _told_facts(told, knowledge)
    foreign = {} if ours else _foreign_facts(sheets, tool, knowledge)
    facts = merge(chosen.facts, logs, join((foreign, prose)), own, knowledge)
    tool = "ai-toolkit" if chosen.config else tool
    facts |= {"tool": Fact(tool, "derived"), "tool.foreign": Fact(tool not in {"ai-toolkit", "unknown"}, "derived")}
    return Evidence(
        sources=tuple(sheet.source for sheet in sheets),
        facts=facts,
        config=chosen.config,
        others=chosen.others,
        misplaced=chosen.misplaced,
        crash=crash,
        redactions=tuple(redaction for sheet in sheets for redaction in sheet.redactions),
        prose_language=language,
        notices=(*notices, *unknown, *(notice for sheet in sheets for notice in sheet.notices)),
    )


def _tool(sheets: Sequence[_Sheet], knowledge: Knowledge) -> str:
    """Whose trainer it is: a whole job file tells for certain, and so does the dump of a process."""
    if any(is_whole(document) for sheet in sheets for document in sheet.found.documents):
        return "ai-toolkit"
    from bot.intake.said.tools import which_tool

    lines = [line for sheet in sheets for line in sheet.page.lines]
    return which_tool(lines, [data for sheet in sheets for data in sheet.found.data], knowledge)


def carry_back(pasted: Pasted, evidence: Evidence, patched: str) -> bytes | None:
    """The pasted original with the config's patched text in its place; see `bot.intake.text.originals.carry_back`."""
    from bot.intake.text import originals

    return originals.carry_back(pasted.data, evidence, patched)


def _sheets(pasted: Sequence[Pasted], knowledge: Knowledge) -> tuple[list[_Sheet], list[Notice]]:
    notices: list[Notice] = []
    if len(pasted) > MAX_SOURCES:
        notices.append(("too-many-sources", {"most": MAX_SOURCES, "given": len(pasted)}))
    redactor = Redactor(knowledge)
    sheets: list[_Sheet] = []
    budget = MAX_TOTAL
    for one in pasted[:MAX_SOURCES]:
        if budget <= 0:
            notices.append(("input-too-large", {"mib": MAX_TOTAL // 2**20, "name": one.name}))
        sheets.append(_sheet(len(sheets), one, budget, redactor))
        budget = max(0, budget - len(one.data))
    return sheets, notices


def _sheet(at: int, one: Pasted, budget: int, redactor: Redactor) -> _Sheet:
    decoded = decode(one.data if budget else one.data[:0], one.name, budget)
    text, redactions = redactor.redact(at, decoded.text)
    gap = decoded.gap
    if gap is not None:
        gap += sum(len(r.placeholder) - r.end + r.start for r in redactions if r.start < gap)
    cleaned = clean(text, gap, decoded.gap_lines)
    gap_row = None if gap is None else text.count("\n", 0, gap)
    page = make_page(at, text, cleaned.lines, gap_row, decoded.gap_lines)
    found = find_documents(page)
    notices = [*decoded.notices, *found.notices]
    if not notices and not text.lstrip(_UNSEEN):
        notices.append(("empty", {"name": one.name}))
    notices += [("line-breaks-restored", {"line": line}) for line in cleaned.restored[:1]]
    notices += [("line-breaks-lost", {"line": line}) for line in cleaned.lost[:1]]
    if cleaned.left_out:
        notices.append(("lines-left-out", {"name": one.name, "count": cleaned.left_out}))
    rest = found.rest if any(line.text and not line.text.isspace() for line in found.rest) else ()
    return _Sheet(Source(one.name, text), page, found, rest, redactions, tuple(notices))


def _read_logs(sheets: Sequence[_Sheet], knowledge: Knowledge) -> tuple[Crash | None, dict[str, Fact]]:
    """The error that counts, and the facts of every log: those of its own log first."""
    crash: Crash | None = None
    readings: list[tuple[int, Facts]] = []
    for at, sheet in enumerate(sheets):
        shown = log_hardware(at, [*sheet.found.paths, *sheet.rest], knowledge)  # paths in a config tell the system too
        if not sheet.rest:
            readings.append((0, shown))
            continue
        from bot.intake.crash.read import read_crash
        from bot.intake.text.reflow import unwrap

        lines = [Line(*row) for row in unwrap(list(sheet.rest))]
        reading = read_crash(at, lines, knowledge)
        shown = {**log_model(at, lines, knowledge), **shown}
        fatal = reading.crash is not None and value(reading.facts, "crash.fatal") is not False
        # The last error of the last log ended the run; one that was survived counts only where there is no other.
        if reading.crash is not None and (fatal or crash is None):
            crash = reading.crash
        readings.append((2 * fatal + (reading.crash is not None), {**shown, **reading.facts}))
    ordered = sorted(enumerate(readings), key=lambda item: (-item[1][0], -item[0]))
    return crash, join(facts for _, (_, facts) in ordered)


def _read_prose(sheets: Sequence[_Sheet], knowledge: Knowledge) -> tuple[Facts, str | None]:
    """What people say, and in which language. A config alone, the most common paste, needs none of this loaded."""
    if not any(sheet.rest for sheet in sheets):
        return {}, None
    from bot.intake.said.language import language_of
    from bot.intake.said.prose import read_prose
    from bot.intake.text.kinds import prose_of

    said = [prose_of(sheet.rest, knowledge) for sheet in sheets]
    facts = join(read_prose(at, lines, knowledge) for at, lines in enumerate(said))
    return facts, language_of([line for lines in said for line in lines], knowledge)


def _foreign_facts(sheets: Sequence[_Sheet], tool: str, knowledge: Knowledge) -> Facts:
    """The settings of another trainer."""
    from bot.intake.said.tools_facts import tool_facts

    return join(tool_facts(at, sheet.page.lines, sheet.found.data, tool, knowledge) for at, sheet in enumerate(sheets))


def _told_facts(told: Told, knowledge: Knowledge) -> tuple[dict[str, Fact], list[Notice]]:
    """The facts that options state, and a notice where a card's name is not known."""
    said: dict[str, Any] = {}
    notices: list[Notice] = []
    if told.gpu is not None:
        card, size = knowledge.gpus.told(told.gpu)
        said["gpu.vram_gib"] = size
        if card is None and size is None and told.vram_gib is None:
            notices.append(("unknown-gpu", {"name": told.gpu[:80]}))
        elif card is not None:
            said |= {"gpu.name": card.name, "gpu.vendor": card.vendor, "gpu.unified": card.unified}
    if told.vram_gib is not None:
        said["gpu.vram_gib"] = told.vram_gib
    said |= {"host.ram_gib": told.ram_gib, "goal": told.goal}
    return {name: Fact(value, "option") for name, value in said.items() if value is not None}, notices
