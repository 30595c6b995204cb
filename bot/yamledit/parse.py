"""One parse of a document: node marks for splicing, values for reading. Limits hold on events, before objects."""

from dataclasses import dataclass
from typing import Any

import yaml

from bot.yamledit.path import Path


class ParseError(ValueError):
    """The text is not YAML or JSON. `line` and `column` are 1-based; `problem` is the parser's own words."""

    def __init__(self, problem: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.problem, self.line, self.column = problem, line, column


class LimitError(ValueError):
    """The document is larger, deeper or more aliased than is read. `limit` names which limit."""

    def __init__(self, limit: str, allowed: int) -> None:
        super().__init__(f"{limit}: more than {allowed}")
        self.limit, self.allowed = limit, allowed


@dataclass(frozen=True, slots=True)
class Limits:
    """What is read at most; checked on parse events, so that nothing is built first."""

    characters: int = 1_000_000
    nodes: int = 50_000
    depth: int = 60
    aliases: int = 100


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document's text, its node tree and its values as ai-toolkit's loader would give them."""

    text: str
    node: yaml.Node
    data: Any

    def node_at(self, path: Path) -> yaml.Node | None:
        """The node a path leads to, or None."""
        raise NotImplementedError

    def line_of(self, path: Path) -> int | None:
        """1-based line, within this text, of the key that a path ends in (the item for a list index)."""
        raise NotImplementedError


def parse(text: str, limits: Limits = Limits()) -> Parsed:  # noqa: B008
    """Parse the first document of a text. Raises ParseError or LimitError."""
    raise NotImplementedError
