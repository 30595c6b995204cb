"""The smaller parts of a reply: estimate, speed, other trainers, repairs, notices, redactions."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bot.engine.outlook import OF_THE_CARD
from bot.reply.blocks import Block
from bot.reply.memory_table import lines
from bot.reply.words import Words

# What needs no word: the step says itself that it is none of the config's, or the block for other trainers does.
_SELF_EVIDENT = frozenset({"outside", "tool"})
# The card's memory, or the system RAM of which the estimate tells as well.
_OF_MEMORY = OF_THE_CARD | {"host_ram_oom"}
_NOT_LETTERS = re.compile(r"[^a-z]+")


def memory_block(words: Words) -> Block:
    """The estimate by phase with its error; nothing where memory of neither kind is the matter."""
    memory = words.diagnosis.memory
    if words.diagnosis.problem["class"] not in _OF_MEMORY:
        return Block("memory")
    if not memory:
        return Block("memory", words.text("reply.heading.memory"), tuple(_why_none(words)))
    return Block("memory", words.text("reply.heading.memory"), items=tuple(lines(memory, words.locale)))


def _why_none(words: Words) -> Iterator[str]:
    """Why the steps carry no figure, for a known card: what the paste would have to show, or what nobody measured."""
    reasons = {step.no_figure for step in words.diagnosis.steps if step.no_figure} - _SELF_EVIDENT
    if words.diagnosis.hardware.get("vram_gib") and words.diagnosis.problem["class"] in OF_THE_CARD:
        yield from (words.text(f"memory.none.{reason}") for reason in sorted(reasons))


def tool_block(words: Words) -> Block:
    """For other trainers: whose config this is, and that there is no diff."""
    if words.for_toolkit:
        return Block("tool")
    name = words.find(f"tools.{words.diagnosis.source_tool}.name")
    named = name and words.diagnosis.source_tool != "other"
    intro = words.text("tools.intro", tool=name) if named else words.text("tools.intro_other")
    return Block("tool", words.text("reply.heading.tool"), (intro,))


def speed_blocks(words: Words) -> Iterator[Block]:
    """For people who want speed: the four cheaper ways in order, then the conditions for GC off."""
    if words.diagnosis.values.get("goal") != "speed" or not words.for_toolkit:
        return
    for part in ("ways", "off"):
        items = tuple(words.text(f"speed.{part}.items.{name}") for name in words.locale.below(f"speed.{part}.items"))
        intro = words.text(f"speed.{part}.intro")
        yield Block("speed", words.text(f"speed.{part}.title"), (intro,), items, numbered=part == "ways")


def notes_block(words: Words) -> Block:
    """Repairs made, notices of intake, and how much was hidden."""
    return Block("notes", words.text("reply.heading.notes"), items=tuple(_notes(words)))


def _notes(words: Words) -> Iterator[str]:
    for repair in words.diagnosis.repairs:
        yield words.find(f"repairs.{repair['kind']}", **repair) or words.text("repairs.other", **repair)
    for key, values in words.diagnosis.notices:
        yield from _notice(words, key, values)
    if words.diagnosis.redactions:
        yield words.text("notices.redacted", count=words.diagnosis.redactions)


def _notice(words: Words, key: str, values: Mapping[str, Any]) -> Iterator[str]:
    """A notice; a limit by its name in the language, a parser's complaint in words that a user understands."""
    named = {**values, "limit": words.find(f"limits.{values['limit']}")} if "limit" in values else values
    said = words.find(f"notices.{key}", **named)
    if said and "problem" in values:
        problem = _NOT_LETTERS.sub("-", str(values["problem"]).lower()).strip("-")
        said = f"{said} {words.find(f'parse_problems.{problem}') or words.text('parse_problems.other')}"
    if said:
        yield said
