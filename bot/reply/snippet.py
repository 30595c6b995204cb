"""The lines to paste where no config was given: the patches' paths written out as YAML."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bot.diagnosis import PathPatch
from bot.yamledit import parse_path


def snippet(patches: Iterable[PathPatch]) -> str:
    """YAML that sets each patch's new value at its path, rooted at `train`, `model`, `datasets`, `sample`."""
    tree: dict[str, Any] = {}
    for patch in patches:
        node: dict[str, Any] = tree
        parts = [part for part in parse_path(patch.path) if isinstance(part, str)]
        for part in parts[:-1]:
            node = node.setdefault(part, {})
        node[parts[-1]] = patch.new
    return "\n".join(_lines(tree, "")) + "\n" if tree else ""


def _lines(tree: Mapping[str, Any], indent: str) -> Iterator[str]:
    for key, value in tree.items():
        if not isinstance(value, Mapping):
            yield f"{indent}{key}: {_scalar(value)}"
        elif key in _LISTS:
            # One entry stands for each dataset or sample: the dash shows that the keys belong into every entry.
            yield f"{indent}{key}:"
            inner = list(_lines(value, ""))
            yield f"{indent}  - {inner[0]}"
            yield from (f"{indent}    {line}" for line in inner[1:])
        else:
            yield f"{indent}{key}:"
            yield from _lines(value, f"{indent}  ")


_LISTS = frozenset({"datasets", "samples"})
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "~", ""})


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_scalar(item) for item in value) + "]"
    if isinstance(value, str) and (not set(value) <= _PLAIN or value.lower() in _WORDS or not value[0].isalpha()):
        return "'" + value.replace("'", "''") + "'"
    return str(value)
