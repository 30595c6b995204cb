"""Image models that ai-toolkit takes from diffusers, built with their published hyperparameters."""

from typing import Any

import torch
from torch import nn

from knowledge.memory.shapes import Architecture, Grid, Run, Shape, blank

FLOAT = torch.float32


def _flux(**config: Any) -> nn.Module:
    from diffusers import FluxTransformer2DModel

    return FluxTransformer2DModel(guidance_embeds=True, **config)


def _flux_inputs(model: Any, shape: Shape, text: int) -> Run:
    own = Grid().tokens(shape)
    tokens = own + Grid().control_tokens(shape)
    batch = shape.batch

    def run() -> torch.Tensor:
        out = model(
            hidden_states=blank(batch, tokens, 64), timestep=blank(batch),
            encoder_hidden_states=blank(batch, text, 4096), pooled_projections=blank(batch, 768),
            txt_ids=blank(text, 3, dtype=FLOAT), img_ids=blank(tokens, 3, dtype=FLOAT),
            guidance=blank(batch, dtype=FLOAT), return_dict=False,
        )[0]  # fmt: skip
        return out[:, :own]

    return run


def _z_image() -> nn.Module:
    from diffusers import ZImageTransformer2DModel

    return ZImageTransformer2DModel()


def _z_image_inputs(model: Any, shape: Shape, text: int) -> Run:
    _, rows, columns = Grid().size(shape)

    def run() -> torch.Tensor:
        images = [blank(16, 1, rows, columns) for _ in range(shape.batch)]
        captions = [blank(text, 2560) for _ in range(shape.batch)]
        out = model(images, blank(shape.batch, dtype=FLOAT), captions, return_dict=False)[0]
        return torch.stack([one.float() for one in out], 0).squeeze(2)

    return run


def _qwen() -> nn.Module:
    from diffusers import QwenImageTransformer2DModel

    return QwenImageTransformer2DModel()


