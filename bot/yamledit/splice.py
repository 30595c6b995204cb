"""The splices of one change, by the layout of what stands there: blocks line by line, brackets item by item."""

import re
from dataclasses import dataclass
from typing import Any

import yaml

from bot.yamledit import layout, render
from bot.yamledit.layout import Style
from bot.yamledit.limits import EditError
from bot.yamledit.locate import Spot, check_items, check_unmarked, locate
from bot.yamledit.parse import Parsed
from bot.yamledit.path import Path, format_path

_BLANK_GAP = re.compile(r"\s*,\s*\Z")
_TRAILING_COMMA = re.compile(r"\s*,")


@dataclass(frozen=True, slots=True)
class Edit:
    """A splice: characters `start` to `end` of the text before become `new`."""

    start: int
    end: int
    new: str


class Splicer:
    """Works out splices against one parsed text."""

    def __init__(self, parsed: Parsed) -> None:
        self._parsed = parsed
        self._text = parsed.text
        self._scanned = parsed.scanned
        self._style: Style | None = None

    @property
    def style(self) -> Style:
        """The document's style, worked out when first needed."""
        if self._style is None:
            self._style = layout.style_of(self._parsed)
        return self._style

    # -- replace ---------------------------------------------------------------------------------------------------

    def replace(self, path: Path, value: Any) -> list[Edit]:
        """Other content for what stands at a path."""
        spot = locate(self._parsed, path)
        if spot.parent is None:
            raise EditError("root", path, "the whole document cannot be replaced")
        check_unmarked(self._parsed, spot)
        node = spot.node
        start, end = node.start_mark.index, layout.content_end(self._scanned, node)
        if spot.flow or layout.is_flow(node) or isinstance(node, yaml.ScalarNode):
            return self._replace_inline(spot, start, end, value)
        return self._replace_block(spot, start, end, value)

    def _replace_inline(self, spot: Spot, start: int, end: int, value: Any) -> list[Edit]:
        """A scalar or a bracket, in place; a section that has no value yet gets its lines below the key."""
        if spot.flow:
            return self._put(spot, start, end, self._flow_text(spot, value))
        if isinstance(spot.node, yaml.ScalarNode) and spot.key is not None and isinstance(value, dict) and value:
            new = render.after_colon(value, spot.key.start_mark.column, self.style, self._quote(spot))
            blanks = len(self._text[:start]) - len(self._text[:start].rstrip(" \t"))
            return [Edit(start - blanks, end, ""), self._line_after(end, new, spot.path)]
        if layout.is_flow(spot.node) and isinstance(value, list):
            return self._refill(spot.node, value, self._quote(spot))
        return self._put(spot, start, end, self._flow_text(spot, value))

    def _put(self, spot: Spot, start: int, end: int, new: str) -> list[Edit]:
        bare = start == end and start and not self._text[start - 1].isspace()
        return [Edit(start, end, f" {new}" if bare and spot.key is not None else new)]

    def _replace_block(self, spot: Spot, start: int, end: int, value: Any) -> list[Edit]:
        """Lines below a key or a dash: list for list and mapping for mapping stay lines, anything else goes inline."""
        column = layout.first(spot.node).start_mark.column
        if isinstance(value, list) and value and isinstance(spot.node, yaml.SequenceNode):
            column = spot.node.start_mark.column
            lines = [render.item(part, column, self.style, self._quote(spot)) for part in value]
            return [Edit(start, end, f"{self.style.newline}{' ' * column}".join(lines))]
        new = render.flow(value, self._quote(spot), as_json=self.style.json)
        if not layout.starts_line(self._text, start) or spot.key is None:
            return [Edit(start, end, new)]
        colon = self._scanned.index(":", spot.key.end_mark.index) + 1
        return [Edit(colon, colon, f" {new}"), Edit(layout.line_end(self._text, colon), layout.line_end(self._text, end), "")]

    def _refill(self, node: yaml.Node, items: list[Any], quote: str) -> list[Edit]:
        """New items between the brackets that are there, spaced as the ones before."""
        start, end = node.start_mark.index + 1, node.end_mark.index - 1
        text = self._text
        new = [render.flow(part, quote, as_json=self.style.json) for part in items]
        if not node.value or not new:
            return [Edit(start, end, ", ".join(new))]
        first, last = node.value[0].start_mark.index, layout.content_end(self._scanned, node.value[-1])
        gap = self._gap(node)
        return [Edit(start, end, text[start:first] + gap.join(new) + _without_comma(text[last:end]))]

    # -- add and append --------------------------------------------------------------------------------------------

    def add(self, path: Path, value: Any) -> list[Edit]:
        """A key that is not there yet, after the last one; what is missing on the way is made."""
        depth = self._deepest(path)
        spot = locate(self._parsed, path[:depth])
        for part in reversed(path[depth + 1 :]):
            if isinstance(part, int):
                raise EditError("missing", path, f"{format_path(path)} has no list to stand in")
            value = {part: value}
        name = path[depth]
        if isinstance(name, int):
            raise EditError("missing", path, f"{format_path(path)} is not there")
        node = spot.node
        if isinstance(node, yaml.ScalarNode) and node.tag.endswith(":null") and spot.parent is not None:
            return self.replace(spot.path, {name: value})
        if not isinstance(node, yaml.MappingNode):
            raise EditError("not-a-mapping", spot.path, f"{format_path(spot.path)} is not a mapping")
        if layout.is_flow(node) or spot.flow:
            return self._into_brackets(node, self._flow_pair(node, name, value), spot.path)
        key, last = node.value[-1]
        siblings = [child for _, child in node.value]
        quote, capital = render.quote_of(siblings), render.is_capital(siblings)
        column = layout.first(node).start_mark.column
        new = render.scalar(name, key.style if key.style in {'"', "'"} else "", as_json=key.style == '"')
        new += ":" + render.after_colon(value, column, self.style, quote, capital=capital)
        return [self._line_after(layout.content_end(self._scanned, node), f"{self.style.newline}{' ' * column}{new}", spot.path)]

    def append(self, path: Path, value: Any) -> list[Edit]:
        """One more item at the end of a list."""
        spot = locate(self._parsed, path)
        node = spot.node
        if isinstance(node, yaml.ScalarNode) and node.tag.endswith(":null") and spot.parent is not None:
            return self.replace(path, [value])
        if not isinstance(node, yaml.SequenceNode):
            raise EditError("not-a-list", path, f"{format_path(path)} is not a list")
        check_items(node, path)
        if layout.is_flow(node) or spot.flow:
            new = render.flow(value, render.quote_of(node.value), as_json=self.style.json)
            return self._into_brackets(node, new, path)
        column = node.start_mark.column
        new = render.item(value, column, self.style, render.quote_of(node.value))
        return [self._line_after(layout.content_end(self._scanned, node), f"{self.style.newline}{' ' * column}{new}", path)]

    def _deepest(self, path: Path) -> int:
        """How many parts of a path are there; the last one must not be."""
        for depth in range(len(path)):
            node = self._parsed.node_at(path[: depth + 1])
            if node is None:
                return depth
        raise EditError("exists", path, f"{format_path(path)} is there already, with another value")

    def _line_after(self, end: int, new: str, path: Path) -> Edit:
        if not layout.ends_line(self._scanned, end):
            raise EditError("layout", path, f"something follows {format_path(path)} in its line")
        at = layout.line_end(self._text, end)
        return Edit(at, at, new)

    def _into_brackets(self, node: yaml.CollectionNode, new: str, path: Path) -> list[Edit]:
        start, close = node.start_mark.index, node.end_mark.index - 1
        if self._scanned[start] not in "[{":
            raise EditError("anchor", path, f"{format_path(path)} carries an anchor or a tag")
        if not node.value:
            return self._into_empty(start, close, new)
        last = node.value[-1]
        begin = (last[0] if isinstance(last, tuple) else last).start_mark.index
        end = self._item_end(last)
        comma = _TRAILING_COMMA.match(self._scanned, end, close)
        if not layout.starts_line(self._text, begin):
            return [Edit(end, end, self._gap(node) + new)]
        pad = self._text[layout.line_start(self._text, begin) : begin]
        line = f"{self.style.newline}{pad}{new}"
        after = comma.end() if comma else end
        if layout.ends_line(self._scanned, after) and layout.line_end(self._text, after) < close:
            at = layout.line_end(self._text, after)
            return [Edit(at, at, f"{line},")] if comma else _joined(Edit(end, end, ","), Edit(at, at, line))
        return [Edit(end, end, f",{line}")]

    def _into_empty(self, start: int, close: int, new: str) -> list[Edit]:
        if self._scanned[start + 1 : close].strip():  # a comment: leave it where it is
            return [Edit(start + 1, start + 1, new)]
        if not self.style.pretty:
            return [Edit(start + 1, close, new)]
        line = self._text[layout.line_start(self._text, start) : start]
        outer = " " * (len(line) - len(line.lstrip(" ")))
        inner = f"{self.style.newline}{outer}{' ' * self.style.step}"
        return [Edit(start + 1, close, f"{inner}{new}{self.style.newline}{outer}")]

    def _flow_pair(self, node: yaml.MappingNode, name: str, value: Any) -> str:
        siblings = [child for _, child in node.value]
        quoted = any(key.style == '"' for key, _ in node.value) or self.style.json
        colon = ": "
        if node.value and self._scanned[node.value[0][0].end_mark.index :][:2].strip() not in {":", ""}:
            colon = ":"
        quote = '"' if quoted else render.quote_of(siblings)
        key = render.scalar(name, '"' if quoted else "", as_json=quoted)
        capital = render.is_capital(siblings)
        if self.style.pretty and isinstance(value, dict | list):
            begin = node.value[0][0].start_mark.index if node.value else node.start_mark.index
            line = self._text[layout.line_start(self._text, begin) : begin]
            indent = len(line) - len(line.lstrip(" ")) + (0 if node.value else self.style.step)
            return f"{key}{colon}{render.pretty_json(value, indent, self.style)}"
        return f"{key}{colon}{render.flow(value, quote, capital=capital, as_json=quoted)}"

    # -- remove ----------------------------------------------------------------------------------------------------

    def remove(self, path: Path) -> list[Edit]:
        """A key, or an item of a list, that is there."""
        spot = locate(self._parsed, path)
        if spot.parent is None:
            raise EditError("root", path, "the whole document cannot be removed")
        return self._remove(spot.parent, {spot.index}, path, flow=spot.flow)

    def remove_items(self, path: Path, indices: set[int]) -> list[Edit]:
        """Several items of the list at a path."""
        spot = locate(self._parsed, path)
        if not isinstance(spot.node, yaml.SequenceNode):
            raise EditError("not-a-list", path, f"{format_path(path)} is not a list")
        check_items(spot.node, path)
        return self._remove(spot.node, indices, path, flow=spot.flow or layout.is_flow(spot.node))

    def _remove(self, node: yaml.CollectionNode, indices: set[int], path: Path, *, flow: bool) -> list[Edit]:
        kept = [index for index in range(len(node.value)) if index not in indices]
        if not kept:
            raise EditError("last-item", path, f"nothing would be left of {format_path(path)}")
        if not flow:
            return [self._remove_lines(node, index, path) for index in sorted(indices)]
        return [edit for index in sorted(indices) for edit in self._remove_between(node, index, kept, path)]

    def _remove_lines(self, node: yaml.CollectionNode, index: int, path: Path) -> Edit:
        start, end = self._begin(node, index), self._item_end(node.value[index])
        if not layout.ends_line(self._scanned, end):
            raise EditError("layout", path, f"something follows {format_path(path)} in its line")
        if layout.starts_line(self._text, start):
            stop = layout.next_line(self._text, end)
            first = layout.line_start(self._text, start)
            if stop == len(self._text) and not self._text.endswith("\n") and first:
                return Edit(layout.line_end(self._text, first - 1), stop, "")
            return Edit(first, stop, "")
        # The first pair of a mapping that begins behind a dash: what comes next moves up to it.
        rest = self._text[layout.line_end(self._text, end) :]
        return Edit(start, len(self._text) - len(rest.lstrip()), "")

    def _begin(self, node: yaml.CollectionNode, index: int) -> int:
        child = node.value[index]
        if isinstance(child, tuple):
            begin: int = child[0].start_mark.index
            return begin
        if node.flow_style:
            return int(child.start_mark.index)
        return self._scanned.rindex("-", 0, child.start_mark.index + (child.start_mark.index == child.end_mark.index))

    def _remove_between(self, node: yaml.CollectionNode, index: int, kept: list[int], path: Path) -> list[Edit]:
        """An item in brackets with the comma that goes with it: the one before, or after where it leads."""
        start, end = self._begin(node, index), self._item_end(node.value[index])
        before = max((place for place in kept if place < index), default=None)
        if before is None:
            return [Edit(start, self._begin(node, index + 1), "")]
        left = self._item_end(node.value[index - 1])
        if _BLANK_GAP.match(self._scanned, left, start):
            return [Edit(left, end, "")]
        comma = _TRAILING_COMMA.match(self._scanned, end)
        after = comma.end() if comma else end
        if not layout.starts_line(self._text, start) or not layout.ends_line(self._scanned, after):
            raise EditError("comment", path, f"a comment stands inside {format_path(path)}")
        line = Edit(layout.line_start(self._text, start), layout.next_line(self._text, after), "")
        if comma:
            return [line]
        lost = self._scanned.index(",", self._item_end(node.value[before]))
        return [Edit(lost, lost + 1, ""), line]

    # -- small things ----------------------------------------------------------------------------------------------

    def _item_end(self, child: Any) -> int:
        if not isinstance(child, tuple):
            return layout.content_end(self._scanned, child)
        return layout.value_end(self._scanned, *child)

    def _gap(self, node: yaml.CollectionNode) -> str:
        """What stands between two items, where that is a comma and blanks."""
        if len(node.value) > 1:
            gap = self._text[self._item_end(node.value[-2]) : self._begin(node, len(node.value) - 1)]
            if _BLANK_GAP.match(gap):
                return gap
        first = self._begin(node, 0) if node.value else node.start_mark.index
        if node.value and layout.starts_line(self._text, first):
            return f",{self.style.newline}{self._text[layout.line_start(self._text, first) : first]}"
        return ", "

    def _quote(self, spot: Spot) -> str:
        node = spot.node
        if self.style.json:
            return '"'
        if isinstance(node, yaml.ScalarNode) and node.tag.endswith(":str"):
            return node.style if node.style in {'"', "'"} else "" if node.style is None else '"'
        if isinstance(node, yaml.SequenceNode) and node.value:
            return render.quote_of(node.value)
        values = spot.parent.value if spot.parent is not None else []
        return render.quote_of([child[1] if isinstance(child, tuple) else child for child in values])

    def _flow_text(self, spot: Spot, value: Any) -> str:
        as_json = self.style.json
        if as_json and self.style.pretty and isinstance(value, list | dict) and value:
            line = self._text[layout.line_start(self._text, spot.node.start_mark.index) :]
            return render.pretty_json(value, len(line) - len(line.lstrip(" ")), self.style)
        return render.flow(value, self._quote(spot), capital=render.is_capital([spot.node]), as_json=as_json)


def _without_comma(text: str) -> str:
    return text if "," not in text else text.replace(",", "", 1) if not text.strip(" \r\n\t,") else text


def _joined(first: Edit, second: Edit) -> list[Edit]:
    return [Edit(first.start, first.end, first.new + second.new)] if first.end == second.start else [first, second]
