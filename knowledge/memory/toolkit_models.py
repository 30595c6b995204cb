"""Architectures whose code ai-toolkit brings itself; they need a checkout of it (`--toolkit`)."""

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import nn

from knowledge.memory.shapes import Architecture, Grid, Run, Shape, blank

FLOAT = torch.float32
_FOLDER = "extensions_built_in/diffusion_models"


class Toolkit:
    """Loads single model sources of a checkout, without importing the toolkit itself."""

    root: Path | None = None

    @classmethod
    def module(cls, model: str, name: str) -> Any:
        """`extensions_built_in/diffusion_models/<model>/src/<name>.py`."""
        if cls.root is None:
            raise FileNotFoundError(f"{model} needs a checkout of ai-toolkit: give --toolkit FOLDER")
        package = f"measured_{model}"
        if package not in sys.modules:
            made = ModuleType(package)
            made.__path__ = [str(cls.root / _FOLDER / model / "src")]
            sys.modules[package] = made
        return importlib.import_module(f"{package}.{name}")


def _chroma() -> nn.Module:
    source = Toolkit.module("chroma", "model")
    source.modify_mask_to_attend_padding = lambda mask, *_: mask  # reads lengths, which meta tensors do not have
    return source.Chroma(source.chroma_params)


def _chroma_inputs(model: Any, shape: Shape, text: int) -> Run:
    tokens = Grid().tokens(shape)
    batch = shape.batch

    def run() -> torch.Tensor:
        return model(
            img=blank(batch, tokens, 64), img_ids=blank(batch, tokens, 3), txt=blank(batch, text, 4096),
            txt_ids=blank(batch, text, 3), txt_mask=blank(batch, text), timesteps=blank(batch), guidance=blank(batch),
        )  # fmt: skip

    return run


FLUX2_GRID = Grid(16, 16)


def _flux2(params: str) -> Any:
    def build() -> nn.Module:
        source = Toolkit.module("flux2", "model")
        return source.Flux2(getattr(source, params)())

    return build


def _flux2_inputs(width: int) -> Any:
    def inputs(model: Any, shape: Shape, text: int) -> Run:
        own = FLUX2_GRID.tokens(shape)
        tokens = own + FLUX2_GRID.control_tokens(shape)
        batch = shape.batch

        def run() -> torch.Tensor:
            out = model(
                x=blank(batch, tokens, 128), x_ids=blank(batch, tokens, 4, dtype=FLOAT), timesteps=blank(batch),
                ctx=blank(batch, text, width), ctx_ids=blank(batch, text, 4, dtype=FLOAT), guidance=blank(batch),
            )  # fmt: skip
            return out[:, :own]

        return run

    return inputs


_KREA = {
    "features": 6144, "tdim": 256, "txtdim": 2560, "heads": 48, "kvheads": 12, "multiplier": 4, "layers": 28,
    "patch": 2, "channels": 16, "txtheads": 20, "txtkvheads": 20, "txtlayers": 12,
}  # fmt: skip


def _krea2() -> nn.Module:
    source = Toolkit.module("krea2", "mmdit")
    return source.SingleStreamDiT(source.SingleMMDiTConfig(**_KREA))


def _krea2_inputs(model: Any, shape: Shape, text: int) -> Run:
    own = Grid().tokens(shape)
    extra = Grid().control_tokens(shape)
    batch = shape.batch

    def run() -> torch.Tensor:
        return model(
            img=blank(batch, own + extra, 64), context=blank(batch, text, 12, 2560), t=blank(batch, dtype=FLOAT),
            pos=blank(batch, text + own + extra, 3, dtype=FLOAT),
            mask=blank(batch, text + own + extra, dtype=torch.bool), reflen=extra,
        )  # fmt: skip

    return run


_TWO = ("double_blocks", "single_blocks")
_KREA_KEEP = ("first", "tmlp*", "tproj*", "txtmlp*", "txtfusion.projector", "last*")

ARCHITECTURES: tuple[Architecture, ...] = (
    Architecture("flux-2", 32.2, _flux2("Flux2Params"), _flux2_inputs(15360), _TWO, grid=FLUX2_GRID, controls=True),
    Architecture(
        "flux-2-klein-9b", 9.08, _flux2("Klein9BParams"), _flux2_inputs(12288), _TWO, grid=FLUX2_GRID, controls=True
    ),
    Architecture(
        "flux-2-klein-4b", 3.88, _flux2("Klein4BParams"), _flux2_inputs(7680), _TWO, grid=FLUX2_GRID, controls=True
    ),
    Architecture(
        "chroma",
        8.9,
        _chroma,
        _chroma_inputs,
        _TWO,
        square_attention=True,
        offloadable=False,
        note="the toolkit repeats one attention mask for every head: memory grows with the square of the tokens",
    ),
    Architecture("krea-2", None, _krea2, _krea2_inputs, ("blocks",), text=256, keep=_KREA_KEEP, controls=True, pad=256),
)
