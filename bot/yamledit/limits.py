"""What is read at most, and what is raised: a text that is more, or no YAML, or a patch that cannot be made."""

from typing import NamedTuple

from bot.yamledit.path import Path


class ParseError(ValueError):
    """The text is not YAML or JSON. `line` and `column` are 1-based; `problem` is the parser's own words.

    `began` is the line of what the parser was in the middle of, where it says so: a quote left open, a section.
    """

    def __init__(self, problem: str, line: int, column: int, began: int | None = None) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.problem, self.line, self.column, self.began = problem, line, column, began


class LimitError(ValueError):
    """The document is larger, deeper or more aliased than is read. `limit` names which limit."""

    def __init__(self, limit: str, allowed: int) -> None:
        super().__init__(f"{limit}: more than {allowed}")
        self.limit, self.allowed = limit, allowed


class EditError(ValueError):
    """A patch that cannot be made here. `reason` is a word (`alias`, `duplicate-key`, `missing`, …), `path` where."""

    def __init__(self, reason: str, path: Path, message: str) -> None:
        super().__init__(message)
        self.reason, self.path = reason, path


class Limits(NamedTuple):
    """What is read at most; checked on parse events, so that nothing is built first."""

    characters: int = 1_000_000
    nodes: int = 50_000
    depth: int = 60
    aliases: int = 100


# A patched text may be a little longer than the longest that is read.
PATCHED = Limits(characters=2_000_000, nodes=100_000)
