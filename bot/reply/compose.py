"""From a diagnosis to words: cause, the one change, how to rerun, what comes next, and what else was seen."""

import re
from collections import Counter

from bot.diagnosis import Diagnosis, Step
from bot.knowledge.locale import Locale
from bot.reply.blocks import Block, Reply
from bot.reply.change import change_blocks
from bot.reply.notes import memory_block, notes_block, speed_blocks, tool_block
from bot.reply.words import Words

# What follows the step to make now: nothing has crashed in a plan, nor where everything only crawls.
_HEADINGS = {"none": "after", "unknown": "after", "shared_memory_spill": "slow"}
# Fewer steps than these are no set.
MIN_TOGETHER = 2
# What a sentence tells beyond its words: numbers with their unit, and code.
_TOLD = re.compile(r"\d+(?:[.,]\d+)?(?: [GM]iB)?|`[^`]+`")


def compose(diagnosis: Diagnosis, locale: Locale, *, all_steps: bool = False) -> Reply:
    """The whole reply. `all_steps` explains every further step as fully as the first."""
    words = Words(diagnosis, locale)
    cause = _cause(words)
    blocks = (
        cause,
        tool_block(words),
        *change_blocks(words),
        _next(words, all_steps),
        memory_block(words),
        *speed_blocks(words),
        _skipped(words),
        _findings(words, " ".join(cause.paragraphs)),
        notes_block(words),
    )
    return Reply(locale.tag, _title(words), tuple(block for block in blocks if block))


def _title(words: Words) -> str:
    """`OOM crash · training step · Z-Image · RTX 3060 (12 GiB)`: what is known of it, in that order."""
    problem, hardware = words.diagnosis.problem, words.diagnosis.hardware
    ran = problem["class"] == "none" and problem["phase"] not in {"unknown", "plan"}
    name = "reply.no_crash" if ran else f"classes.{problem['class']}.name"
    own = words.find(f"outcomes.{words.diagnosis.outcome}.title")
    parts = [words.text("speed.name") if words.faster else own or words.find(name)]
    if problem["phase"] not in {"unknown", "plan"}:
        parts.append(words.find(f"phases.{problem['phase']}.name"))
    parts.append(str(words.values.get("model.family") or words.diagnosis.model.get("family") or ""))
    # Where the size is that of another card, it is not that of the one which is named.
    wished = words.values.get("gpu.target_vram_gib") in {hardware.get("vram_gib")} - {None}
    parts.append(_card(words, None if wished else hardware.get("gpu"), hardware.get("vram_gib")))
    return " · ".join(part for part in parts if part)


def _card(words: Words, gpu: str | None, vram: float | None) -> str:
    given = {name: value for name, value in (("gpu", gpu), ("vram", vram)) if value is not None}
    return words.text("reply.card", **given) if given else ""


def _cause(words: Words) -> Block:
    """The outcome's sentence (the class's own where that one needs values that are not known), then what was found."""
    diagnosis = words.diagnosis
    cause = words.find(f"outcomes.{diagnosis.outcome}.cause") or words.text(
        f"classes.{diagnosis.problem['class']}.cause"
    )
    rules_now = {step.rule for step in words.now}
    behind = [found for found in diagnosis.findings if found.rule in rules_now]
    builds = diagnosis.values.get("builds", ())
    known_bad = [words.find(f"builds.{build}") for build in builds] if isinstance(builds, tuple) else []
    findings = [] if known_bad else [said for said in map(words.finding, behind) if _adds(cause, said)]
    said = " ".join([cause, *findings])
    seen = dict.fromkeys(words.citation(cited) for found in behind for cited in found.evidence)
    return Block("cause", words.text("reply.heading.cause"), (said, *filter(None, known_bad)), tuple(seen))


def _adds(cause: str, finding: str) -> bool:
    """Whether a finding says more than the cause does: not where it only repeats the cause's numbers and keys."""
    told = set(_TOLD.findall(finding))
    return bool(finding) and not (told and told <= set(_TOLD.findall(cause)))


def _next(words: Words, all_steps: bool) -> Block:
    """The safest first try of the family, how many steps it takes by the estimate, and the rest of the ladder, a line a step."""
    paragraphs = tuple(said for said in (words.first_try(), _together(words)) if said)
    items = tuple(_step_line(words, step, all_steps) for step in words.later)
    heading = _HEADINGS.get(words.diagnosis.problem["class"], "next")
    return Block("next", words.text(f"reply.heading.{heading}"), paragraphs, items, numbered=True)


def _together(words: Words) -> str:
    """Which of the steps, by their numbers, fit the card together; silent where the change made now is enough."""
    rules = (words.diagnosis.memory or {}).get("smallest_set") or ()
    made = [step.rule for step in words.now if step.rule in rules]
    waiting = Counter(rules) - Counter(made)
    numbers: list[str] = []
    for number, step in enumerate(words.later, 1):
        if waiting[step.rule]:
            waiting[step.rule] -= 1
            numbers.append(str(number))
    if not numbers or len(numbers) + len(made) < len(rules) or len(rules) < MIN_TOGETHER:
        return ""
    how = "later" if not made else "safer" if words.now[0].fits == "tight" else "more"
    return words.text(f"memory.together.{how}", count=len(numbers), steps=" + ".join(numbers))


def _step_line(words: Words, step: Step, all_steps: bool) -> str:
    line = " ".join(part for part in (words.fix(step), words.less(step)) if part)
    if not all_steps:
        return line
    said = [part for part in (words.why(step), words.cost(step), words.where(step)) if part]
    return f"{line}. {' '.join(said)}" if said else line


def _skipped(words: Words) -> Block:
    items = [words.skip(skip) for skip in words.diagnosis.skipped]
    return Block("skipped", words.text("reply.heading.skipped"), items=tuple(item for item in items if item))


def _findings(words: Words, cause: str) -> Block:
    """What else was found: not the cause, which is said above, nor what a step below it or the cause says already."""
    rules_now, rules_later = {step.rule for step in words.now}, {step.rule for step in words.later}
    items = []
    for found in words.diagnosis.findings:
        said = words.finding(found)
        known = not _adds(cause, said) and (found.rule in rules_later or "iB" in said)
        if said and not known and found.rule not in rules_now:
            where = [words.citation(cited) for cited in found.evidence[:1]]
            items.append(" ".join([said, *(f"({place})" for place in where)]))
    return Block("findings", words.text("reply.heading.findings"), items=tuple(items))
