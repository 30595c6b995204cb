"""Linear layers as ai-toolkit runs them: quantized bases, offloaded bases, and LoRA on top.

What each keeps for the backward pass decides the memory with gradient checkpointing off:
- quanto (`qfloat8`) keeps its input and the quantized weight, and unpacks twice into temporaries;
- torchao (`float8`, `int8`) and the toolkit's own `uintN` unpack outside autograd: the ordinary linear then keeps the
  unpacked bf16 weight as long as the graph lives;
- an offloaded layer keeps its input; the weight lies in host memory and visits;
- ai-toolkit's LoRA is fp32: every adapted layer makes and keeps an fp32 copy of its own input. Other trainers use
  bf16 LoRA, which keeps the input itself.
Sources: toolkit/network_mixins.py, toolkit/util/{quantize,uintx_quant}.py, toolkit/memory_management/manager_modules.py
of ai-toolkit 27a03a91; optimum-quanto 0.2.4.
"""

from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from knowledge.memory.terms import Backend

UINT_GROUP = 64  # weights that share one bf16 scale and one byte of zero point


class _QuantoLinear(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, layer: nn.Linear) -> torch.Tensor:
        ctx.save_for_backward(x)
        ctx.layer = layer
        out = torch.matmul(x, _unpack_twice(layer, x).t())
        return out if layer.bias is None else out + layer.bias

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        return torch.matmul(grad, _unpack_twice(ctx.layer, grad)), None


class _OffloadedLinear(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, layer: nn.Linear) -> torch.Tensor:
        ctx.save_for_backward(x)
        ctx.layer = layer
        return functional.linear(x, _unpack(layer, x), layer.bias)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        return grad @ _unpack(ctx.layer, grad), None


def _unpack(layer: nn.Linear, like: torch.Tensor) -> torch.Tensor:
    return torch.empty(layer.out_features, layer.in_features, dtype=like.dtype, device=like.device)


def _unpack_twice(layer: nn.Linear, like: torch.Tensor) -> torch.Tensor:
    """Quanto casts the weight, then scales it: two full copies stand side by side for a moment."""
    cast = _unpack(layer, like)
    return torch.empty_like(cast)


def _frozen_copy_forward(layer: nn.Linear, x: torch.Tensor) -> torch.Tensor:
    x = x.to(layer.weight.dtype)  # nothing happens unless other trainers' autocast feeds fp32
    with torch.no_grad():
        weight = _unpack(layer, x) * 1.0
    return functional.linear(x, weight, layer.bias)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Elements of a base by what quantizing does to them: weights of quantizable linears, their rows, and the rest."""

    packed: int
    rows: int
    groups: int
    plain: int
    largest: int

    def weight_bytes(self) -> dict[str, int]:
        """Bytes of the base by precision (scales and zero points included)."""
        table = {"bf16": 2 * (self.packed + self.plain), "fp32": 4 * (self.packed + self.plain)}
        table["qfloat8"] = self.packed + 2 * self.rows + 2 * self.plain
        table["float8"] = self.packed + 4 * self.rows + 2 * self.plain
        for bits in range(2, 8):
            table[f"uint{bits}"] = -(-self.packed * bits // 8) + 3 * self.groups + 2 * self.plain
        return table


def measure_sizes(model: nn.Module, keep: tuple[str, ...]) -> Sizes:
    """Counts what is quantized (every Linear whose name matches no pattern of `keep`) and what stays bf16."""
    layers = _quantizable(model, keep)
    packed = sum(layer.weight.numel() for layer in layers)
    total = sum(one.numel() for one in (*model.parameters(), *model.buffers()))
    return Sizes(
        packed, sum(layer.out_features for layer in layers), packed // UINT_GROUP, total - packed,
        max((layer.weight.numel() for layer in layers), default=0),
    )  # fmt: skip


def _quantizable(model: nn.Module, keep: tuple[str, ...]) -> list[nn.Linear]:
    return [
        module
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear) and not any(fnmatch(name, pattern) for pattern in keep)
    ]


def quantize(model: nn.Module, backend: Backend, keep: tuple[str, ...]) -> None:
    """Gives every quantizable linear the forward pass of `backend`; must run before LoRA is attached."""
    forwards = {
        "qfloat8": lambda layer: partial(_apply, _QuantoLinear, layer),
        "offload": lambda layer: partial(_apply, _OffloadedLinear, layer),
        "float8": lambda layer: partial(_frozen_copy_forward, layer),
    }
    if backend != "none":
        for layer in _quantizable(model, keep):
            layer.forward = forwards[backend](layer)


def _apply(function: type[torch.autograd.Function], layer: nn.Linear, x: torch.Tensor) -> torch.Tensor:
    return function.apply(x.to(layer.weight.dtype), layer)


class LoRA(nn.Module):
    """Wraps one layer. fp32 as ai-toolkit does it, or `half`: as peft does it in bf16."""

    def __init__(self, layer: nn.Linear | nn.Conv2d, rank: int, *, half: bool) -> None:
        super().__init__()
        device = layer.weight.device
        kind = {"dtype": torch.bfloat16 if half else torch.float32, "device": device, "bias": False}
        if isinstance(layer, nn.Conv2d):
            self.down = nn.Conv2d(layer.in_channels, rank, layer.kernel_size, layer.stride, layer.padding, **kind)
            self.up = nn.Conv2d(rank, layer.out_channels, 1, **kind)
        else:
            self.down = nn.Linear(layer.in_features, rank, **kind)
            self.up = nn.Linear(rank, layer.out_features, **kind)
        self.register_buffer("scale", torch.ones((), device=device))
        self.register_buffer("strength", torch.ones(1, device=device))
        self.half = half
        self.base = layer.forward
        layer.forward = self.forward

    def _low_rank(self, x: torch.Tensor) -> torch.Tensor:
        low = self.down(x)
        low = self.up(low)
        return low * self.scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Names outlive their last use as in the toolkit's own function: they hold memory while it runs."""
        out = self.base(x)
        fed = x.to(self.down.weight.dtype)
        if self.half:
            return out + self.up(self.down(fed)) * 1.0
        added = self._low_rank(fed)
        strength = self.strength.repeat_interleave(len(added)) if len(added) > 1 else self.strength
        scaled = added * strength.view(-1, *(1,) * (added.dim() - 1))
        scaled = scaled.to(out.dtype)
        return out + scaled


def attach_lora(model: nn.Module, targets: list[str], rank: int, *, half: bool) -> list[LoRA]:
    """LoRA on each named layer; the layers' own forward passes are replaced."""
    modules = dict(model.named_modules())
    return [LoRA(modules[name], rank, half=half) for name in targets]
