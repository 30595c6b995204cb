"""What a plan can give way on, one lever at a time: each makes a choice that needs less, or says that it has no more to give."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.engine.plan_config import Choice
from bot.knowledge.architectures import low_bit_qtype

if TYPE_CHECKING:
    from bot.knowledge.architectures import Arch

Lever = Callable[["Arch", Choice], Choice | None]


def on_grid(arch: "Arch", frames: int) -> int:
    """The nearest number of frames below that the architecture takes."""
    step, base = arch.can.frames or (1, 0)
    return max(base, (frames - base) // step * step + base)


def _quantize(arch: "Arch", choice: Choice) -> Choice | None:
    return replace(choice, quantize=True) if arch.can.quantize and not choice.quantize else None


def _low_vram(arch: "Arch", choice: Choice) -> Choice | None:
    return replace(choice, low_vram=True) if arch.can.low_vram != "ignored" and not choice.low_vram else None


def _low_bit(arch: "Arch", choice: Choice) -> Choice | None:
    """Fewer bits with a recovery adapter, where one is offered; it does not go together with offloading."""
    now = int(choice.qtype[4]) if choice.qtype.startswith("uint") else 8
    offered = {bits: path for bits, path in (arch.can.adapters or {}).items() if bits < now}
    if not offered or choice.offloads:
        return None
    bits = max(offered)
    return replace(choice, quantize=True, qtype=low_bit_qtype(bits, offered[bits]))


def _may_offload(arch: "Arch", choice: Choice) -> bool:
    return arch.can.layer_offloading in {"honoured", "hidden"} and "|" not in choice.qtype


def _offload_encoder(arch: "Arch", choice: Choice) -> Choice | None:
    """Costs little: with cached embeddings the text encoder works only before the training."""
    if not _may_offload(arch, choice) or choice.offload_encoder:
        return None
    return replace(choice, offload_encoder=True, quantize=arch.can.quantize, qtype="float8")


def _offload(arch: "Arch", choice: Choice) -> Choice | None:
    if not _may_offload(arch, choice) or choice.offload >= 1:
        return None
    share = round(choice.offload + 0.25, 2)
    return replace(choice, offload=share, offload_encoder=True, quantize=arch.can.quantize, qtype="float8")


def _bucket(_: "Arch", choice: Choice) -> Choice | None:
    smaller = [side for side in (768, 512) if side < choice.resolution]
    return replace(choice, resolution=smaller[0]) if smaller else None


def _fewer_frames(arch: "Arch", choice: Choice) -> Choice | None:
    fewer = next((on_grid(arch, count) for count in (33, 21, 9, 1) if count < choice.frames), choice.frames)
    return replace(choice, frames=fewer) if fewer < choice.frames else None


def _preview_size(_: "Arch", choice: Choice) -> Choice | None:
    smaller = [side for side in (768, 512) if side < choice.preview_side]
    return replace(choice, preview_side=smaller[0]) if smaller else None


def _preview_frames(arch: "Arch", choice: Choice) -> Choice | None:
    fewer = next((on_grid(arch, count) for count in (21, 9, 1) if count < choice.preview_frames), choice.preview_frames)
    return replace(choice, preview_frames=fewer) if fewer < choice.preview_frames else None


def _no_previews(_: "Arch", choice: Choice) -> Choice | None:
    return replace(choice, previews=False) if choice.previews else None


_WEIGHTS: Sequence[tuple[str, Lever]] = (
    ("quantize", _quantize), ("low_vram", _low_vram), ("low_bit_weights", _low_bit),
    ("layer_offloading", _offload_encoder), ("layer_offloading", _offload),
)  # fmt: skip
LEVERS: dict[str, Sequence[tuple[str, Lever]]] = {
    "load": _WEIGHTS,
    "cache": _WEIGHTS,
    "train": (
        ("quantize", _quantize), ("low_vram", _low_vram), ("low_bit_weights", _low_bit), ("num_frames", _fewer_frames),
        ("top_bucket", _bucket), ("layer_offloading", _offload_encoder), ("layer_offloading", _offload),
    ),
    "sample": (
        ("quantize", _quantize), ("low_vram", _low_vram), ("preview_cost", _preview_size),
        ("preview_cost", _preview_frames), ("low_bit_weights", _low_bit), ("preview_cost", _no_previews),
    ),
}  # fmt: skip
