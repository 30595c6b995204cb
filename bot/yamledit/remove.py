"""The splices that take something out: a key of a mapping, items of a list."""

import yaml

from bot.yamledit import layout
from bot.yamledit.limits import EditError
from bot.yamledit.locate import check_items, locate
from bot.yamledit.page import BLANK_GAP, TRAILING_COMMA, Edit, Page
from bot.yamledit.path import Path, format_path


def remove(page: Page, path: Path) -> list[Edit]:
    """A key, or an item of a list, that is there. Raises EditError."""
    spot = locate(page.parsed, path)
    if spot.parent is None:
        raise EditError("root", path, "the whole document cannot be removed")
    return _remove(page, spot.parent, {spot.index}, path)


def remove_items(page: Page, path: Path, indices: set[int]) -> list[Edit]:
    """Several items of the list at a path. Raises EditError."""
    node = locate(page.parsed, path).node
    if not isinstance(node, yaml.SequenceNode):
        raise EditError("not-a-list", path, f"{format_path(path)} is not a list")
    check_items(node, path)
    return _remove(page, node, indices, path)


def _remove(page: Page, node: yaml.CollectionNode, indices: set[int], path: Path) -> list[Edit]:
    kept = [index for index in range(len(node.value)) if index not in indices]
    if not kept:
        raise EditError("last-item", path, f"nothing would be left of {format_path(path)}")
    if layout.is_flow(node):
        return [edit for index in sorted(indices) for edit in _between(page, node, index, kept, path)]
    return [_lines(page, node, index, path) for index in sorted(indices)]


def _lines(page: Page, node: yaml.CollectionNode, index: int, path: Path) -> Edit:
    """The lines of an item, with the comment at their end."""
    text = page.text
    start, end = page.item_begin(node, index), page.item_end(node.value[index])
    if not layout.ends_line(page.scanned, end):
        raise EditError("layout", path, f"something follows {format_path(path)} in its line")
    if layout.starts_line(text, start):
        first, stop = layout.line_start(text, start), layout.next_line(text, end)
        if stop == len(text) and not text.endswith("\n") and first:
            return Edit(layout.line_end(text, first - 1), stop, "")
        return Edit(first, stop, "")
    # The first pair of a mapping that begins behind a dash: what comes next moves up to it.
    rest = text[layout.line_end(text, end) :]
    return Edit(start, len(text) - len(rest.lstrip()), "")


def _between(page: Page, node: yaml.CollectionNode, index: int, kept: list[int], path: Path) -> list[Edit]:
    """An item in brackets with the comma that goes with it: the one before, or after where nothing is left before."""
    start, end = page.item_begin(node, index), page.item_end(node.value[index])
    before = max((place for place in kept if place < index), default=None)
    if before is None:
        return [Edit(start, page.item_begin(node, index + 1), "")]
    left = page.item_end(node.value[index - 1])
    if BLANK_GAP.match(page.text[left:start]):
        return [Edit(left, end, "")]
    comma = TRAILING_COMMA.match(page.scanned, end)
    after = comma.end() if comma else end
    if not layout.starts_line(page.text, start) or not layout.ends_line(page.scanned, after):
        raise EditError("comment", path, f"a comment stands inside {format_path(path)}")
    line = Edit(layout.line_start(page.text, start), layout.next_line(page.text, after), "")
    if comma:
        return [line]
    lost = page.scanned.index(",", page.item_end(node.value[before]))
    return [Edit(lost, lost + 1, ""), line]
