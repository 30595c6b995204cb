"""Whether a paste is one: something a program printed or read, not people talking of it."""

import re
from collections.abc import Mapping

from bot.evidence import Crash, Evidence, value
from bot.intake.text.clean import Line
from bot.intake.text.kinds import prose_of
from bot.knowledge.load import Knowledge
from bot.knowledge.tools import tools_of

# What an error is about that is none of memory; a trainer's own are answered all the same.
_NO_MEMORY = frozenset({"not_memory", "none"})
# "1. quantize: true" is a list of hints; line numbers that an editor shows have no full stop.
_NUMBERED = re.compile(r"[>\s*]{0,8}\d{1,2}[.)]\s")
# So many words before an error make a sentence about it; behind a ">" it is somebody else's.
_SENTENCE = 3


def is_sure(evidence: Evidence, knowledge: Knowledge) -> bool:
    """A config of the toolkit, an error as a program prints it, or lines of the toolkit's log; and no other program."""
    if value(evidence.facts, "tool") == "other":
        return False
    if _has_config(evidence):
        return True
    if evidence.crash is not None:
        return _is_printed(evidence.crash, evidence, knowledge) and _is_ours(evidence, knowledge)
    return bool(value(evidence.facts, "log.present"))


def is_fragment(evidence: Evidence) -> bool:
    """Whether all there is are a few lines of a config: what people also write to show each other a setting."""
    known = evidence.crash is not None or value(evidence.facts, "log.present")
    return not known and evidence.config is not None and not evidence.config.root


def _has_config(evidence: Evidence) -> bool:
    """Whether there is a config that is no list of hints, and no list of questions."""
    config = evidence.config
    if config is None:
        return False
    if config.root:
        return True
    data = config.parsed.data
    told = list(data.values() if isinstance(data, Mapping) else data)
    if all(isinstance(one, str) or one is None for one in told):
        return False
    if isinstance(data, Mapping) and any(isinstance(one, Mapping) for one in told):
        return True  # nobody nests hints
    return _NUMBERED.match(_line(evidence, config.source, config.line)) is None


def _is_printed(crash: Crash, evidence: Evidence, knowledge: Knowledge) -> bool:
    """Whether the error stands in a line of a program's. Nobody types an error's sizes, so with them it is one."""
    if crash.place is None or crash.numbers:
        return True
    line = _line(evidence, crash.place.source, crash.place.line)
    before, found, _ = line.partition(crash.error or "\n")
    if found and ">" not in before and len(before.split()) < _SENTENCE:
        return True
    return not prose_of([Line(line, crash.place.line)], knowledge)


def _is_ours(evidence: Evidence, knowledge: Knowledge) -> bool:
    """Whether an error is one of memory, or comes with the trace of a trainer."""
    facts = evidence.facts
    if value(facts, "crash.class") not in _NO_MEMORY or value(facts, "log.present"):
        return True
    marks = [mark for name, signs in tools_of(knowledge).tools.items() if name != "other" for mark in signs.marks]
    return any(mark in source.text for source in evidence.sources for mark in marks)


def _line(evidence: Evidence, source: int, number: int) -> str:
    """A line of a source, by its 1-based number."""
    lines = evidence.sources[source].text.split("\n", number)
    return lines[number - 1] if number <= len(lines) else ""
