"""Bytes of one training step, one preview and the weights beneath them: arithmetic over measured planes."""

from collections.abc import Iterable
from operator import mul
from typing import TYPE_CHECKING

from bot.engine.memory_setup import MEGAPIXEL, Batch, Preview, Setup

if TYPE_CHECKING:
    from bot.knowledge.memory import Base, Coefficients, Encoder, Fit, Overhead, Vae

REFERENCE_RANK = 32  # knowledge/memory/grid.py: planes are over ranks above or below this
VALUE = 4  # bytes of one LoRA value, of its gradient and of its EMA copy: all fp32


def highest(fit: "Fit", row: tuple[float, ...]) -> float:
    """The largest of the planes at one place, never below nothing."""
    return max(0.0, *(float(sum(map(mul, plane, row))) for plane in fit.planes))


def _row(items: int, image: int, text: int, rank: int, found: "Coefficients") -> tuple[float, ...]:
    """What the planes are over. Hardly a dataset is all square, so filling up is taken to happen."""
    image = max(image, found.fills)
    image += -(image + text) % found.pad
    above, tokens = rank - REFERENCE_RANK, image + text
    return (1.0, items * image, items * text, above, above * items * tokens, items * tokens * tokens)


def lora_values(setup: Setup) -> int:
    """Trained values of one expert."""
    return setup.coefficients.lora_per_rank * setup.rank


def step_bytes(setup: Setup, batch: Batch) -> float:
    """Activations and gradients at the step's worst moment."""
    row = _row(batch.items, batch.image, batch.text, setup.rank, setup.coefficients)
    total = sum(share * _step(setup, base, row) for share, base in _bases(setup))
    gradients = VALUE * lora_values(setup)
    # What fp32 adds was not measured: all that is kept doubles, which is the most it can be.
    return gradients + 2 * max(0.0, total - gradients) if setup.fp32 else max(total, gradients)


def _bases(setup: Setup) -> Iterable[tuple[float, "Base"]]:
    """The measured bases that the layers behave like, with the share of layers of each."""
    backends = setup.coefficients.backends
    yield 1 - setup.offload, backends[setup.base]
    if setup.offload:
        yield setup.offload, backends.get("offload", backends["none"])


def _step(setup: Setup, base: "Base", row: tuple[float, ...]) -> float:
    off = highest(base.gc_off, row)
    if not setup.checkpointing:
        return 2 * off if setup.second_graph else off
    on = highest(base.gc_on, row)
    if setup.second_graph:
        on += highest(base.kept, row)
        off *= 2
    return min(on, off)


def preview_bytes(setup: Setup, preview: Preview) -> float:
    """One denoising pass; a quantized base borrows like float8."""
    backends = setup.coefficients.backends
    base = backends["none" if setup.base == "none" else "float8"]
    fit = base.preview or backends["none"].preview
    row = _row(1, preview.image, preview.text, REFERENCE_RANK, setup.coefficients)
    return highest(fit or backends["none"].kept, row) * (2 if setup.fp32 else 1)


def vae_bytes(vae: "Vae", pixels: int, frames: int, *, decode: bool) -> float:
    """What one encode or decode without tiling borrows."""
    plane = (vae.decode if decode else vae.encode).plane
    area = pixels / MEGAPIXEL
    return max(0.0, plane[0] + plane[1] * area + plane[2] * area * frames)


def base_bytes(setup: Setup, overhead: "Overhead", weights: str | None = None) -> float:
    """Weights of one transformer on the card: what is not offloaded, and the layers that visit."""
    found = setup.coefficients
    total = found.weights[weights or setup.weights]
    if weights or not setup.offload:
        return total
    unpacked = found.weights["bf16"] - 2 * found.packed
    visiting = 2 * overhead.offload_ring * 2 * found.largest
    return min(total, unpacked + (1 - setup.offload) * (total - unpacked) + visiting)


def offloaded_bytes(setup: Setup) -> float:
    """Weights of the transformer that lie in page-locked host memory."""
    found = setup.coefficients
    unpacked = found.weights["bf16"] - 2 * found.packed
    return setup.offload * (found.weights[setup.weights] - unpacked)


def encoder_bytes(encoders: Iterable["Encoder"], weights: str, offload: float = 0.0) -> float:
    """Weights of text encoders on the card."""
    total = 0.0
    for one in encoders:
        unpacked = one.weights["bf16"] - 2 * one.packed
        packed = one.weights[weights] - unpacked
        total += unpacked + (1 - offload) * packed
    return total
