"""Where things stand in a text: the end of a node's own content, lines, columns, indentation, separators."""

import re
from functools import cached_property

import yaml

from bot.yamledit.parse import Parsed

_REST_OF_LINE = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?=\r?\n|\Z)")
_ALIAS = re.compile(r"\s*:?\s*\*[^\s,\[\]{}]+")


def line_start(text: str, at: int) -> int:
    """The offset at which the line of an offset begins."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """The offset of the line break that ends the line of an offset, or the end of the text."""
    end = text.find("\n", at)
    if end < 0:
        return len(text)
    return end - 1 if end > at and text[end - 1] == "\r" else end


def next_line(text: str, at: int) -> int:
    """The offset at which the next line begins, or the end of the text."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def starts_line(text: str, at: int) -> bool:
    """Whether only blanks stand before an offset in its line."""
    return not text[line_start(text, at) : at].strip()


def ends_line(scanned: str, at: int) -> bool:
    """Whether only blanks and a comment follow an offset in its line."""
    return _REST_OF_LINE.match(scanned, at) is not None


def is_flow(node: yaml.Node) -> bool:
    """Whether a node is written in brackets."""
    return isinstance(node, yaml.CollectionNode) and bool(node.flow_style)


def is_alias(key: yaml.Node, value: yaml.Node) -> bool:
    """Whether a mapping's value was written elsewhere: an alias leads back, before its key."""
    return value.start_mark.index < key.end_mark.index


def content_end(scanned: str, node: yaml.Node) -> int:
    """Where a node's own text ends: parsers count blank lines and comments after a block to the block."""
    if isinstance(node, yaml.ScalarNode):
        return _block_scalar_end(scanned, node) if node.style in {"|", ">"} else node.end_mark.index
    if is_flow(node) or not node.value:
        return node.end_mark.index
    last = node.value[-1]
    if isinstance(last, tuple):
        return value_end(scanned, *last)
    if last.start_mark.index <= node.start_mark.index:  # an alias as the last item: nothing says where
        return _without_comments(scanned, node.start_mark.index, node.end_mark.index)
    return content_end(scanned, last)


def value_end(scanned: str, key: yaml.Node, value: yaml.Node) -> int:
    """Where a mapping's pair ends."""
    if is_alias(key, value):
        found = _ALIAS.match(scanned, key.end_mark.index)
        return found.end() if found else key.end_mark.index
    return content_end(scanned, value)


def _block_scalar_end(scanned: str, node: yaml.ScalarNode) -> int:
    start, end = node.start_mark.index, node.end_mark.index
    written = scanned[start:end]
    if "+" in written.partition("\n")[0]:  # its blank lines are content
        return end - (2 if written.endswith("\r\n") else 1 if written.endswith("\n") else 0)
    return start + len(written.rstrip())


def _without_comments(scanned: str, start: int, end: int) -> int:
    lines = scanned[start:end].splitlines(keepends=True)
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    last = lines[-1].partition(" #")[0]
    return start + sum(map(len, lines[:-1])) + len(last.rstrip())


class Style:
    """How a document writes things, so that what is new looks like what is there. Worked out as far as it is asked for.

    `json`: brackets and double quotes throughout; `pretty`: that over several lines.
    """

    def __init__(self, parsed: Parsed) -> None:
        self._text, self._root = parsed.text, parsed.node
        self.newline = "\r\n" if "\r\n" in parsed.text else "\n"
        self.json = is_flow(parsed.node) and '"' in parsed.text
        self.pretty = self.json and "\n" in parsed.text.strip()

    @property
    def step(self) -> int:
        """The indentation of a level, in blanks."""
        outermost = next((step for step in self._seen[0] if step > 0), 2)
        return _json_step(self._text, self._root) if self.json else outermost

    @property
    def dash(self) -> int:
        """How far a list's dashes stand right of their key."""
        return next((dash for dash in self._seen[1] if dash >= 0), self.step)

    @property
    def flow_lists(self) -> bool:
        """Whether most lists of plain values stand in brackets."""
        return self._seen[2].count(True) >= self._seen[2].count(False)

    @cached_property
    def _seen(self) -> tuple[list[int], list[int], list[bool]]:
        """The steps and dashes of every section, and for each plain list whether it is in brackets."""
        steps: list[int] = []
        dashes: list[int] = []
        lists: list[bool] = []
        waiting = [self._root]
        while waiting:
            node = waiting.pop()
            if isinstance(node, yaml.SequenceNode):
                if node.value and all(isinstance(item, yaml.ScalarNode) for item in node.value):
                    lists.append(is_flow(node))
                waiting.extend(
                    child for child in reversed(node.value) if child.start_mark.index > node.start_mark.index
                )
            elif isinstance(node, yaml.MappingNode):
                inner = [
                    (key, value)
                    for key, value in node.value
                    if not isinstance(value, yaml.ScalarNode) and not is_alias(key, value)
                ]
                waiting.extend(value for _, value in reversed(inner))
                for key, value in inner:
                    if value.value and value.start_mark.line > key.start_mark.line and not value.flow_style:
                        right = first(value).start_mark.column - key.start_mark.column
                        if isinstance(value, yaml.MappingNode):
                            steps.append(right)
                        else:
                            dashes.append(value.start_mark.column - key.start_mark.column)
        return steps, dashes, lists


def first(node: yaml.CollectionNode) -> yaml.Node:
    """The node that stands first in a collection that is not empty."""
    child = node.value[0]
    found: yaml.Node = child[0] if isinstance(child, tuple) else child
    return found


def _json_step(text: str, root: yaml.Node) -> int:
    if (
        not isinstance(root, yaml.CollectionNode)
        or not root.value
        or not starts_line(text, first(root).start_mark.index)
    ):
        return 2
    here = text[line_start(text, root.start_mark.index) :]
    outer = len(here) - len(here.lstrip(" "))
    return max(first(root).start_mark.column - outer, 1)
