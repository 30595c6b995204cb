"""Sizes of text encoders, and what VAEs borrow: `python -m knowledge.memory.companions` writes companions.yaml.

Text encoders are built from their published hyperparameters on the meta device; only their linear layers are
quantized. A VAE's peak is that of one encode or decode without tiling; cuDNN's own workspace is not in it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import yaml
from torch import nn

from knowledge.memory.coefficients import FlowDumper
from knowledge.memory.fit import Sample, fit_peak
from knowledge.memory.kernels import cuda_kernels
from knowledge.memory.layers import measure_sizes
from knowledge.memory.shapes import HALF, blank
from knowledge.memory.tracker import LiveBytes

MEGAPIXEL = 2**20


def _built(make: Callable[[], nn.Module]) -> nn.Module:
    with torch.device("meta"):
        return make().to(HALF).to("meta").eval()


def _t5(**more: Any) -> nn.Module:
    from transformers import T5Config, T5EncoderModel

    return T5EncoderModel(T5Config(
        d_model=4096, d_ff=10240, d_kv=64, num_heads=64, num_layers=24, feed_forward_proj="gated-gelu", **more,
    ))  # fmt: skip


def _umt5() -> nn.Module:
    from transformers import UMT5Config, UMT5EncoderModel

    return UMT5EncoderModel(UMT5Config(
        d_model=4096, d_ff=10240, d_kv=64, num_heads=64, num_layers=24, feed_forward_proj="gated-gelu",
        vocab_size=256384,
    ))  # fmt: skip


def _clip(layers: int, hidden: int, heads: int) -> nn.Module:
    from transformers import CLIPTextConfig, CLIPTextModelWithProjection

    return CLIPTextModelWithProjection(CLIPTextConfig(
        hidden_size=hidden, intermediate_size=4 * hidden, num_hidden_layers=layers, num_attention_heads=heads,
        projection_dim=hidden,
    ))  # fmt: skip


def _causal(family: str, *, settings: str | None = None, **config: Any) -> nn.Module:
    import transformers

    made = getattr(transformers, settings or f"{family}Config")(**config)
    return getattr(transformers, f"{family}ForCausalLM")(made)


def _qwen25_text() -> nn.Module:
    """Where nothing is to be looked at, the toolkit throws the visual half away."""
    model = _qwen25_vl()
    model.model.visual = None
    return model


def _qwen3_vl() -> nn.Module:
    from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration

    text = {"hidden_size": 2560, "intermediate_size": 9728, "num_hidden_layers": 36, **_QWEN3}
    vision = {"hidden_size": 1024, "out_hidden_size": 2560, "depth": 24, "intermediate_size": 4096, "num_heads": 16}
    return Qwen3VLForConditionalGeneration(
        Qwen3VLConfig(text_config=text, vision_config=vision, tie_word_embeddings=True)
    )


def _clip_vision() -> nn.Module:
    from transformers import CLIPVisionConfig, CLIPVisionModel

    return CLIPVisionModel(CLIPVisionConfig(
        hidden_size=1280, intermediate_size=5120, num_hidden_layers=32, num_attention_heads=16, patch_size=14,
    ))  # fmt: skip


def _qwen25_vl() -> nn.Module:
    from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration

    text = {
        "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28, "num_attention_heads": 28,
        "num_key_value_heads": 4, "vocab_size": 152064, "tie_word_embeddings": False,
    }  # fmt: skip
    vision = {"hidden_size": 1280, "out_hidden_size": 3584, "depth": 32, "intermediate_size": 3420, "num_heads": 16}
    return Qwen2_5_VLForConditionalGeneration(
        Qwen2_5_VLConfig(text_config=text, vision_config=vision, tie_word_embeddings=False)
    )


_QWEN3 = {"num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936}

# Name: (published size in billions of parameters, how it is built)
ENCODERS: dict[str, tuple[float, Callable[[], nn.Module]]] = {
    "clip-l": (0.123, lambda: _clip(12, 768, 12)),
    "clip-bigg": (0.695, lambda: _clip(32, 1280, 20)),
    "t5-xxl": (4.76, _t5),
    "umt5-xxl": (5.68, _umt5),
    "clip-vit-h": (0.632, _clip_vision),
    "qwen2.5-vl-7b": (8.29, _qwen25_vl),
    "qwen2.5-7b": (7.62, _qwen25_text),
    "qwen3-vl-4b": (4.44, _qwen3_vl),
    "qwen3-4b": (4.02, lambda: _causal(
        "Qwen3", hidden_size=2560, intermediate_size=9728, num_hidden_layers=36, tie_word_embeddings=True, **_QWEN3)),
    "qwen3-8b": (8.19, lambda: _causal(
        "Qwen3", hidden_size=4096, intermediate_size=12288, num_hidden_layers=36, tie_word_embeddings=False, **_QWEN3)),
    "mistral-small-24b": (23.57, lambda: _causal(
        "Mistral", hidden_size=5120, intermediate_size=32768, num_hidden_layers=40, num_attention_heads=32,
        num_key_value_heads=8, head_dim=128, vocab_size=131072)),
    "llama-3.1-8b": (8.03, lambda: _causal(
        "Llama", hidden_size=4096, intermediate_size=14336, num_hidden_layers=32, num_attention_heads=32,
        num_key_value_heads=8, vocab_size=128256)),
    "gemma-2-2b": (2.61, lambda: _causal(
        "Gemma2", hidden_size=2304, intermediate_size=9216, num_hidden_layers=26, num_attention_heads=8,
        num_key_value_heads=4, head_dim=256, vocab_size=256000)),
    "gemma-3-12b": (11.77, lambda: _causal(
        "Gemma3", settings="Gemma3TextConfig", hidden_size=3840, intermediate_size=15360, num_hidden_layers=48, num_attention_heads=16,
        num_key_value_heads=8, head_dim=256, vocab_size=262208)),
}  # fmt: skip


def _kl(channels: int) -> nn.Module:
    from diffusers import AutoencoderKL

    return AutoencoderKL(
        in_channels=3, out_channels=3, down_block_types=["DownEncoderBlock2D"] * 4,
        up_block_types=["UpDecoderBlock2D"] * 4, block_out_channels=[128, 256, 512, 512], layers_per_block=2,
        latent_channels=channels, use_quant_conv=False, use_post_quant_conv=False,
    )  # fmt: skip


def _wan() -> nn.Module:
    from diffusers import AutoencoderKLWan

    return AutoencoderKLWan()


def _wan_5b() -> nn.Module:
    from diffusers import AutoencoderKLWan

    return AutoencoderKLWan(
        base_dim=160, decoder_base_dim=256, z_dim=48, in_channels=12, out_channels=12, is_residual=True, patch_size=2,
        scale_factor_spatial=16, scale_factor_temporal=4, latents_mean=[0.0] * 48, latents_std=[1.0] * 48,
    )  # fmt: skip


def _ltx2() -> nn.Module:
    from diffusers import AutoencoderKLLTX2Video

    return AutoencoderKLLTX2Video()


# Name: (how it is built, latent channels, pixels a latent pixel, frames a latent frame; 0: images only)
VAES: dict[str, tuple[Callable[[], nn.Module], int, int, int]] = {
    "kl-4": (lambda: _kl(4), 4, 8, 0),
    "kl-16": (lambda: _kl(16), 16, 8, 0),
    "wan": (_wan, 16, 8, 4),
    "wan-2-2-5b": (_wan_5b, 48, 16, 4),
    "ltx-2": (_ltx2, 128, 32, 8),
}


def _peak(model: nn.Module, run: Callable[[], object]) -> int:
    with cuda_kernels(), torch.no_grad(), LiveBytes([*model.parameters(), *model.buffers()]) as tracker:
        run()
    return tracker.peak


def _vae_samples(name: str, *, decode: bool) -> list[Sample]:
    """The peak of one encode or decode over (pixels of a frame, pixels x frames)."""
    make, channels, scale, every = VAES[name]
    model = _built(make)
    shapes = [(512, 1), (768, 1), (1024, 1)] + ([(512, 1 + 4 * every), (768, 1 + 5 * every)] if every else [])
    made = []
    for side, frames in shapes:
        lead = (1, channels, (frames - 1) // every + 1) if every else (1, channels)
        latent = (*lead, side // scale, side // scale)
        image = (1, 3, frames, side, side) if every else (1, 3, side, side)
        if decode:
            peak = _peak(model, lambda size=latent: model.decode(blank(*size)))
        else:
            peak = _peak(model, lambda size=image: model.encode(blank(*size)))
        made.append(Sample(side * side / MEGAPIXEL, side * side * frames / MEGAPIXEL, 0, 32, (peak,), 0, False))
    return made


def encoder_row(name: str) -> dict[str, Any]:
    """Parameters and bytes by precision of one text encoder."""
    published, make = ENCODERS[name]
    model = _built(make)
    sizes = measure_sizes(model, ("*lm_head*",))
    return {
        "parameters": sum(one.numel() for one in model.parameters()), "published": published, "packed": sizes.packed,
        "largest": sizes.largest, "weights": sizes.weight_bytes(),
    }  # fmt: skip


def vae_row(name: str) -> dict[str, Any]:
    """Bytes of the weights, and planes over (1, megapixels of a frame, megapixels of all frames)."""
    model = _built(VAES[name][0])
    row: dict[str, Any] = {"weights": 2 * sum(one.numel() for one in model.parameters())}
    for what in ("encode", "decode"):
        fit = fit_peak(_vae_samples(name, decode=what == "decode"), single=True)
        row[what] = {"plane": fit.planes[0][:3], "residual": fit.residual}
    return row


def main() -> None:
    """Writes knowledge/memory/companions.yaml."""
    content: dict[str, Any] = {"text_encoders": {name: encoder_row(name) for name in ENCODERS}, "vaes": {}}
    for name in VAES:
        content["vaes"][name] = vae_row(name)
    head = "# Written by `python -m knowledge.memory.companions`; not edited by hand. Bytes.\n"
    body = yaml.dump(content, Dumper=FlowDumper, sort_keys=False, width=120)
    (Path(__file__).parent / "companions.yaml").write_text(head + body, encoding="utf-8")


if __name__ == "__main__":
    main()
