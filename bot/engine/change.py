"""A change to a config, and the steps that sizes and frame counts go down by."""

from typing import Any, NamedTuple

from bot.evidence import value
from bot.facts import Facts
from bot.yamledit.path import Path

# The sizes the toolkit's UI offers below each other; 512 is its code default (toolkit/config_modules.py).
SIZES = (2048, 1536, 1280, 1024, 768, 512)
SMALLEST = 512


class Told(NamedTuple):
    """What a change is called where the key at its path is not the setting itself: a number inside of a prompt."""

    key: str
    old: Any
    new: Any


class Change(NamedTuple):
    """A new value at a path from the process root. `drop` is the list item to take out, where only that goes."""

    path: Path
    new: Any
    drop: Any = None
    told: Told | None = None


Changes = tuple[Change, ...]


def next_size(size: int, sizes: tuple[int, ...] = SIZES) -> int:
    """The next lower of some sizes, in falling order."""
    return next((lower for lower in sizes if lower < size), SMALLEST)


def on_grid(frames: int, step: int, base: int) -> int:
    """The largest count of a grid (n * step + base) that is not above `frames`, and at least base."""
    return max(base, (frames - base) // step * step + base)


def on_own_grid(facts: Facts, frames: int) -> int:
    """So on the architecture's own grid."""
    return on_grid(frames, int(value(facts, "arch.frame_step") or 4), int(value(facts, "arch.frame_base") or 1))
