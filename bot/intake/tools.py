"""Which trainer a paste belongs to."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.intake.text import Line
from bot.knowledge.load import Knowledge


def which_tool(lines: Sequence[Line], configs: Sequence[Mapping[str, Any]], knowledge: Knowledge) -> str:
    """The contract's source_tool for cleaned lines and the parsed data of each config-like document found."""
    raise NotImplementedError
