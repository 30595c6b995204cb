"""The splices that put another value where one stands."""

from typing import Any

import yaml

from bot.yamledit import layout, render
from bot.yamledit.limits import EditError
from bot.yamledit.locate import Spot, check_unmarked, locate
from bot.yamledit.page import Edit, Page
from bot.yamledit.path import Path


def replace(page: Page, path: Path, value: Any) -> list[Edit]:
    """Another value at a path. Raises EditError."""
    spot = locate(page.parsed, path)
    if spot.parent is None:
        raise EditError("root", path, "the whole document cannot be replaced")
    check_unmarked(page.parsed, spot)
    node = spot.node
    if isinstance(node, yaml.ScalarNode):
        return _scalar(page, spot, value)
    if spot.flow or layout.is_flow(node):
        return _bracket(page, spot, value)
    return _block(page, spot, value)


def _scalar(page: Page, spot: Spot, value: Any) -> list[Edit]:
    """In place; a section that has no value yet gets its lines below the key."""
    start, end = spot.node.start_mark.index, page.end(spot.node)
    if spot.key is not None and not spot.flow and isinstance(value, dict) and value:
        new = render.after_colon(value, spot.key.start_mark.column, page.style, page.quote(spot))
        before = page.text[:start].rstrip(" \t")
        return [Edit(len(before), end, ""), page.line_after(end, new, spot.path)]
    new = page.inline(spot, value)
    glued = start == end and not page.text[start - 1].isspace()
    return [Edit(start, end, f" {new}" if glued else new)]


def _bracket(page: Page, spot: Spot, value: Any) -> list[Edit]:
    """New items between the brackets of a list, spaced as the ones before; anything else in place."""
    node, text = spot.node, page.text
    if not (isinstance(node, yaml.SequenceNode) and isinstance(value, list) and node.value and value):
        return [Edit(node.start_mark.index, node.end_mark.index, page.inline(spot, value))]
    start, end = node.start_mark.index + 1, node.end_mark.index - 1
    first, last = node.value[0].start_mark.index, page.end(node.value[-1])
    items = [render.flow(part, page.quote(spot), as_json=page.style.json) for part in value]
    return [Edit(start, end, text[start:first] + page.gap(node).join(items) + text[last:end])]


def _block(page: Page, spot: Spot, value: Any) -> list[Edit]:
    """Lines below a key or behind a dash: a list for a list stays lines, anything else goes behind the colon."""
    node, style, quote = spot.node, page.style, page.quote(spot)
    start, end = node.start_mark.index, page.end(node)
    if isinstance(value, list) and value and isinstance(node, yaml.SequenceNode):
        column = node.start_mark.column
        lines = [render.item(part, column, style, quote) for part in value]
        return [Edit(start, end, f"{style.newline}{' ' * column}".join(lines))]
    new = render.flow(value, quote)
    if spot.key is None or not layout.starts_line(page.text, start):
        return [Edit(start, end, new)]
    colon = page.scanned.index(":", spot.key.end_mark.index) + 1
    return [Edit(colon, colon, f" {new}"), Edit(layout.line_end(page.text, colon), layout.line_end(page.text, end), "")]
