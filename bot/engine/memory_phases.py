"""What lies on the card while loading, caching, training and previewing: parts in bytes, one phase at a time."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from bot.engine.memory_setup import Batch, Preview, Setup
from bot.engine.memory_step import (
    VALUE,
    base_bytes,
    encoder_bytes,
    lora_values,
    offloaded_bytes,
    preview_bytes,
    step_bytes,
    vae_bytes,
)

if TYPE_CHECKING:
    from bot.knowledge.memory import Encoder, Memory, Vae

GIB = 2**30
PHASES = ("load", "cache", "train", "sample")


class Phase(NamedTuple):
    """One phase: its parts in GiB, and how much of them comes and goes (allocator slack is a share of that)."""

    name: str
    parts: Mapping[str, float]
    moving: float = 0.0

    @property
    def peak(self) -> float:
        """GiB at the worst moment, CUDA context included, free blocks of the allocator not."""
        return sum(self.parts.values())


class Residents:
    """The pieces of a run by what they weigh, in bytes."""

    def __init__(self, setup: Setup, memory: "Memory") -> None:
        self.setup = setup
        self.overhead = memory.file.overhead
        companions = memory.companions
        model = setup.model
        self.vae: Vae = companions.vaes[model.vae]
        self.encoders: list[Encoder] = [companions.text_encoders[name] for name in model.encoders]
        self.plain: list[Encoder] = [companions.text_encoders[name] for name in model.plain_encoders]

    def encoder(self, offload: float) -> float:
        """Text encoders on the card with a share of them in host memory."""
        setup = self.setup
        plain = encoder_bytes(self.plain, "fp32" if setup.fp32 else "bf16")
        return plain + encoder_bytes(self.encoders, setup.encoder_weights, offload)

    @cached_property
    def own_encoder(self) -> float:
        """Text encoders on the card with the run's own share of them in host memory."""
        return self.encoder(self.setup.encoder_offload)

    @cached_property
    def bases(self) -> float:
        """The transformer, or both experts where neither waits in host memory."""
        setup = self.setup
        count = 1 if setup.low_vram else setup.model.experts
        return count * base_bytes(setup, self.overhead)

    @property
    def trained(self) -> dict[str, float]:
        """LoRA and what belongs to it, gradients apart; the adapter that recovers accuracy too."""
        setup = self.setup
        values = lora_values(setup) * setup.trained_experts
        adapter = 2 * setup.coefficients.lora_per_rank * self.overhead.adapter_rank if setup.adapter else 0
        return {
            "adapter": float(adapter), "lora": float(VALUE * values), "optimizer": setup.optimizer * values,
            "ema": float(VALUE * values) if setup.ema else 0.0,
        }  # fmt: skip

    def phase(self, name: str, parts: Mapping[str, float], moving: float = 0.0) -> Phase:
        """A phase from parts in bytes; empty parts are left out."""
        sizes = {part: size / GIB for part, size in parts.items() if size > 0}
        return Phase(name, {**sizes, "context": self.overhead.context_gib}, moving / GIB)


def load_phase(piece: Residents) -> Phase:
    """The heaviest moment from the first weight to the first batch."""
    setup = piece.setup
    model = setup.model
    full = "fp32" if setup.fp32 else "bf16"
    whole = model.transformer == "whole" or (model.transformer == "whole_unless_low_vram" and not setup.low_vram)
    quantized = setup.weights not in {"bf16", "fp32"}
    parked = (setup.low_vram and model.transformer != "whole") or (quantized and model.transformer == "blocks")
    last = base_bytes(setup, piece.overhead, full if whole or not quantized else setup.weights)
    earlier = (model.experts - 1) * base_bytes(setup, piece.overhead, setup.weights) if not setup.low_vram else 0.0
    landing = {"base": earlier + (0.0 if setup.low_vram and not whole else last)}
    reading = {"text_encoder": _encoder_lands(piece, full), "base": 0.0 if parked else piece.bases}
    together = {"base": piece.bases, "text_encoder": piece.own_encoder, "vae": float(piece.vae.weights)}
    if model.parks_encoder and setup.low_vram:
        together.pop("text_encoder")
    return piece.phase("load", max((landing, reading, together), key=lambda parts: sum(parts.values())))


