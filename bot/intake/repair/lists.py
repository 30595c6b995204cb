"""Lists that have lost their dashes: what parses is then one mapping, or one long text."""

from collections.abc import Iterator

import yaml

from bot.intake.repair.change import Change, is_content
from bot.intake.repair.nesting import nesting
from bot.yamledit import Parsed
from bot.yamledit.layout import content_end, starts_line


def dash_change(parsed: Parsed, lines: list[str]) -> Change | None:
    """Dashes for the first list without them, by the sections that are known to be lists."""
    for name, key, value in _members(parsed.node, 6):
        container = nesting().containers.get(name)
        start, end = value.start_mark.index, content_end(parsed.scanned, value)
        if container is None or not container.is_list or not starts_line(parsed.text, start):
            continue
        first, last = parsed.text.count("\n", 0, start), parsed.text.count("\n", 0, end)
        if isinstance(value, yaml.MappingNode) and not value.flow_style and value.value and container.keys:
            return Change("lost-dash", first, _as_item(lines, first, last, value.start_mark.column))
        if isinstance(value, yaml.ScalarNode) and not value.style and last > first and key.end_mark.index < start:
            changed = {at: _dashed(lines[at]) for at in range(first, last + 1) if is_content(lines[at])}
            return Change("lost-dash", first, changed)
    return None


def _members(node: yaml.Node, depth: int) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
    """Every key and value, outer ones first, as deep as a job's sections go."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if value.start_mark.index > key.start_mark.index and isinstance(key, yaml.ScalarNode):
                yield key.value, key, value
        children = [value for key, value in node.value if value.start_mark.index > key.start_mark.index]
    elif isinstance(node, yaml.SequenceNode):
        children = [child for child in node.value if child.start_mark.index > node.start_mark.index]
    else:
        return
    if depth:
        for child in children:
            yield from _members(child, depth - 1)


def _as_item(lines: list[str], first: int, last: int, column: int) -> dict[int, str]:
    head = lines[first][column:]
    changed = {first: " " * column + "- " + head.removeprefix("-")}
    changed |= {at: "  " + lines[at] for at in range(first + 1, last + 1) if lines[at].strip()}
    return changed


def _dashed(line: str) -> str:
    stripped = line.lstrip()
    return f"{line[: len(line) - len(stripped)]}- {stripped}"
