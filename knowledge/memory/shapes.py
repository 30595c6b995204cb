"""What one training step is fed with, and what an architecture must say to be measured."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

HALF = torch.bfloat16
_device = ContextVar("device", default="meta")


@contextmanager
def on_device(name: str) -> Iterator[None]:
    """Within, `blank` makes its tensors on that device."""
    token = _device.set(name)
    try:
        yield
    finally:
        _device.reset(token)


def blank(*size: int, dtype: torch.dtype = HALF) -> torch.Tensor:
    """A tensor of that size, its content whatever it is; on the meta device unless `on_device` says otherwise."""
    return torch.empty(*size, dtype=dtype, device=_device.get())


@dataclass(frozen=True, slots=True)
class Shape:
    """One batch: pixels, frames, items, text tokens an item, and the pixel sizes of its control images."""

    width: int
    height: int
    batch: int = 1
    frames: int = 1
    text: int | None = None
    controls: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """How pixels and frames become tokens: `pixels` a side for one token, `latent` a side for one latent pixel."""

    pixels: int = 16
    latent: int = 8
    frames: int = 1

    def size(self, shape: Shape) -> tuple[int, int, int]:
        """Latent frames, rows, columns."""
        frames = (shape.frames - 1) // self.frames + 1 if self.frames > 1 else 1
        return frames, shape.height // self.latent, shape.width // self.latent

    def tokens(self, shape: Shape) -> int:
        """Image tokens of one item without its controls."""
        side = self.pixels // self.latent
        frames, rows, columns = self.size(shape)
        return frames * (rows // side) * (columns // side)

    def control_tokens(self, shape: Shape) -> int:
        """Tokens that the control images add to one item."""
        return sum((width // self.pixels) * (height // self.pixels) for width, height in shape.controls)


Run = Callable[[], torch.Tensor]


@dataclass(frozen=True, slots=True)
class Architecture:
    """A model with its true hyperparameters.

    `lora` are parts of the dotted names that LoRA goes on (ai-toolkit: the transformer blocks), `skip` parts it leaves
    out; `keep` are fnmatch patterns of layers never quantized; `published` is the parameter count its makers state, in
    billions (None: not found); `pad`: an item's tokens are filled up to a multiple of this; `fills`: image tokens
    that an item which is not square is filled up to; `inputs` makes the forward call for a shape.
    """

    name: str
    published: float | None
    build: Callable[[], nn.Module]
    inputs: Callable[[Any, Shape, int], Run]
    lora: tuple[str, ...]
    grid: Grid = Grid()
    text: int = 512
    skip: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    video: bool = False
    controls: bool = False
    square_attention: bool = False
    pad: int = 1
    fills: int = 0
    quantizable: bool = True
    offloadable: bool = True
    conv_lora: bool = False
    note: str = ""
