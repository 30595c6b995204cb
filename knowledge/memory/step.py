"""One training step as ai-toolkit runs it, on the meta device: what is alive, and when most."""

import gc
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from knowledge.memory.kernels import cuda_kernels
from knowledge.memory.layers import LoRA, Sizes, attach_lora, measure_sizes, quantize
from knowledge.memory.shapes import HALF, Architecture, Shape, blank
from knowledge.memory.terms import REFERENCE_RANK, Backend
from knowledge.memory.tracker import LiveBytes

# The backward pass is split where LoRA gradients reach these shares: the worst moment is in the first or last block
# of a kind, so the ends are narrow.
SHARES = (1 / 24, 1 / 4, 1 / 2, 3 / 4, 23 / 24, 1)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A model ready to train: frozen bf16 base, quantized, with LoRA."""

    model: nn.Module
    loras: tuple[LoRA, ...]
    sizes: Sizes
    parameters: int

    @property
    def trained(self) -> list[nn.Parameter]:
        """The LoRA weights."""
        return [one for lora in self.loras for one in lora.parameters()]


@dataclass(frozen=True, slots=True)
class Measured:
    """Bytes of one step: the peak of the forward pass, then that of each stretch of the backward pass.

    `kept` is what the forward pass leaves alive for the backward pass. Early stretches hold most of that, late ones
    most gradients. Each is close to a plane over tokens; their maximum, the step's peak, is not.
    """

    kept: int
    forward: int
    stretches: tuple[int, ...]

    @property
    def peak(self) -> int:
        """The step's peak, gradients included, weights not."""
        return max(self.forward, *self.stretches)


@dataclass(frozen=True, slots=True)
class Way:
    """How a base is trained. `half`, `narrow` and `autocast` are other trainers' ways: bf16 LoRA on attention alone,
    under bf16 autocast.
    """

    backend: Backend = "none"
    rank: int = REFERENCE_RANK
    checkpointing: bool = True
    half: bool = False
    narrow: bool = False
    autocast: bool = False


@lru_cache(maxsize=1)
def _prepared(arch: Architecture, backend: Backend, rank: int, half: bool, narrow: bool) -> Prepared:
    gc.collect()
    with torch.device("meta"):
        model = arch.build().to(HALF)
    model = model.to("meta").requires_grad_(requires_grad=False).train()
    sizes = measure_sizes(model, arch.keep)
    count = sum(one.numel() for one in model.parameters())
    quantize(model, backend, arch.keep)
    loras = attach_lora(model, lora_targets(model, arch, narrow=narrow), rank, half=half)
    return Prepared(model, tuple(loras), sizes, count)


def prepare(arch: Architecture, way: Way) -> Prepared:
    """Builds the model on the meta device; the last one built is kept."""
    return _prepared(arch, way.backend, way.rank, way.half, way.narrow)


_ATTENTION = ("to_q", "to_k", "to_v", "to_out.0", ".wq", ".wk", ".wv", ".wo")


def lora_targets(model: nn.Module, arch: Architecture, *, narrow: bool) -> list[str]:
    """Names of the layers that get LoRA: every Linear in the blocks, 1x1 convolutions too where the toolkit does."""
    kinds = (nn.Linear, nn.Conv2d) if arch.conv_lora else (nn.Linear,)
    names = [
        name
        for name, module in model.named_modules()
        if isinstance(module, kinds)
        and (isinstance(module, nn.Linear) or module.kernel_size == (1, 1))
        and any(part in name for part in arch.lora)
        and not any(part in name for part in arch.skip)
    ]
    return [name for name in names if name.endswith(_ATTENTION)] if narrow else names


def set_checkpointing(model: Any, *, on: bool) -> None:
    """The model's own gradient checkpointing, as the toolkit switches it."""
    if on:
        model.enable_gradient_checkpointing()
    elif hasattr(model, "disable_gradient_checkpointing"):
        model.disable_gradient_checkpointing()
    else:
        model.gradient_checkpointing = False


class _Stretches:
    """Notes the tracker's peak for each stretch of the backward pass."""

    def __init__(self, tracker: LiveBytes, trained: list[nn.Parameter]) -> None:
        self.tracker = tracker
        self.peaks = [0] * len(SHARES)
        self._ends = [share * len(trained) for share in SHARES]
        self._made = 0
        self.handles = [one.register_post_accumulate_grad_hook(self._note) for one in trained]

    def _note(self, _: torch.Tensor) -> None:
        self.close()
        self._made += 1

    def close(self) -> None:
        """Takes the peak since the last gradient into its stretch."""
        place = next((place for place, end in enumerate(self._ends) if self._made < end), len(SHARES) - 1)
        self.peaks[place] = max(self.peaks[place], self.tracker.peak)
        self.tracker.peak = self.tracker.now


def run_step(arch: Architecture, shape: Shape, way: Way) -> Measured:
    """Forward, loss, backward. Raises what torch raises where a shape does not suit the model."""
    ready = prepare(arch, way)
    set_checkpointing(ready.model, on=way.checkpointing)
    run = arch.inputs(ready.model, shape, shape.text or arch.text)
    trained = ready.trained
    static = [*ready.model.parameters(), *ready.model.buffers(), *trained]
    static += [buffer for lora in ready.loras for buffer in lora.buffers()]
    with cuda_kernels(autocast=way.autocast), LiveBytes(static) as tracker:
        guess = run()
        kept = tracker.now
        loss = functional.mse_loss(guess.float(), blank(*guess.shape).float(), reduction="none").mean()
        forward = tracker.peak
        tracker.peak = tracker.now
        stretches = _Stretches(tracker, trained)
        loss.backward()
        stretches.close()
    for handle in stretches.handles:
        handle.remove()
    for one in trained:
        one.grad = None
    return Measured(kept, forward, tuple(stretches.peaks))


def run_preview(arch: Architecture, shape: Shape, way: Way) -> int:
    """Bytes of one denoising pass without gradients, LoRA active."""
    ready = prepare(arch, way)
    run = arch.inputs(ready.model, shape, shape.text or arch.text)
    static = [*ready.model.parameters(), *ready.model.buffers(), *ready.trained]
    static += [buffer for lora in ready.loras for buffer in lora.buffers()]
    with cuda_kernels(), torch.no_grad(), LiveBytes(static) as tracker:
        run()
    return tracker.peak
