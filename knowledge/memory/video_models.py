"""Video models that ai-toolkit takes from diffusers, built with their published hyperparameters."""

from typing import Any

import torch
from torch import nn

from knowledge.memory.shapes import Architecture, Grid, Run, Shape, blank

FLOAT = torch.float32


def _wan(**config: Any) -> nn.Module:
    from diffusers import WanTransformer3DModel

    return WanTransformer3DModel(**config)


def _wan_inputs(grid: Grid, channels: int, *, image: bool = False) -> Any:
    def inputs(model: Any, shape: Shape, text: int) -> Run:
        frames, rows, columns = grid.size(shape)
        batch = shape.batch
        extra = {"encoder_hidden_states_image": (257, 1280)} if image else {}

        def run() -> torch.Tensor:
            return model(
                hidden_states=blank(batch, channels, frames, rows, columns), timestep=blank(batch, dtype=FLOAT),
                encoder_hidden_states=blank(batch, text, 4096), return_dict=False,
                **{name: blank(batch, *size) for name, size in extra.items()},
            )[0]  # fmt: skip

        return run

    return inputs


LTX_GRID = Grid(32, 32, 8)


def _ltx2() -> nn.Module:
    from diffusers import LTX2VideoTransformer3DModel

    return LTX2VideoTransformer3DModel()


def _ltx2_inputs(model: Any, shape: Shape, text: int) -> Run:
    frames, rows, columns = LTX_GRID.size(shape)
    tokens = frames * rows * columns
    sound = max(1, round(shape.frames / 24 * 25))
    batch = shape.batch

    def run() -> torch.Tensor:
        return model(
            hidden_states=blank(batch, tokens, 128), audio_hidden_states=blank(batch, sound, 128),
            encoder_hidden_states=blank(batch, text, 3840), audio_encoder_hidden_states=blank(batch, text, 3840),
            timestep=blank(batch, tokens), audio_timestep=blank(batch), encoder_attention_mask=blank(batch, text),
            audio_encoder_attention_mask=blank(batch, text), num_frames=frames, height=rows, width=columns,
            audio_num_frames=sound, fps=24.0, return_dict=False,
        )[0]  # fmt: skip

    return run


WAN_GRID = Grid(16, 8, 4)
WAN_5B_GRID = Grid(32, 16, 4)
_WAN = {"lora": ("blocks",), "keep": ("condition_embedder*", "proj_out*"), "video": True}
_SMALL = {"num_attention_heads": 12, "ffn_dim": 8960, "num_layers": 30}
_MIDDLE = {
    "num_attention_heads": 24, "ffn_dim": 14336, "num_layers": 30, "in_channels": 48, "out_channels": 48,
}  # fmt: skip

ARCHITECTURES: tuple[Architecture, ...] = (
    Architecture("wan-14b", 14.29, _wan, _wan_inputs(WAN_GRID, 16), grid=WAN_GRID, **_WAN),
    Architecture("wan-2-1-1-3b", 1.42, lambda: _wan(**_SMALL), _wan_inputs(WAN_GRID, 16), grid=WAN_GRID, **_WAN),
    Architecture("wan-2-2-5b", 5.0, lambda: _wan(**_MIDDLE), _wan_inputs(WAN_5B_GRID, 48), grid=WAN_5B_GRID, **_WAN),
    Architecture(
        "wan-2-2-i2v-14b", 14.29, lambda: _wan(in_channels=36), _wan_inputs(WAN_GRID, 36), grid=WAN_GRID, **_WAN
    ),
    Architecture(
        "wan-2-1-i2v-14b",
        16.40,
        lambda: _wan(in_channels=36, image_dim=1280, added_kv_proj_dim=5120),
        _wan_inputs(WAN_GRID, 36, image=True),
        grid=WAN_GRID,
        **_WAN,
    ),
    Architecture(
        "ltx-2",
        18.88,
        _ltx2,
        _ltx2_inputs,
        ("transformer_blocks",),
        grid=LTX_GRID,
        text=1024,
        video=True,
        note="hyperparameters are diffusers' defaults; their size was not confirmed by the makers",
    ),
)
