"""Architectures built only to compare with public figures of other trainers: no coefficients are made of these."""

from typing import Any

import torch
from torch import nn

from knowledge.memory.diffusers_models import sd3, sd3_inputs
from knowledge.memory.shapes import Architecture, Grid, Run, Shape, blank

FLOAT = torch.float32
LTX_GRID = Grid(32, 32, 8)


def _chroma() -> nn.Module:
    from diffusers import ChromaTransformer2DModel

    return ChromaTransformer2DModel()


def _packed(width: int, *, mask: bool = False) -> Any:
    """Inputs of FLUX-like models: packed latents, captions of `width`, with what else they take."""

    def inputs(model: Any, shape: Shape, text: int) -> Run:
        tokens = Grid().tokens(shape)
        batch = shape.batch

        def run() -> torch.Tensor:
            more = {"attention_mask": blank(batch, text + tokens, dtype=torch.bool)} if mask else {}
            return model(
                hidden_states=blank(batch, tokens, 64), timestep=blank(batch),
                encoder_hidden_states=blank(batch, text, width), txt_ids=blank(text, 3, dtype=FLOAT),
                img_ids=blank(tokens, 3, dtype=FLOAT), return_dict=False, **more,
            )[0]  # fmt: skip

        return run

    return inputs


def _longcat() -> nn.Module:
    from diffusers import LongCatImageTransformer2DModel

    return LongCatImageTransformer2DModel(num_layers=10, num_single_layers=20)


def _auraflow() -> nn.Module:
    from diffusers import AuraFlowTransformer2DModel

    return AuraFlowTransformer2DModel(
        sample_size=64, num_mmdit_layers=4, num_single_dit_layers=32, attention_head_dim=256, num_attention_heads=12,
        joint_attention_dim=2048, caption_projection_dim=3072, out_channels=4, pos_embed_max_size=9216,
    )  # fmt: skip


def _auraflow_inputs(model: Any, shape: Shape, text: int) -> Run:
    _, rows, columns = Grid().size(shape)

    def run() -> torch.Tensor:
        return model(
            hidden_states=blank(shape.batch, 4, rows, columns), timestep=blank(shape.batch),
            encoder_hidden_states=blank(shape.batch, text, 2048), return_dict=False,
        )[0]  # fmt: skip

    return run


def _ltx() -> nn.Module:
    from diffusers import LTXVideoTransformer3DModel

    return LTXVideoTransformer3DModel()


def _ltx_inputs(model: Any, shape: Shape, text: int) -> Run:
    frames, rows, columns = LTX_GRID.size(shape)
    batch = shape.batch

    def run() -> torch.Tensor:
        return model(
            hidden_states=blank(batch, frames * rows * columns, 128), encoder_hidden_states=blank(batch, text, 4096),
            timestep=blank(batch), encoder_attention_mask=blank(batch, text), num_frames=frames, height=rows,
            width=columns, rope_interpolation_scale=(1.0, 1.0, 1.0), return_dict=False,
        )[0]  # fmt: skip

    return run


_MEDIUM = {
    "num_layers": 24, "num_attention_heads": 24, "caption_projection_dim": 1536, "pos_embed_max_size": 384,
    "dual_attention_layers": tuple(range(13)),
}  # fmt: skip
_BLOCKS = ("transformer_blocks",)

ARCHITECTURES: tuple[Architecture, ...] = (
    Architecture("chroma-diffusers", 8.9, _chroma, _packed(4096, mask=True), _BLOCKS),
    Architecture("longcat-image", 6.27, _longcat, _packed(3584), _BLOCKS),
    Architecture("auraflow", 6.8, _auraflow, _auraflow_inputs, ("transformer_blocks",), text=256),
    Architecture("sd3-5-medium", 2.47, lambda: sd3(**_MEDIUM), sd3_inputs, _BLOCKS, text=154),
    Architecture("ltx-video-2b", 1.92, _ltx, _ltx_inputs, _BLOCKS, grid=LTX_GRID, text=256, video=True),
)
