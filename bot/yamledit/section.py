"""The block section in which splices lie, so that a change is proven by reading that section alone.

In block style a section is made of whole lines: what stands from the line of a key to that of its next sibling reads the
same by itself, and nothing outside depends on it. A patch changes a few lines of a hundred, and composing them all once
more would be the dearest part of a diagnosis. Where any of this is in doubt, the whole text is read.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import yaml

from bot.yamledit import layout
from bot.yamledit.expect import same, value_at
from bot.yamledit.limits import PATCHED, LimitError, ParseError
from bot.yamledit.page import Edit
from bot.yamledit.parse import Parsed, parse
from bot.yamledit.path import Path

_MARKS = ("\n---", "\n...")  # where a document begins or ends


class Section(NamedTuple):
    """Where a key and all that belongs to it stand: whole lines of the text."""

    path: Path
    start: int
    end: int


def section_around(parsed: Parsed, edits: Sequence[Edit], paths: Sequence[Path]) -> Section | None:
    """The innermost block section that holds all the splices (ascending) and that all the changed paths lead into."""
    text = parsed.text
    if parsed.scanned != text or parsed.duplicates or ("&" in text and "*" in text):
        return None
    first, last = edits[0].start, edits[-1].end
    found: Section | None = None
    path: Path = ()
    node, stop = parsed.node, len(text)
    while isinstance(node, yaml.CollectionNode) and not node.flow_style:
        start, index = len(text) + 1, len(node.value)
        while index and start > first:
            index -= 1
            stop = min(stop, start)
            start = layout.line_start(text, _begin(node.value[index]))
        if start > first or (last >= stop and stop < len(text)):
            break
        child = node.value[index]
        if isinstance(child, tuple):
            key, node = child
            path = (*path, key.value)
            if any(len(way) <= len(path) or way[: len(path)] != path for way in paths):
                break
            if layout.starts_line(text, key.start_mark.index):
                found = Section(path, start, stop)
        else:
            node, path = child, (*path, index)
    return found


def _begin(child: yaml.Node | tuple[yaml.Node, yaml.Node]) -> int:
    begin: int = (child[0] if isinstance(child, tuple) else child).start_mark.index
    return begin


def reread(parsed: Parsed, edits: Sequence[Edit], paths: Sequence[Path], text: str, expected: Any) -> Parsed | None:
    """The text after the splices, read by its section, if that has the expected values; else None: read all of it."""
    section = section_around(parsed, edits, paths)
    if section is None:
        return None
    lines = text[section.start : section.end + len(text) - len(parsed.text)]
    if any(mark in f"\n{lines}" for mark in _MARKS):
        return None
    try:
        part = parse(lines, PATCHED)
    except (ParseError, LimitError):
        return None
    if part.duplicates or not same(part.data, {section.path[-1]: value_at(expected, section.path)}):
        return None
    return Parsed(text, None, expected, text)
