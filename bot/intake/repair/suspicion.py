"""Whether a text parses but not to what was meant: sections without content, dots or blanks that hide the rest."""

import re
from collections.abc import Mapping
from typing import Any

from bot.intake.repair.nesting import nesting
from bot.yamledit import Parsed

# Blanks that are none to a parser, and marks with no width, as chat and web pages put them in.
ODD_BLANKS = "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000"
_NO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff"
ODD = re.compile(f"[{ODD_BLANKS}{_NO_WIDTH}]")
_CLOSED_KEY = re.compile(r'[\n ,{][A-Za-z_]\w{0,80}":')
# The two lists that every job is built of (aitoolkit facts 1.1): a look at them alone costs next to nothing.
_PROCESS, _DATASETS = "process", "datasets"


def is_suspicious(parsed: Parsed) -> bool:
    """Whether the repairs should look at it all the same."""
    data, text = parsed.data, parsed.text
    if not isinstance(data, dict):
        return not isinstance(data, list)
    return (
        any(value is None and name in nesting().containers for name, value in data.items())
        or _lacks_dashes(data)
        or "\n..." in text
        or (not text.isascii() and ODD.search(text) is not None)
        or bool(parsed.duplicates)
        or _has_closed_keys(text)
    )


def _lacks_dashes(data: Mapping[str, Any]) -> bool:
    """Whether a job's process or datasets is a mapping where a list belongs."""
    config = data.get("config")
    process = (config if isinstance(config, dict) else data).get(_PROCESS)
    if isinstance(process, dict):
        return True
    first = process[0] if isinstance(process, list) and process else data
    return isinstance(first, dict) and isinstance(first.get(_DATASETS), dict)


def _has_closed_keys(text: str) -> bool:
    """Whether JSON has a key with its closing quote only."""
    return text.lstrip()[:1] == "{" and _CLOSED_KEY.search(text) is not None
