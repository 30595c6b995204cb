"""Keys that do nothing where they stand: in the wrong section, or misspelt. ai-toolkit says nothing about them."""

from collections.abc import Iterator, Mapping
from typing import Any

from bot.evidence import Misplaced
from bot.intake.config.draft import Draft
from bot.knowledge.keys import Keys
from bot.yamledit import format_path
from bot.yamledit.path import Path

_MOST = 20
_AROUND = frozenset(("job", "config", "process"))  # what leads to the process
Section = tuple[str, Path, Mapping[str, Any]]


def misplaced_keys(draft: Draft, sections: Iterator[Section], root: Path, keys: Keys) -> tuple[Misplaced, ...]:
    """What is found in the sections (name, path from the document's root, mapping), at most twenty."""
    found: list[Misplaced] = []
    for name, path, values in sections:
        known = keys.known[name]
        for key in values:
            if key in known or key in _AROUND or len(key) >= 80:
                continue
            meant = keys.meant(name, key)
            if meant is None or _stands_there(meant, name, key):
                continue
            written = format_path(_from_process((*path, key), root))
            found.append(Misplaced(written, _with_index(meant, path), draft.key((*path, key)).place))
    found.sort(key=lambda one: (one.place.line if one.place else 0, one.path))
    return tuple(found[:_MOST])


def _stands_there(meant: str, section: str, key: str) -> bool:
    return meant == f"{section}.{key}"


def _from_process(path: Path, root: Path) -> Path:
    return path[len(root) :] if path[: len(root)] == root else path


def _with_index(meant: str, path: Path) -> str:
    """`datasets.resolution` as `datasets[0].resolution`, in the entry where the key stands."""
    if not meant.startswith("datasets."):
        return meant
    index = path[-1] if path and isinstance(path[-1], int) else 0
    return f"datasets[{index}].{meant.removeprefix('datasets.')}"
