"""Which batches are measured: those that coefficients are fitted on, and held-out ones that judge them."""

from dataclasses import dataclass, replace

from knowledge.memory.shapes import Architecture, Shape
from knowledge.memory.terms import REFERENCE_RANK, Backend


@dataclass(frozen=True, slots=True)
class Point:
    """One step to measure. `held_out` points never enter a fit."""

    shape: Shape
    rank: int = REFERENCE_RANK
    held_out: bool = False


def points(arch: Architecture, backend: Backend, *, checkpointing: bool) -> list[Point]:
    """The plain base is measured widest; the others differ from it in constants and slopes, not in kind.

    With checkpointing off the peak is a plane: few points do, and rank's share is that of the plain base.
    """
    text = arch.text
    shapes = (_video if arch.video else _image)(arch)
    longer = [replace(shapes[place], text=2 * text) for place in (1, 3)]
    held = [Point(shape, held_out=True) for shape in shapes[7:]]
    ranks = [Point(shapes[1], rank=128), Point(shapes[3], rank=128), Point(shapes[2], rank=16)]
    plain = backend == "none"
    if not checkpointing:
        few = shapes[1:5] if plain else (shapes[1], *shapes[3:5])
        return [*map(Point, (*few, longer[0])), *(ranks if plain else ()), *(held if plain else held[:1])]
    if backend == "offload":
        return [*map(Point, (*shapes[:2], *shapes[3:6], longer[0])), *ranks[:2], *held[:1]]
    if not plain:
        return [*map(Point, (*shapes[:2], *shapes[3:7], *longer)), *ranks[:2], *held]
    held.append(Point(shapes[8], rank=64, held_out=True))
    return [*map(Point, (*shapes[:7], *longer)), *ranks, *held]


def _image(arch: Architecture) -> list[Shape]:
    text = arch.text
    fewer = max(32, text * 3 // 4 // 32 * 32)
    return [
        Shape(256, 256), Shape(512, 512), Shape(768, 768), Shape(1024, 1024), Shape(768, 768, batch=2),
        Shape(1024, 1024, batch=4), Shape(1536, 1536),
        Shape(832, 1216), Shape(640, 896, batch=3, text=fewer),
    ]  # fmt: skip


def _video(arch: Architecture) -> list[Shape]:
    text = arch.text
    fewer = text * 3 // 4 // 32 * 32
    step = arch.grid.frames
    return [
        Shape(480, 480) if arch.grid.latent < 16 else Shape(512, 512),
        Shape(512, 512, frames=1 + step), Shape(512, 512, frames=1 + 4 * step), Shape(832, 480, frames=1 + 8 * step),
        Shape(512, 512, frames=1 + 2 * step, batch=2), Shape(832, 480, frames=1 + 20 * step),
        Shape(1024, 1024, frames=1 + 4 * step),
        Shape(640, 384, frames=1 + 12 * step), Shape(448, 640, frames=1 + 3 * step, batch=3, text=fewer),
    ]  # fmt: skip


def preview_points(arch: Architecture) -> list[Shape]:
    """Denoising passes of previews; the last is held out."""
    shapes = (_video if arch.video else _image)(arch)
    return [*shapes[:4], shapes[6], replace(shapes[1], text=2 * arch.text), shapes[7]]