def _qwen_inputs(model: Any, shape: Shape, text: int) -> Run:
    own = Grid().tokens(shape)
    tokens = own + Grid().control_tokens(shape)
    sides = [
        (1, shape.height // 16, shape.width // 16),
        *((1, high // 16, wide // 16) for wide, high in shape.controls),
    ]

    def run() -> torch.Tensor:
        out = model(
            hidden_states=blank(shape.batch, tokens, 64), timestep=blank(shape.batch),
            encoder_hidden_states=blank(shape.batch, text, 3584), encoder_hidden_states_mask=None,
            img_shapes=[sides] * shape.batch, return_dict=False,
        )[0]  # fmt: skip
        return out[:, :own]

    return run


def _sdxl() -> nn.Module:
    from diffusers import UNet2DConditionModel

    return UNet2DConditionModel(
        sample_size=128, down_block_types=("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"), block_out_channels=(320, 640, 1280),
        transformer_layers_per_block=[1, 2, 10], cross_attention_dim=2048, attention_head_dim=[5, 10, 20],
        use_linear_projection=True, addition_embed_type="text_time", addition_time_embed_dim=256,
        projection_class_embeddings_input_dim=2816,
    )  # fmt: skip


def _sdxl_inputs(model: Any, shape: Shape, text: int) -> Run:
    _, rows, columns = Grid().size(shape)
    batch = shape.batch

    def run() -> torch.Tensor:
        added = {"text_embeds": blank(batch, 1280), "time_ids": blank(batch, 6)}
        return model(
            blank(batch, 4, rows, columns), blank(batch, dtype=FLOAT), encoder_hidden_states=blank(batch, text, 2048),
            added_cond_kwargs=added, return_dict=False,
        )[0]  # fmt: skip

    return run


def sd3(**config: Any) -> nn.Module:
    """Stable Diffusion 3.5 of a size."""
    from diffusers import SD3Transformer2DModel

    return SD3Transformer2DModel(qk_norm="rms_norm", **config)


def sd3_inputs(model: Any, shape: Shape, text: int) -> Run:
    """Latents, captions, pooled captions."""
    _, rows, columns = Grid().size(shape)
    batch = shape.batch

    def run() -> torch.Tensor:
        return model(
            hidden_states=blank(batch, 16, rows, columns), timestep=blank(batch, dtype=FLOAT),
            encoder_hidden_states=blank(batch, text, 4096), pooled_projections=blank(batch, 2048), return_dict=False,
        )[0]  # fmt: skip

    return run


class _LengthMask:
    """Stands in for a caption mask whose lengths torch would read: every token counts."""

    def __init__(self, mask: torch.Tensor) -> None:
        self.shape = mask.shape

    def sum(self, **_: Any) -> "_LengthMask":
        return self

    def tolist(self) -> list[int]:
        return [self.shape[1]] * self.shape[0]


def _lumina2() -> nn.Module:
    from diffusers import Lumina2Transformer2DModel

    model = Lumina2Transformer2DModel(cap_feat_dim=2304)
    positions = model.rope_embedder.forward
    model.rope_embedder.forward = lambda states, mask: positions(states, _LengthMask(mask))
    return model


def _lumina2_inputs(model: Any, shape: Shape, text: int) -> Run:
    _, rows, columns = Grid().size(shape)
    batch = shape.batch

    def run() -> torch.Tensor:
        return model(
            hidden_states=blank(batch, 16, rows, columns), timestep=blank(batch, dtype=FLOAT),
            encoder_hidden_states=blank(batch, text, 2304),
            encoder_attention_mask=blank(batch, text, dtype=torch.int64), return_dict=False,
        )[0]  # fmt: skip

    return run


def _balanced_experts(self: Any, x: torch.Tensor) -> torch.Tensor:
    """HiDream's mixture of experts with the tokens spread evenly (the true routing depends on the data)."""
    picks, weights, _ = self.gate(x)
    flat = x.view(-1, x.shape[-1]).repeat_interleave(self.num_activated_experts, dim=0)
    mixed = torch.empty_like(flat)
    share = len(flat) // len(self.experts)
    for expert in self.experts:
        chosen = blank(share, dtype=torch.int64)
        mixed[chosen] = expert(flat[chosen])
    mixed = (mixed.view(*weights.shape, -1) * weights.unsqueeze(-1)).sum(dim=1)
    del picks
    return mixed.view(*x.shape).to(x.dtype) + self.shared_experts(x)


def _hidream() -> nn.Module:
    from diffusers import HiDreamImageTransformer2DModel
    from diffusers.models.transformers import transformer_hidream_image as source

    source.MOEFeedForwardSwiGLU.forward = _balanced_experts
    return HiDreamImageTransformer2DModel(
        patch_size=2, in_channels=16, out_channels=16, num_layers=16, num_single_layers=32, attention_head_dim=128,
        num_attention_heads=20, caption_channels=[4096, 4096], text_emb_dim=2048, num_routed_experts=4,
        num_activated_experts=2, axes_dims_rope=(64, 32, 32), max_resolution=(128, 128),
        llama_layers=[*range(32), *[31] * 16],
    )  # fmt: skip


def _hidream_inputs(model: Any, shape: Shape, text: int) -> Run:
    _, rows, columns = Grid().size(shape)
    batch = shape.batch

    def run() -> torch.Tensor:
        return model(
            hidden_states=blank(batch, 16, rows, columns), timesteps=blank(batch, dtype=FLOAT),
            encoder_hidden_states_t5=blank(batch, text, 4096),
            encoder_hidden_states_llama3=blank(32, batch, text, 4096), pooled_embeds=blank(batch, 2048),
            return_dict=False,
        )[0]  # fmt: skip

    return run


_SD35_LARGE = {
    "num_layers": 38, "num_attention_heads": 38, "caption_projection_dim": 2432, "pos_embed_max_size": 192,
}  # fmt: skip
_Z_KEEP = ("t_embedder*", "cap_embedder*", "all_x_embedder*", "all_final_layer*", "siglip_embedder*")
_BLOCKS = ("transformer_blocks",)

ARCHITECTURES: tuple[Architecture, ...] = (
    Architecture("z-image", 6.15, _z_image, _z_image_inputs, ("layers",), text=256, keep=_Z_KEEP),
    Architecture("flux-1", 11.90, _flux, _flux_inputs, _BLOCKS, controls=True, offloadable=False),
    Architecture("flex-1", 8.16, lambda: _flux(num_layers=8), _flux_inputs, _BLOCKS, controls=True, offloadable=False),
    Architecture("qwen-image", 20.43, _qwen, _qwen_inputs, _BLOCKS, text=128, controls=True),
    Architecture(
        "sdxl",
        2.567,
        _sdxl,
        _sdxl_inputs,
        (".attentions.",),
        text=77,
        quantizable=False,
        offloadable=False,
        conv_lora=True,
    ),
    Architecture("sd3-5", 8.06, lambda: sd3(**_SD35_LARGE), sd3_inputs, _BLOCKS, text=333, offloadable=False),
    Architecture(
        "hidream",
        17.11,
        _hidream,
        _hidream_inputs,
        ("double_stream_blocks", "single_stream_blocks"),
        text=128,
        skip=("ff_i.experts", "ff_i.gate"),
        offloadable=False,
        fills=4096,
        note="LoRA leaves the experts out, as the toolkit's form and example do; tokens spread evenly over experts",
    ),
    Architecture(
        "lumina2",
        2.61,
        _lumina2,
        _lumina2_inputs,
        ("layers", "noise_refiner", "context_refiner"),
        text=256,
        offloadable=False,
    ),
)
