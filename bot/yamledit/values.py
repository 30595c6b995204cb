"""From nodes to plain values: what ai-toolkit's loader makes of the same text, minus objects and environment."""

import math
from typing import Any

import yaml

from bot.yamledit.compose import BOOL, FLOAT, INT, MERGE, NULL, STR
from bot.yamledit.limits import LimitError, Limits, ParseError
from bot.yamledit.path import Path

_TRUE = frozenset(("yes", "true", "on"))
_FALSE = frozenset(("no", "false", "off"))
# Longer numbers are nobody's setting, and turning them into integers costs the square of their length.
_LONGEST_NUMBER = 100
_Scalar = yaml.ScalarNode
_BASES = (("0b", 2), ("0x", 16), ("0", 8))


class Builder:
    """Builds the values of one document. `duplicates` are the paths of keys that stand twice: the last one wins."""

    def __init__(self, limits: Limits, *, aliased: bool) -> None:
        self._limits = limits
        self._nodes = 0
        self._aliases = 0
        self._seen: set[int] | None = set() if aliased else None
        self.duplicates: list[Path] = []

    def build(self, node: yaml.Node, path: Path = ()) -> Any:
        """The value of a node. Raises LimitError where aliases make more of it than is read."""
        if isinstance(node, yaml.ScalarNode):
            return node.value if node.tag == STR else scalar_value(node.tag, node.value)
        self._count(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [
                (child.value if child.tag == STR else scalar_value(child.tag, child.value))
                if type(child) is _Scalar
                else self.build(child, (*path, index))
                for index, child in enumerate(node.value)
            ]
        return self._mapping(node, path)

    def _mapping(self, node: yaml.Node, path: Path) -> dict[str, Any]:
        made: dict[str, Any] = {}
        merged: list[yaml.Node] = []
        for key_node, child in node.value:
            if type(key_node) is not _Scalar:
                mark = key_node.start_mark
                raise ParseError("found unhashable key", mark.line + 1, mark.column + 1)
            key = key_node.value
            if key_node.tag == MERGE:
                merged.append(child)
                continue
            if key in made:
                self.duplicates.append((*path, key))
            if type(child) is _Scalar:
                made[key] = child.value if child.tag == STR else scalar_value(child.tag, child.value)
            else:
                made[key] = self.build(child, (*path, key))
        for child in merged:
            for key, value in self._merged(child, path):
                made.setdefault(key, value)
        return made

    def _merged(self, node: yaml.Node, path: Path) -> list[tuple[str, Any]]:
        """The pairs that `<<` brings in: of one mapping, or of a list of them, the earlier ones first."""
        if isinstance(node, yaml.MappingNode):
            built: dict[str, Any] = self.build(node, (*path, "<<"))
            return list(built.items())
        if isinstance(node, yaml.SequenceNode):
            self._count(node, path)
            return [pair for child in node.value for pair in self._merged(child, path)]
        mark = node.start_mark
        raise ParseError("expected a mapping to merge", mark.line + 1, mark.column + 1)

    def _count(self, node: yaml.Node, path: Path) -> None:
        """Every visit counts, so that an alias costs what it stands for."""
        self._nodes += len(node.value)
        if self._nodes > self._limits.nodes:
            raise LimitError("nodes", self._limits.nodes)
        if len(path) > self._limits.depth:
            raise LimitError("depth", self._limits.depth)
        if self._seen is None:
            return
        for item in node.value:
            child = item[1] if isinstance(item, tuple) else item
            self._aliases += id(child) in self._seen
            self._seen.add(id(child))
        if self._aliases > self._limits.aliases:
            raise LimitError("aliases", self._limits.aliases)


def scalar_value(tag: str, text: str) -> Any:
    """The value of a scalar by its tag; the text itself where the tag is unknown or does not fit the text."""
    if tag == INT:
        return _integer(text)
    if tag == FLOAT:
        return _float(text)
    if tag == BOOL:
        word = text.lower()
        return True if word in _TRUE else False if word in _FALSE else text
    return None if tag == NULL else text


def _integer(text: str) -> int | str:
    if text.isdecimal() and text[0] != "0" and len(text) < _LONGEST_NUMBER:
        return int(text)
    if len(text) > _LONGEST_NUMBER:
        return text
    digits = text.replace("_", "")
    sign = -1 if digits[:1] == "-" else 1
    digits = digits.lstrip("+-")
    try:
        if ":" in digits:
            return sign * int(_sixty(digits))
        for prefix, base in _BASES:
            if digits.startswith(prefix) and digits != "0":
                return sign * int(digits[len(prefix) :], base)
        return sign * int(digits)
    except ValueError:
        return text


def _float(text: str) -> float | str:
    digits = text.replace("_", "").lower()
    if digits.lstrip("+-") == ".inf":
        return -math.inf if digits[0] == "-" else math.inf
    if digits == ".nan":
        return math.nan
    if len(text) > _LONGEST_NUMBER:
        return text
    sign = -1 if digits[:1] == "-" else 1
    try:
        return sign * _sixty(digits.lstrip("+-")) if ":" in digits else float(digits)
    except ValueError:
        return text


def _sixty(digits: str) -> float:
    """Sexagesimal, as YAML 1.1 has it: `12:30` is 750."""
    total = 0.0
    for part in digits.split(":"):
        total = total * 60 + float(part)
    return total
