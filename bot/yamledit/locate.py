"""Finding the node that a patch is for, and refusing where a splice there would not mean what it says."""

from dataclasses import dataclass

import yaml

from bot.yamledit.layout import is_alias
from bot.yamledit.limits import EditError
from bot.yamledit.parse import Parsed, find_pair
from bot.yamledit.path import Path, format_path


@dataclass(frozen=True, slots=True)
class Spot:
    """A node that is written where its path leads, with the collection around it and its place in it.

    `key` is the key's node in a mapping, None for a list's item and the root; `flow` whether it stands in brackets.
    """

    path: Path
    node: yaml.Node
    parent: yaml.CollectionNode | None
    key: yaml.Node | None
    index: int
    flow: bool


def locate(parsed: Parsed, path: Path) -> Spot:
    """The spot a path leads to. Raises EditError: missing, not-a-mapping, not-a-list, alias, duplicate-key."""
    spot = Spot((), parsed.node, None, None, 0, flow=False)
    for depth, part in enumerate(path):
        here = path[: depth + 1]
        flow = spot.flow or bool(getattr(spot.node, "flow_style", False))
        spot = _item(spot.node, part, here, flow) if isinstance(part, int) else _pair(spot.node, part, here, flow)
    return spot


def _item(node: yaml.Node, index: int, path: Path, flow: bool) -> Spot:
    if not isinstance(node, yaml.SequenceNode):
        raise EditError("not-a-list", path[:-1], f"{format_path(path[:-1])} is not a list")
    if not -1 < index < len(node.value):
        raise EditError("missing", path, f"{format_path(path)} is not there")
    check_items(node, path[:-1])
    return Spot(path, node.value[index], node, None, index, flow)


def _pair(node: yaml.Node, name: str, path: Path, flow: bool) -> Spot:
    if not isinstance(node, yaml.MappingNode):
        raise EditError("not-a-mapping", path[:-1], f"{format_path(path[:-1]) or 'the document'} is not a mapping")
    at = [index for index, (key, _) in enumerate(node.value) if key.value == name]
    if len(at) > 1:
        raise EditError("duplicate-key", path, f"{format_path(path)} stands {len(at)} times")
    if not at:
        reason = "alias" if find_pair(node, name) else "missing"
        raise EditError(reason, path, f"{format_path(path)} is not written there")
    key, value = node.value[at[0]]
    if is_alias(key, value):
        raise EditError("alias", path, f"{format_path(path)} is an alias of what is written elsewhere")
    return Spot(path, value, node, key, at[0], flow)


def check_items(node: yaml.SequenceNode, path: Path) -> None:
    """Refuse a list with an alias among its items: nothing tells where in the text it stands."""
    reached = node.start_mark.index
    for place, child in enumerate(node.value):
        if child.start_mark.index < reached or child is node:
            raise EditError("alias", (*path, place), f"{format_path((*path, place))} is an alias")
        reached = max(child.end_mark.index, reached + 1)


def check_unmarked(parsed: Parsed, spot: Spot) -> None:
    """Refuse a node that carries an anchor or a tag: a splice would lose it."""
    first = parsed.scanned[spot.node.start_mark.index : spot.node.start_mark.index + 1]
    if first in {"&", "!"}:
        reason = "anchor" if first == "&" else "tag"
        raise EditError(
            reason, spot.path, f"{format_path(spot.path)} carries {'an anchor' if first == '&' else 'a tag'}"
        )
