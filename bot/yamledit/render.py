"""Writing values in the style of the document they go into."""

import json
import math
import re
from collections.abc import Sequence
from typing import Any

import yaml

from bot.yamledit.compose import BOOL, STR, plain_tag
from bot.yamledit.layout import Style

# Text that means itself without quotes, in a block and in brackets alike.
_PLAIN = re.compile(r"[A-Za-z_/.][\w./+-]*(?: [\w./+-]+)*\Z")


def scalar(value: Any, quote: str, *, capital: bool = False, as_json: bool = False) -> str:
    """A number, truth, nothing or text. `quote` is the mark for text; none leaves text bare where that is safe."""
    if isinstance(value, bool):
        word = "true" if value else "false"
        return word.capitalize() if capital else word
    if value is None:
        return "null"
    if isinstance(value, int | float):
        return (
            repr(value) if math.isfinite(value) else ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
        )
    return text(str(value), quote, as_json=as_json)


def text(value: str, quote: str, *, as_json: bool) -> str:
    """Text in quotes, or bare where no quotes are asked for and it means itself."""
    if not as_json and not quote and _PLAIN.match(value) and plain_tag(value) == STR:
        return value
    if not as_json and quote == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    return json.dumps(value, ensure_ascii=False)


def flow(value: Any, quote: str, *, capital: bool = False, as_json: bool = False) -> str:
    """A value on one line, lists and mappings in brackets."""
    if isinstance(value, list):
        return "[" + ", ".join(flow(item, quote, capital=capital, as_json=as_json) for item in value) + "]"
    if isinstance(value, dict):
        pairs = (
            f"{scalar(key, '', as_json=as_json)}: {flow(item, quote, capital=capital, as_json=as_json)}"
            for key, item in value.items()
        )
        return "{" + ", ".join(pairs) + "}"
    return scalar(value, quote, capital=capital, as_json=as_json)


def pretty_json(value: Any, indent: int, style: Style) -> str:
    """JSON over several lines, for a document that is written so; `indent` is that of the line it starts in."""
    made = json.dumps(value, indent=style.step, ensure_ascii=False)
    return made.replace("\n", style.newline + " " * indent)


def after_colon(value: Any, column: int, style: Style, quote: str, *, capital: bool = False) -> str:
    """What follows `key:` in block style, `column` being the key's: a blank and the value, or lines below."""
    if isinstance(value, dict) and value:
        inner = column + style.step
        return "".join(f"{style.newline}{' ' * inner}{line}" for line in _pairs(value, inner, style, quote, capital))
    if isinstance(value, list) and value and not (style.flow_lists and _is_flat(value)):
        inner = column + style.dash
        return "".join(f"{style.newline}{' ' * inner}{item(part, inner, style, quote)}" for part in value)
    return " " + flow(value, quote, capital=capital)


def item(value: Any, column: int, style: Style, quote: str) -> str:
    """A block list's item from its dash on, `column` being the dash's."""
    if isinstance(value, dict) and value:
        inner = column + 2
        return "- " + f"{style.newline}{' ' * inner}".join(_pairs(value, inner, style, quote, capital=False))
    return "- " + flow(value, quote)


def _pairs(value: dict[str, Any], column: int, style: Style, quote: str, capital: bool) -> list[str]:
    return [
        f"{scalar(key, '')}:{after_colon(part, column, style, quote, capital=capital)}" for key, part in value.items()
    ]


def _is_flat(value: list[Any]) -> bool:
    return not any(isinstance(part, list | dict) for part in value)


def quote_of(nodes: Sequence[yaml.Node]) -> str:
    """The quotation mark that text has among sibling values: `"`, `'`, or none where text stands bare or is not there."""
    for node in nodes:
        if isinstance(node, yaml.ScalarNode) and node.tag == STR:
            return node.style if node.style in {'"', "'"} else ""
    return '"'


def is_capital(nodes: Sequence[yaml.Node]) -> bool:
    """Whether siblings write `True` rather than `true`."""
    return any(
        isinstance(node, yaml.ScalarNode) and node.tag == BOOL and node.value[:1] in {"T", "F"} for node in nodes
    )
