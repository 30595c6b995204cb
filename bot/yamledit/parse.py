"""One parse of a document: node marks for splicing, values for reading."""

import re
from typing import Any

import yaml
from yaml.reader import ReaderError

from bot.yamledit.compose import MERGE, compose
from bot.yamledit.limits import PATCHED, LimitError, Limits, ParseError
from bot.yamledit.path import Path
from bot.yamledit.values import Builder

__all__ = ["LimitError", "Limits", "ParseError", "Parsed", "parse"]

_JSON_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)')
_NOT_NEWLINE = re.compile(r"[^\r\n]")
# Compiled when it is first needed (as `re` does for texts): its wide ranges take milliseconds, and hardly a text needs it.
_UNPRINTABLE = r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
_SURROGATES = re.compile(
    r"\\\\|\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)


class Parsed:
    """A document's text, its node tree and its values as ai-toolkit's loader would give them.

    `data` has text keys only. `scanned` is what the parser saw: the text with JSON comments and characters that YAML
    does not allow blanked out, each offset in its place. `duplicates` are keys that stand twice in their mapping.
    A tree that is not given is composed when it is asked for.
    """

    __slots__ = ("_node", "data", "duplicates", "scanned", "text")

    def __init__(
        self, text: str, node: yaml.Node | None, data: Any, scanned: str = "", duplicates: tuple[Path, ...] = ()
    ) -> None:
        self.text, self.data, self.scanned, self.duplicates = text, data, scanned, duplicates
        self._node = node

    @property
    def node(self) -> yaml.Node:
        """The document's node."""
        if self._node is None:
            self._node = compose(self.scanned, PATCHED)
        return self._node

    def node_at(self, path: Path) -> yaml.Node | None:
        """The node a path leads to, or None."""
        found = self._walk(path)
        return found[1] if found else None

    def start_of(self, path: Path) -> int | None:
        """The offset of the key that a path ends in (of the item for a list index)."""
        found = self._walk(path)
        return found[0].start_mark.index if found else None

    def line_of(self, path: Path) -> int | None:
        """The 1-based line, within this text, of the key that a path ends in (the item for a list index)."""
        start = self.start_of(path)
        return None if start is None else self.text.count("\n", 0, start) + 1

    def depth_of(self, path: Path) -> int:
        """How many parts of a path lead to a node."""
        depth = len(path)
        while depth and self.node_at(path[:depth]) is None:
            depth -= 1
        return depth

    def _walk(self, path: Path) -> tuple[yaml.Node, yaml.Node] | None:
        """The node that names the end of a path (a key, or the item itself) and the node that is there."""
        name, node = self.node, self.node
        for part in path:
            if isinstance(part, int):
                if not isinstance(node, yaml.SequenceNode) or not -1 < part < len(node.value):
                    return None
                name = node = node.value[part]
                continue
            pair = find_pair(node, part)
            if pair is None:
                return None
            name, node = pair
        return name, node


def find_pair(node: yaml.Node, key: str, depth: int = 60) -> tuple[yaml.Node, yaml.Node] | None:
    """The key and value nodes for a key of a mapping: the last of several, else what a merge key brings in."""
    if not isinstance(node, yaml.MappingNode):
        return None
    for key_node, child in reversed(node.value):
        if key_node.value == key and key_node.tag != MERGE:
            return key_node, child
    for key_node, child in node.value if depth else ():
        if key_node.tag == MERGE:
            sources = child.value if isinstance(child, yaml.SequenceNode) else [child]
            pairs = (find_pair(source, key, depth - 1) for source in sources)
            found = next((pair for pair in pairs if pair), None)
            if found:
                return found
    return None


def parse(text: str, limits: Limits = Limits()) -> Parsed:  # noqa: B008
    """Parse the first document of a text. Raises ParseError or LimitError."""
    if len(text) > limits.characters:
        raise LimitError("characters", limits.characters)
    scanned = _without_json_comments(text)
    try:
        node = compose(scanned, limits)
    except (ReaderError, UnicodeEncodeError):
        scanned = re.sub(_UNPRINTABLE, "\ufffd", scanned)
        node = compose(scanned, limits)
    except ParseError as error:
        if "Unicode character escape" not in error.problem:
            raise
        node = _compose_surrogates(scanned, limits)
    builder = Builder(limits, aliased="&" in text and "*" in text)
    data = builder.build(node)
    return Parsed(text, node, data, scanned, tuple(builder.duplicates))


def _without_json_comments(text: str) -> str:
    """JSON with comments (ai-toolkit's own UI takes it): comments become blanks of the same length."""
    if ("//" not in text and "/*" not in text) or text.lstrip()[:1] not in {"{", "["}:
        return text
    return _JSON_COMMENT.sub(lambda found: found[0] if found[0][0] == '"' else _NOT_NEWLINE.sub(" ", found[0]), text)


def _compose_surrogates(text: str, limits: Limits) -> yaml.Node:
    """JSON writes an emoji as two escapes, which YAML refuses: one escape of the same length, and a mark to drop."""
    node = compose(_SURROGATES.sub(_one_escape, text), limits)
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if isinstance(here, yaml.ScalarNode):
            here.value = here.value.replace("\0", "")
        elif isinstance(here, yaml.SequenceNode):
            waiting.extend(here.value)
        else:
            waiting.extend(part for pair in here.value for part in pair)
    return node


def _one_escape(found: re.Match[str]) -> str:
    if found[0] == "\\\\":
        return found[0]
    if not found[1]:
        return "\\ufffd"
    code = 0x10000 + ((int(found[1], 16) - 0xD800) << 10) + (int(found[2], 16) - 0xDC00)
    return f"\\U{code:08x}\\0"
