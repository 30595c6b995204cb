"""The splices that put in what is not there yet: a key of a mapping, an item of a list."""

from typing import Any

import yaml

from bot.yamledit import layout, render
from bot.yamledit.limits import EditError
from bot.yamledit.locate import check_items, locate
from bot.yamledit.page import TRAILING_COMMA, Edit, Page
from bot.yamledit.path import Path, format_path
from bot.yamledit.replace import replace


def add(page: Page, path: Path, value: Any) -> list[Edit]:
    """A key after the last one of its mapping; mappings that are missing on the way are made. Raises EditError."""
    depth = page.parsed.depth_of(path)
    if depth == len(path):
        return _override(page, path, value)
    if any(isinstance(part, int) for part in path[depth:]):
        raise EditError("missing", path, f"{format_path(path)} has no list to stand in")
    for part in reversed(path[depth + 1 :]):
        value = {part: value}
    return _into_mapping(page, path[:depth], str(path[depth]), value)


def _override(page: Page, path: Path, value: Any) -> list[Edit]:
    """A key that is there, but only by a merge key (`<<`), may be written beside it."""
    inner = locate(page.parsed, path[:-1]).node
    if isinstance(inner, yaml.MappingNode) and all(key.value != path[-1] for key, _ in inner.value):
        return _into_mapping(page, path[:-1], str(path[-1]), value)
    raise EditError("exists", path, f"{format_path(path)} is there already, with another value")


def _into_mapping(page: Page, path: Path, name: str, value: Any) -> list[Edit]:
    spot = locate(page.parsed, path)
    node = spot.node
    if _is_null(node) and spot.parent is not None:
        return replace(page, path, {name: value})
    if not isinstance(node, yaml.MappingNode):
        raise EditError("not-a-mapping", path, f"{format_path(path) or 'the document'} is not a mapping")
    if layout.is_flow(node):
        return _into_brackets(page, node, _flow_pair(page, node, name, value), path)
    key, _ = node.value[-1]
    siblings = [child for _, child in node.value]
    column = layout.first(node).start_mark.column
    quote, capital = render.quote_of(siblings), render.is_capital(siblings)
    written = render.scalar(name, key.style if key.style in {'"', "'"} else "")
    written += ":" + render.after_colon(value, column, page.style, quote, capital=capital)
    return [page.line_after(page.end(node), f"{page.style.newline}{' ' * column}{written}", path)]


def append(page: Page, path: Path, value: Any) -> list[Edit]:
    """One more item at the end of a list. Raises EditError."""
    spot = locate(page.parsed, path)
    node = spot.node
    if _is_null(node) and spot.parent is not None:
        return replace(page, path, [value])
    if not isinstance(node, yaml.SequenceNode):
        raise EditError("not-a-list", path, f"{format_path(path)} is not a list")
    check_items(node, path)
    quote = '"' if page.style.json else render.quote_of(node.value)
    if layout.is_flow(node):
        return _into_brackets(page, node, render.flow(value, quote, as_json=page.style.json), path)
    column = node.start_mark.column
    new = render.item(value, column, page.style, quote)
    return [page.line_after(page.end(node), f"{page.style.newline}{' ' * column}{new}", path)]


def _is_null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag.endswith(":null")


def _into_brackets(page: Page, node: yaml.CollectionNode, new: str, path: Path) -> list[Edit]:
    start, close = node.start_mark.index, node.end_mark.index - 1
    if page.scanned[start] not in "[{":
        raise EditError("anchor", path, f"{format_path(path)} carries an anchor or a tag")
    if not node.value:
        return [_into_empty(page, start, close, new)]
    begin, end = page.item_begin(node, len(node.value) - 1), page.item_end(node.value[-1])
    if not layout.starts_line(page.text, begin):
        return [Edit(end, end, page.gap(node) + new)]
    line = f"{page.style.newline}{page.pad(begin)}{new}"
    comma = TRAILING_COMMA.match(page.scanned, end, close)
    after = comma.end() if comma else end
    at = layout.line_end(page.text, after)
    if not layout.ends_line(page.scanned, after) or at > close:
        return [Edit(end, end, f",{line}")]
    if comma:
        return [Edit(at, at, f"{line},")]
    return [Edit(end, end, f",{line}")] if at == end else [Edit(end, end, ","), Edit(at, at, line)]


def _into_empty(page: Page, start: int, close: int, new: str) -> Edit:
    if page.scanned[start + 1 : close].strip():  # a comment: leave it where it is
        return Edit(start + 1, start + 1, new)
    if not page.style.pretty:
        return Edit(start + 1, close, new)
    outer = f"{page.style.newline}{' ' * page.indent(start)}"
    return Edit(start + 1, close, f"{outer}{' ' * page.style.step}{new}{outer}")


def _flow_pair(page: Page, node: yaml.MappingNode, name: str, value: Any) -> str:
    siblings = [child for _, child in node.value]
    quoted = page.style.json or any(key.style == '"' for key, _ in node.value)
    quote = '"' if quoted else render.quote_of(siblings)
    key = render.scalar(name, '"' if quoted else "", as_json=quoted)
    behind = page.scanned[node.value[0][0].end_mark.index :][:2] if node.value else ": "
    colon = ":" if behind[:1] == ":" and not behind[1:].isspace() else ": "
    if page.style.pretty and isinstance(value, dict | list):
        begin = page.item_begin(node, 0) if node.value else node.start_mark.index
        indent = page.indent(begin) + (0 if node.value else page.style.step)
        return f"{key}{colon}{render.pretty_json(value, indent, page.style)}"
    return f"{key}{colon}{render.flow(value, quote, capital=render.is_capital(siblings), as_json=quoted)}"
