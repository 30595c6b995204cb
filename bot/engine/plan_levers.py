"""What a plan can give way on, one lever at a time, and take back one at a time.

A lever makes a choice that needs less, or says (None) that it has no more to give. What is lost first is what costs least:
precision of the weights, some of the preview, the highest bucket and the longest clips; then speed, by offloading; only then
what the LoRA learns from most.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from bot.engine.change import on_grid
from bot.engine.plan_config import Choice
from bot.knowledge.architectures import low_bit_qtype

if TYPE_CHECKING:
    from bot.knowledge.architectures import Arch

Lever = Callable[["Arch", Choice], Choice | None]
BUCKETS = (512, 768, 1024)
FRAMES = (1, 9, 21, 33, 41)
SHARE = 0.25  # of the transformer that one step of offloading moves
PLAIN_QTYPE, OFFLOADED_QTYPE = "qfloat8", "float8"  # the toolkit itself makes the second of the first where it offloads


def on_arch_grid(arch: "Arch", frames: int) -> int:
    """The nearest number of frames below that the architecture takes."""
    step, base = arch.can.frames or (1, 0)
    return on_grid(frames, step, base)


def _below(values: Sequence[int], value: int, floor: int) -> int | None:
    return max((one for one in values if floor <= one < value), default=None)


def _frames_below(arch: "Arch", frames: int, floor: int) -> int | None:
    return _below([on_arch_grid(arch, one) for one in FRAMES], frames, on_arch_grid(arch, floor))


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
    return replace(choice, offload_encoder=True, quantize=arch.can.quantize, qtype=OFFLOADED_QTYPE)


def _offload(arch: "Arch", choice: Choice) -> Choice | None:
    if not _may_offload(arch, choice) or choice.offload >= 1:
        return None
    share = round(choice.offload + SHARE, 2)
    return replace(choice, offload=share, offload_encoder=True, quantize=arch.can.quantize, qtype=OFFLOADED_QTYPE)


def _bucket(_: "Arch", choice: Choice, *, floor: int) -> Choice | None:
    side = _below(BUCKETS, choice.resolution, floor)
    return None if side is None else replace(choice, resolution=side)


def _fewer_frames(arch: "Arch", choice: Choice, *, floor: int) -> Choice | None:
    frames = _frames_below(arch, choice.frames, floor)
    return None if frames is None else replace(choice, frames=frames)


def _preview_size(_: "Arch", choice: Choice) -> Choice | None:
    side = _below(BUCKETS, choice.preview_side, 0)
    return None if side is None else replace(choice, preview_side=side)


def _preview_frames(arch: "Arch", choice: Choice) -> Choice | None:
    frames = _frames_below(arch, choice.preview_frames, 1)
    return None if frames is None else replace(choice, preview_frames=frames)


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
        ("quantize", _quantize), ("low_vram", _low_vram), ("low_bit_weights", _low_bit),
        ("num_frames", partial(_fewer_frames, floor=21)), ("top_bucket", partial(_bucket, floor=768)),
        ("layer_offloading", _offload_encoder), ("layer_offloading", _offload),
        ("num_frames", partial(_fewer_frames, floor=1)), ("top_bucket", partial(_bucket, floor=512)),
    ),
    "sample": (
        ("quantize", _quantize), ("low_vram", _low_vram), ("preview_cost", _preview_size),
        ("preview_cost", _preview_frames), ("low_bit_weights", _low_bit), ("preview_cost", _no_previews),
    ),
}  # fmt: skip


def given_back(arch: "Arch", choice: Choice, first: Choice) -> Iterator[Choice]:
    """The choices that take one step of one lever back, what is worth most first, none beyond where the plan began."""
    if choice.resolution < first.resolution:
        yield replace(choice, resolution=min(one for one in BUCKETS if one > choice.resolution))
    if choice.frames < first.frames:
        yield replace(choice, frames=_more_frames(arch, choice.frames))
    if choice.offload:
        yield replace(choice, offload=round(choice.offload - SHARE, 2))
    elif choice.offload_encoder:
        yield replace(choice, offload_encoder=False, qtype=PLAIN_QTYPE)
    if not choice.previews:
        yield replace(choice, previews=True)
    if choice.preview_side < first.preview_side:
        yield replace(choice, preview_side=min(one for one in BUCKETS if one > choice.preview_side))
    if choice.preview_frames < first.preview_frames:
        yield replace(choice, preview_frames=_more_frames(arch, choice.preview_frames))


def _more_frames(arch: "Arch", frames: int) -> int:
    return min(more for one in FRAMES if (more := on_arch_grid(arch, one)) > frames)


def gave(choice: Choice, first: Choice) -> frozenset[str]:
    """The levers by which a choice differs from where the plan began."""
    differs = {
        "quantize": choice.quantize != first.quantize, "low_vram": choice.low_vram != first.low_vram,
        "low_bit_weights": "|" in choice.qtype, "layer_offloading": choice.offloads,
        "num_frames": choice.frames != first.frames, "top_bucket": choice.resolution != first.resolution,
        "preview_cost": (choice.previews, choice.preview_side, choice.preview_frames)
        != (first.previews, first.preview_side, first.preview_frames),
    }  # fmt: skip
    return frozenset(name for name, differing in differs.items() if differing)
