"""Cases and numbers as lines of plain text, for the terminal and for Discord alike."""

from collections.abc import Iterable, Mapping
from typing import Final

from bot.cases.model import Case, FullCase, Note, OfferedStep
from bot.cases.stats import BY, Spot, Stats, Success
from bot.knowledge.locale import Locale
from bot.knowledge.spoken import clean, printable

BAR: Final = 24
# Rows of each table of figures; the rest is summed up in one.
ROWS: Final = 12


def named(words: Locale, section: str, name: str | None) -> str:
    """The name that people know, of a class, a phase, a lever; the bare word where there is none."""
    if not name:
        return words.text("cases.not_known")
    key = f"{section}.{name}"
    return words.find(f"{key}.name") or words.find(key) or clean(name)


def case_kind(case: Case, words: Locale) -> list[str]:
    """What a case is about and how it stands, in the words of a list."""
    parts = [
        named(words, "cases.states", case.state),
        named(words, "classes", case.problem_class),
        clean(case.family or ""),
        clean(case.gpu or ""),
        named(words, "levers", case.lever) if case.lever else "",
        named(words, "cases.verdicts", case.verdict) if case.verdict else "",
    ]
    return [part for part in parts if part]


def case_line(case: Case, words: Locale) -> str:
    """One case in one line of a list."""
    return " · ".join([case.id, minute(case.created_at), *case_kind(case, words)])


def minute(at: str) -> str:
    """A stored time for a terminal: the day and the minute, in UTC."""
    return at[:16].replace("T", " ")


def case_facts(full: FullCase, words: Locale) -> dict[str, str]:
    """What a case is, by names of `cases.fields`; nothing where it is not known."""
    case = full.case
    facts = {
        "state": named(words, "cases.states", case.state),
        "problem": f"{named(words, 'classes', case.problem_class)}, {named(words, 'phases', case.phase)}",
        "model": ", ".join(clean(part) for part in (case.family, case.arch) if part),
        "gpu": _gpu(case, words),
        "language": case.locale,
        "asked": f"{case.created_at} ({named(words, 'cases.origins', case.origin)})",
        "asker": str(case.asker or ""),
        "assigned": str(case.assigned or ""),
        "link": case.link or "",
    }
    return {name: value for name, value in facts.items() if value}


def case_head(full: FullCase, words: Locale) -> list[str]:
    """What a case is, line by line, without texts and diffs."""
    facts = case_facts(full, words).items()
    title = words.text("cases.title", id=full.case.id)
    return [title, *(f"{words.text(f'cases.fields.{name}')}: {value}" for name, value in facts)]


def step_lines(steps: Iterable[OfferedStep], words: Locale) -> list[str]:
    """What was offered, with what became of it."""
    return [
        f"{step.round}. {named(words, 'levers', step.lever)} ({step.rule}): {named(words, 'cases.outcomes', step.outcome)}"
        for step in steps
    ]


def note_lines(notes: Iterable[Note], words: Locale) -> list[str]:
    """What moderators noted and judged, with the id of who did."""
    return [
        " · ".join([minute(note.at), *([] if note.author is None else [str(note.author)])])
        + f": {note_said(note, words)}"
        for note in notes
    ]


def note_said(note: Note, words: Locale) -> str:
    """A note's words, with its verdict before them."""
    judged = f"[{named(words, 'cases.verdicts', note.verdict)}] " if note.verdict else ""
    return judged + printable(note.text)


def case_text(full: FullCase, words: Locale) -> str:
    """Everything about a case; no escape sequence of a paste reaches a terminal."""
    blocks = ["\n".join(case_head(full, words))]
    if full.steps:
        blocks.append("\n".join([words.text("cases.fields.steps"), *step_lines(full.steps, words)]))
    blocks += [printable(step.diff).rstrip("\n") for step in full.steps if step.diff]
    if full.notes:
        blocks.append("\n".join([words.text("cases.fields.notes"), *note_lines(full.notes, words)]))
    blocks += [
        f"=== {clean(document.name)} ({document.kind})\n{printable(document.text)}" for document in full.documents
    ]
    if not full.documents:
        blocks.append(words.text("cases.no_text"))
    return "\n\n".join(blocks)


def stats_text(found: Stats, words: Locale) -> str:
    """The figures with bars of text."""
    blocks = [words.text("cases.stats.cases", count=found.cases)]
    sections = {"class": "classes", "phase": "phases", "state": "cases.states", "verdict": "cases.verdicts"}
    for name in BY:
        counts = {key: n for key, n in found.by[name].items() if key or name != "verdict"}
        if counts:
            labels = {named(words, sections.get(name, name), key): n for key, n in counts.items()}
            blocks.append("\n".join([words.text(f"cases.stats.{name}"), *bars(labels, words)]))
    if found.levers:
        lines = [_success(named(words, "levers", lever), success, words) for lever, success in found.levers.items()]
        blocks.append("\n".join([words.text("cases.stats.levers"), *lines]))
    if found.rounds:
        labels = {words.text("cases.stats.round", count=rounds): n for rounds, n in found.rounds.items()}
        blocks.append("\n".join([words.text("cases.stats.rounds"), *bars(labels, words)]))
    limits = {"asked": found.asked, "gave_up": found.gave_up}
    totals = {name: sum(spot.n for spot in spots) for name, spots in limits.items()}
    blocks.append(words.text("cases.stats.limits", totals))
    blocks += [
        "\n".join([words.text(f"cases.stats.{name}"), *bars({_spot(spot, words): spot.n for spot in spots}, words)])
        for name, spots in limits.items()
        if spots
    ]
    return "\n\n".join(blocks)


def _spot(spot: Spot, words: Locale) -> str:
    parts = [named(words, "classes", spot.problem_class), named(words, "phases", spot.phase), clean(spot.family)]
    return " · ".join(part for part in parts if part)


def bars(counts: Mapping[str, int], words: Locale) -> list[str]:
    """One line for each count, largest first as given; the tail of a long table is one line."""
    shown = dict(list(counts.items())[:ROWS])
    rest = sum(counts.values()) - sum(shown.values())
    if rest:
        shown[words.text("cases.stats.rest")] = rest
    width = max(map(len, shown))
    most = max(shown.values())
    return [f"  {label:<{width}}  {'█' * max(1, round(BAR * n / most))} {n}" for label, n in shown.items()]


def report_text(found: Stats, unexplained: Iterable[Case], words: Locale) -> str:
    """Rules by measured success, and the cases that no rule explained."""
    rules = [_success(clean(rule), success, words) for rule, success in found.rules.items()]
    blocks = ["\n".join([words.text("cases.report.rules"), *(rules or [words.text("cases.report.no_rules")])])]
    lines = [case_line(case, words) for case in unexplained]
    blocks.append("\n".join([words.text("cases.report.unexplained"), *(lines or [words.text("cases.report.none")])]))
    return "\n\n".join(blocks)


def _success(name: str, success: Success, words: Locale) -> str:
    figures = {
        "offered": success.offered, "worked": success.worked, "failed": success.failed,
        "undone": success.undone, "unanswered": success.unanswered,
    }  # fmt: skip
    rate = {} if success.rate is None else {"rate": success.rate}
    return f"  {name}: " + words.text("cases.stats.success", figures | rate)


def _gpu(case: Case, words: Locale) -> str:
    if case.vram_gib is None:
        return clean(case.gpu or "")
    return words.text("cases.gpu", {"vram": case.vram_gib} | ({"name": case.gpu} if case.gpu else {}))
