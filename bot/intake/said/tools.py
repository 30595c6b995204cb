"""Which trainer a paste belongs to."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.intake.text.clean import Line
from bot.knowledge.load import Knowledge
from bot.knowledge.spelling import plain
from bot.knowledge.tools import Signs, tools_of

_OURS = "ai-toolkit"
_HEAD, _TAIL = 3000, 600
_MARK, _HINT = 3, 1


def which_tool(lines: Sequence[Line], configs: Sequence[Mapping[str, Any]], knowledge: Knowledge) -> str:
    """The contract's source_tool for cleaned lines and the parsed data of each config-like document found.

    Each mark (a log line, a path, a flag, two keys of a config) counts more than a name in prose or a hint that trainers
    share. Where several are level ai-toolkit is meant, for this is its support channel; with no trace at all, it is meant
    where the text speaks of training or of a model, else nothing tells.
    """
    tools = tools_of(knowledge)
    ends = lines if len(lines) <= _HEAD + _TAIL else (*lines[:_HEAD], *lines[-_TAIL:])
    text = "\n".join(line.text for line in ends)
    lowered = plain(text.lower())
    scores = {tool: _score(signs, text, lowered, configs) for tool, signs in tools.tools.items()}
    best = max(scores, key=lambda tool: (scores[tool], tool == _OURS))
    if scores[best]:
        return best
    if any(word in lowered for word in tools.training_words) or knowledge.families.names.search(text[:20_000]):
        return _OURS
    return "unknown"


def _score(signs: Signs, text: str, lowered: str, configs: Sequence[Mapping[str, Any]]) -> int:
    marked = sum(mark in text for mark in signs.marks) + any(_known_keys(signs, config) >= 2 for config in configs)
    marked += any(_sections(signs, config) >= 2 for config in configs)
    hinted = any(hint in text for hint in signs.hints) or any(_known_keys(signs, config) for config in configs)
    named = any(name in lowered for name in signs.names)
    return _MARK * min(marked, 4) + 2 * named + _HINT * hinted


def _sections(signs: Signs, config: Mapping[str, Any]) -> int:
    """How many of a config's sections are this trainer's."""
    return sum(bool(config.get(name)) and isinstance(config[name], Mapping | list) for name in signs.sections)


def _known_keys(signs: Signs, config: Mapping[str, Any]) -> int:
    """How many of a config's keys are this trainer's, those of the sections right below it included."""
    keys = {str(key).lstrip("-") for key in config}
    for value in list(config.values())[:100]:
        if isinstance(value, Mapping):
            keys.update(str(key) for key in list(value)[:200])
    return len(keys & signs.keys)
