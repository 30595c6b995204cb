"""What a patch means for the values, and the smallest splices that bring it about."""

from collections.abc import Iterator
from typing import Any

from bot.yamledit.insert import add, append
from bot.yamledit.limits import EditError
from bot.yamledit.page import Edit, Page
from bot.yamledit.path import Path, format_path
from bot.yamledit.remove import remove, remove_items
from bot.yamledit.replace import replace


def same(one: Any, other: Any) -> bool:
    """Equal, and of the same type all the way down: `1` is neither `1.0` nor `true`."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def patched(data: Any, op: str, path: Path, value: Any, at: int = 0) -> Any:
    """A copy of the values with a patch made; what the patch does not touch is shared. Raises EditError."""
    if at < len(path):
        return _inside(data, op, path, value, at)
    if op in {"replace", "add"}:
        return value
    if data is None and op == "append":
        return [value]
    if not isinstance(data, list):
        raise EditError("not-a-list", path, f"{format_path(path)} is not a list")
    if op == "append":
        return data if any(same(item, value) for item in data) else [*data, value]
    return [item for item in data if not same(item, value)]


def _inside(data: Any, op: str, path: Path, value: Any, at: int) -> Any:
    part = path[at]
    last = at == len(path) - 1
    if isinstance(part, int):
        if data is not None and not isinstance(data, list):
            raise EditError("not-a-list", path[:at], f"{format_path(path[:at])} is not a list")
        if data is None or not -1 < part < len(data):
            raise EditError("missing", path, f"{format_path(path)} is not there")
        middle = [] if last and op == "remove" else [patched(data[part], op, path, value, at + 1)]
        return [*data[:part], *middle, *data[part + 1 :]]
    if data is None and op == "add":
        data = {}
    if not isinstance(data, dict):
        raise EditError("not-a-mapping", path[:at], f"{format_path(path[:at]) or 'the document'} is not a mapping")
    if part not in data and op != "add":
        if op == "remove":
            return data
        raise EditError("missing", path, f"{format_path(path)} is not there")
    if last and op == "remove":
        return {key: item for key, item in data.items() if key != part}
    return {**data, part: patched(data.get(part), op, path, value, at + 1)}


def as_splices(page: Page, op: str, path: Path, value: Any) -> Iterator[Edit]:
    """The splices of one patch. Lists and mappings that are replaced by their like change item by item."""
    if op == "replace":
        yield from _replace(page, path, value_at(page.parsed.data, path), value)
    elif op == "add":
        yield from add(page, path, value)
    elif op == "append":
        yield from append(page, path, value)
    elif op == "remove":
        yield from remove(page, path)
    else:
        items = value_at(page.parsed.data, path)
        if not isinstance(items, list):
            raise EditError("not-a-list", path, f"{format_path(path)} is not a list")
        yield from remove_items(page, path, {place for place, item in enumerate(items) if same(item, value)})


def _replace(page: Page, path: Path, old: Any, new: Any) -> Iterator[Edit]:
    if isinstance(old, list) and isinstance(new, list) and old and new:
        left_out = _left_out(old, new)
        if left_out is not None:
            yield from remove_items(page, path, left_out)
            return
        if len(old) == len(new):
            for place, (before, after) in enumerate(zip(old, new, strict=True)):
                if not same(before, after):
                    yield from _replace(page, (*path, place), before, after)
            return
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        for key, before in old.items():
            if not same(before, new[key]):
                yield from _replace(page, (*path, key), before, new[key])
        return
    yield from replace(page, path, new)


def _left_out(old: list[Any], new: list[Any]) -> set[int] | None:
    """Which items of the old list are missing in the new one, if leaving out is all that was done."""
    missing: set[int] = set()
    at = 0
    for place, item in enumerate(old):
        if at < len(new) and same(item, new[at]):
            at += 1
        else:
            missing.add(place)
    return missing if missing and at == len(new) else None


def value_at(data: Any, path: Path) -> Any:
    """The value at a path that is known to be there, or None."""
    for part in path:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return None
    return data
