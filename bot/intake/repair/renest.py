"""Indentation that is lost altogether: every line put back into the section that its key belongs to."""

from dataclasses import dataclass, field
from itertools import pairwise

from bot.intake.repair.change import Entry, entry, indent_of, is_content
from bot.intake.repair.nesting import Container, nesting

_STEP = 2


@dataclass(slots=True)
class _Level:
    """An open section: its content's column, the keys met so far, whether an item of its list is open."""

    container: Container | None
    column: int
    met: set[str] = field(default_factory=set)
    in_item: bool = False


def is_flat(lines: list[str]) -> bool:
    """Whether no line of a text stands further in than another, although sections are opened in it."""
    content = [line for line in lines if is_content(line) and line.strip() not in {"---", "..."}]
    if len(content) < 3 or len({indent_of(line) for line in content}) > 1:
        return False
    opened = [
        parts.key for line in content if ":" in line[-40:] and (parts := entry(line)) and parts.key and not parts.value
    ]
    containers = nesting().containers
    return any(key in containers and not containers[key].inside.startswith("network_") for key in opened)


def renested(lines: list[str]) -> list[str] | None:
    """The lines with their indentation back, or None where a line fits nowhere."""
    made: list[str] = []
    stack = [_Level(None, 0)]
    content = [at for at, line in enumerate(lines) if is_content(line)]
    # Bullets may have gone with the dashes of items that begin with a key, and not with those of plain values.
    dashed = {_has_key(lines[at]) for at in content if lines[at].lstrip().startswith("- ")}
    below = {at: lines[after].strip() for at, after in pairwise(content)}
    for at, line in enumerate(lines):
        stripped = line.strip()
        if not is_content(line) or stripped in {"---", "..."}:
            made.append(" " * stack[-1].column + stripped if stripped.startswith("#") else stripped)
            continue
        item = "- " if _has_key(stripped) not in dashed and _begins_item(stack, stripped) else ""
        placed = _placed(stack, item + stripped, below.get(at, ""))
        if placed is None:
            return None
        made.append(placed)
    return made


def _has_key(line: str) -> bool:
    parts = entry(line)
    return bool(parts and parts.key)


def _placed(stack: list[_Level], line: str, below: str) -> str | None:
    if line.startswith("- ") or line == "-":
        return _item(stack, line, below)
    parts = entry(line)
    if parts is None or not parts.key:
        return None
    level = next((level for level in reversed(stack) if _takes(level, parts, stack)), None)
    if level is None:
        level = _by_section(stack, parts.key)
    del stack[stack.index(level) + 1 :]
    level.met.add(parts.key)
    made = " " * _content_column(level) + line
    _open(stack, level, parts, below)
    return made


def _begins_item(stack: list[_Level], line: str) -> bool:
    """Whether a line without a dash is the next item of an open list: a plain value, or the first key once more."""
    parts = entry(line)
    if parts is None:
        container = stack[-1].container
        return container is not None and container.is_list and not container.keys
    top = stack[-1]
    if top.container and not top.container.is_list and parts.key in top.container.keys and parts.key not in top.met:
        return False
    lists = (level for level in reversed(stack) if level.container and level.container.is_list)
    level = next((level for level in lists if level.container and parts.key in level.container.keys), None)
    return level is not None and (not level.in_item or parts.key in level.met)


def _content_column(level: _Level) -> int:
    return level.column + (_STEP if level.in_item else 0)


def _takes(level: _Level, parts: Entry, stack: list[_Level]) -> bool:
    key = parts.key
    if level.container is None:
        return key in nesting().document and key not in level.met
    if level.container.is_list and not level.in_item:
        return False
    container = None if parts.value else nesting().containers.get(key)
    if container is not None:
        return container.inside == level.container.name and key not in level.met
    if key in level.container.shared:
        around = stack[stack.index(level) - 1]
        return key in around.met and key not in level.met
    return key in level.container.keys and key not in level.met


def _by_section(stack: list[_Level], key: str) -> _Level:
    """For a key that is at home in no open section: where it may stand, else the root of a fragment for a section."""
    holder = next(
        (level for level in reversed(stack) if level.container and key in level.container.keys - level.met), None
    )
    if holder is not None and not (holder.container and holder.container.is_list and not holder.in_item):
        return holder
    if key in nesting().containers:
        return stack[0]
    return next(
        level for level in reversed(stack) if not (level.container and level.container.is_list and not level.in_item)
    )


def _open(stack: list[_Level], level: _Level, parts: Entry, below: str) -> None:
    container = nesting().containers.get(parts.key)
    if parts.value:
        return
    if below.startswith("- ") and (container is None or not container.is_list):
        container = Container(parts.key, "", is_list=True, keys=frozenset())
    if container is not None:
        stack.append(_Level(container, _content_column(level) + _STEP))


def _item(stack: list[_Level], line: str, below: str) -> str | None:
    parts = entry(line)
    key = parts.key if parts else ""
    lists = [level for level in reversed(stack) if level.container and level.container.is_list]
    if not lists:
        return None
    level = next((level for level in lists if level.container and _lists(level.container, key)), lists[0])
    del stack[stack.index(level) + 1 :]
    level.in_item, level.met = True, {key}
    made = " " * level.column + line
    if parts and key:
        _open(stack, level, parts, below)
    return made


def _lists(container: Container, key: str) -> bool:
    """Whether an item that begins with a key (or is plain, without one) belongs to a list."""
    return key in container.keys if key else not container.keys or container.name == "samples"
