"""One parsed text as the splices see it: its style, where its items begin and end, how a value is written there."""

import re
from functools import cached_property
from typing import Any, NamedTuple

import yaml

from bot.yamledit import layout, render
from bot.yamledit.layout import Style
from bot.yamledit.limits import EditError
from bot.yamledit.locate import Spot
from bot.yamledit.parse import Parsed
from bot.yamledit.path import Path, format_path

BLANK_GAP = re.compile(r"\s*,\s*\Z")
TRAILING_COMMA = re.compile(r"\s*,")


class Edit(NamedTuple):
    """A splice: characters `start` to `end` of the text before become `new`."""

    start: int
    end: int
    new: str


class Page:
    """A parsed text with what the splices of all operations need to know of it."""

    def __init__(self, parsed: Parsed) -> None:
        self.parsed = parsed
        self.text = parsed.text
        self.scanned = parsed.scanned

    @cached_property
    def style(self) -> Style:
        """The document's style, worked out when first needed."""
        return Style(self.parsed)

    def end(self, node: yaml.Node) -> int:
        """Where a node's own text ends."""
        return layout.content_end(self.scanned, node)

    def item_end(self, child: Any) -> int:
        """Where an item of a collection ends: a node of a list, a pair of a mapping."""
        return layout.value_end(self.scanned, *child) if isinstance(child, tuple) else self.end(child)

    def item_begin(self, node: yaml.CollectionNode, index: int) -> int:
        """Where an item of a collection begins: its dash, its key, or itself between brackets."""
        child = node.value[index]
        if isinstance(child, tuple):
            begin: int = child[0].start_mark.index
            return begin
        start: int = child.start_mark.index
        if node.flow_style:
            return start
        # An empty item is marked right behind its dash.
        return self.scanned.rindex("-", 0, start + (start == child.end_mark.index))

    def pad(self, at: int) -> str:
        """What stands in a line before an offset."""
        return self.text[layout.line_start(self.text, at) : at]

    def indent(self, at: int) -> int:
        """How many blanks the line of an offset begins with."""
        line = self.text[layout.line_start(self.text, at) :]
        return len(line) - len(line.lstrip(" "))

    def line_after(self, end: int, new: str, path: Path) -> Edit:
        """New lines below the line in which an offset stands, a comment in that line kept."""
        if not layout.ends_line(self.scanned, end):
            raise EditError("layout", path, f"something follows {format_path(path)} in its line")
        at = layout.line_end(self.text, end)
        return Edit(at, at, new)

    def gap(self, node: yaml.CollectionNode) -> str:
        """What stands between two items in brackets, where that is a comma and blanks."""
        if len(node.value) > 1:
            last = len(node.value) - 1
            gap = self.text[self.item_end(node.value[last - 1]) : self.item_begin(node, last)]
            if BLANK_GAP.match(gap):
                return gap
        first = self.item_begin(node, 0)
        return f",{self.style.newline}{self.pad(first)}" if layout.starts_line(self.text, first) else ", "

    def quote(self, spot: Spot) -> str:
        """The mark that text gets in a node's place: its own, else that of its items or siblings."""
        node = spot.node
        if self.style.json:
            return '"'
        if isinstance(node, yaml.ScalarNode) and node.tag.endswith(":str"):
            return node.style if node.style in {'"', "'"} else '"' if node.style else ""
        if isinstance(node, yaml.SequenceNode) and node.value:
            return render.quote_of(node.value)
        values = spot.parent.value if spot.parent is not None else []
        return render.quote_of([child[1] if isinstance(child, tuple) else child for child in values])

    def inline(self, spot: Spot, value: Any) -> str:
        """A value for a node's place, on its line or, in JSON over several lines, below."""
        if self.style.pretty and isinstance(value, list | dict) and value:
            return render.pretty_json(value, self.indent(spot.node.start_mark.index), self.style)
        capital = render.is_capital([spot.node])
        return render.flow(value, self.quote(spot), capital=capital, as_json=self.style.json)