def _encoder_lands(piece: Residents, full: str) -> float:
    """The heaviest text encoder as it first comes onto the card, the others in the run's own precision."""
    how = piece.setup.model.encoder
    if how == "host":
        return piece.own_encoder
    share = piece.setup.encoder_offload if how == "whole_unless_offloaded" else 0.0
    grows = (
        encoder_bytes((one,), full, share) - encoder_bytes((one,), piece.setup.encoder_weights, share)
        for one in piece.encoders
    )
    return piece.encoder(offload=share) + max(grows, default=0.0)


def cache_phase(piece: Residents, batch: Batch | None) -> Phase | None:
    """Latents: the VAE alone works. Text embeddings: the text encoder, the transformer beside it."""
    setup = piece.setup
    moments: list[dict[str, float]] = []
    if setup.latents_cached and batch is not None:
        parts = {
            "vae": float(piece.vae.weights),
            "encode": vae_bytes(piece.vae, batch.pixels, batch.frames, decode=False),
        }
        if setup.model.experts > 1 and not setup.low_vram:
            parts["base"] = piece.bases  # the pair of experts cannot be moved away
        moments.append(parts)
    if setup.encoder_cached:
        moments.append({"text_encoder": piece.own_encoder, "base": piece.bases})
    if not moments:
        return None
    heaviest = max(moments, key=lambda parts: sum(parts.values()))
    return piece.phase("cache", heaviest, heaviest.get("encode", 0.0))


def train_phase(piece: Residents, batch: Batch) -> Phase:
    """The training step; where latents are not cached, encoding a batch may be the worse moment."""
    setup = piece.setup
    step = step_bytes(setup, batch)
    gradients = float(VALUE * lora_values(setup))
    moving = {"gradients": gradients, "activations": step - gradients}
    if not setup.latents_cached:
        encode = batch.items * vae_bytes(piece.vae, batch.pixels, batch.frames, decode=False)
        if encode > step:
            moving = {"encode": encode}
    parts = {
        "base": piece.bases, "text_encoder": piece.own_encoder if setup.encoder_trains else 0.0,
        "vae": 0.0 if setup.latents_cached else float(piece.vae.weights), **piece.trained, **moving,
    }  # fmt: skip
    return piece.phase("train", parts, sum(moving.values()))


def sample_phase(piece: Residents, preview: Preview) -> Phase:
    """A preview: denoising, then the VAE's decode; with the trained parts and mostly everything else beside them."""
    setup = piece.setup
    pixels = min(preview.pixels, piece.overhead.tile**2) if setup.tiled_preview else preview.pixels
    decode = vae_bytes(piece.vae, pixels, preview.frames, decode=True)
    denoise = preview_bytes(setup, preview)
    encoder = piece.own_encoder if setup.encoder_previews else 0.0
    kept = piece.trained
    kept["ema"] *= 2  # the trained values wait in a copy while the averaged ones are shown
    if setup.model.one_at_a_time and setup.low_vram:
        moments = ({"text_encoder": encoder}, {"base": piece.bases, "preview": denoise}, _decoding(piece, decode))
        heaviest = max(moments, key=lambda parts: sum(parts.values()))
        return piece.phase("sample", {**kept, **heaviest}, heaviest.get("preview", 0.0))
    working = max(denoise, decode)
    parts = {"base": piece.bases, "text_encoder": encoder, "vae": float(piece.vae.weights), "preview": working}
    return piece.phase("sample", {**kept, **parts}, working)


def _decoding(piece: Residents, decode: float) -> dict[str, float]:
    return {"vae": float(piece.vae.weights), "preview": decode}


def host_bytes(piece: Residents) -> float:
    """Host memory that weights of a running job take: page-locked offloaded layers, and the expert that waits."""
    setup = piece.setup
    packed = sum(one.weights[setup.encoder_weights] - (one.weights["bf16"] - 2 * one.packed) for one in piece.encoders)
    waiting = base_bytes(setup, piece.overhead) if setup.low_vram and setup.model.experts > 1 else 0.0
    encoder = setup.encoder_offload * packed if setup.encoder_previews else 0.0
    return setup.model.experts * offloaded_bytes(setup) + encoder + waiting
