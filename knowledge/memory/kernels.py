"""What CUDA's fused kernels keep and borrow, stated as autograd functions that run on the meta device.

Torch picks other kernels on meta than on a GPU; these reproduce the GPU's: flash attention (q, k, v, the output and an
fp32 log-sum-exp are kept; the backward pass borrows an fp32 accumulator), memory-efficient attention with a bias (the
bias is kept), and the fused RMS norm of torch >= 2.9 (input and an fp32 inverse deviation are kept).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.nn import functional

Tensor = torch.Tensor


def _blank(like: Tensor, *shape: int, dtype: torch.dtype | None = None) -> Tensor:
    return torch.empty(*shape, dtype=dtype or like.dtype, device=like.device)


def _dense(tensor: Tensor) -> Tensor:
    return tensor if tensor.stride(-1) == 1 else tensor.contiguous()


def _round_up(number: int, step: int) -> int:
    return -(-number // step) * step


def _heads_last(like: Tensor, batch: int, heads: int, length: int, width: int) -> Tensor:
    """Attention outputs lie in memory as (batch, length, heads, width) and are seen with heads in second place."""
    return _blank(like, batch, length, heads, width).transpose(1, 2)


class FlashAttention(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        query, key, value = _dense(query), _dense(key), _dense(value)
        batch, heads, length, width = query.shape
        out = _heads_last(query, batch, heads, length, _round_up(width, 8))[..., :width]
        ctx.save_for_backward(query, key, value, out, _blank(query, batch, heads, length, dtype=torch.float32))
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, ...]:
        query, key, value, _, _ = ctx.saved_tensors
        grad = _dense(grad)
        batch, heads, length, width = query.shape
        rows = _round_up(length, 128)
        grads = tuple(torch.empty_like(one) for one in (query, key, value))
        borrowed = (
            _blank(query, batch, heads, rows, width if width <= 64 else _round_up(width, 32), dtype=torch.float32),
            _blank(query, batch, heads, rows, dtype=torch.float32),
        )
        del borrowed
        return grads


class BiasedAttention(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None) -> Tensor:
        batch, heads, length, width = query.shape
        out = _heads_last(query, batch, heads, length, width)
        logs = _blank(query, batch, heads, _round_up(length, 32), dtype=torch.float32)
        ctx.save_for_backward(query, key, value, bias, out, logs)
        return out

    @staticmethod
    def backward(ctx: Any, _: Tensor) -> tuple[Tensor | None, ...]:
        query, key, *_, logs = ctx.saved_tensors
        batch, heads, length, width = query.shape
        of_query = _heads_last(query, batch, heads, length, width)
        of_key = _heads_last(query, batch, heads, key.shape[2], width)
        of_value = torch.empty_like(of_key)
        borrowed = (torch.empty_like(logs), _blank(query, batch, heads, length, width, dtype=torch.float32))
        del borrowed
        return of_query, of_key, of_value, None


class FusedRmsNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor | None, dims: int) -> Tensor:
        x = x.contiguous()
        ctx.save_for_backward(x, weight, _blank(x, *x.shape[:-dims], *(1,) * dims, dtype=torch.float32))
        return torch.empty_like(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, weight, _ = ctx.saved_tensors
        grad = grad.contiguous()
        of_x = torch.empty_like(x)
        del grad
        return of_x, torch.empty_like(weight) if ctx.needs_input_grad[1] else None, None


def _as_bias(mask: Tensor, query: Tensor, key: Tensor) -> Tensor:
    """A boolean mask becomes a bias of its own shape in the query's type; rows are padded to 16."""
    bias = torch.empty_like(mask, dtype=query.dtype) if mask.dtype == torch.bool else mask
    if bias.shape[-1] % 16:
        width = bias.shape[-1]
        bias = functional.pad(bias, (0, _round_up(width, 16) - width))[..., :width]
    return bias.expand(*query.shape[:3], key.shape[2])


def attention(query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, *_: Any, **__: Any) -> Tensor:
    """Stands in for scaled_dot_product_attention: flash in half precision without a mask, else memory-efficient."""
    flash = attn_mask is None and query.dtype != torch.float32
    if not flash and key.shape[1] != query.shape[1]:
        groups = query.shape[1] // key.shape[1]
        key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    if flash:
        return FlashAttention.apply(query, key, value)
    return BiasedAttention.apply(query, key, value, None if attn_mask is None else _as_bias(attn_mask, query, key))


_TORCH = {
    name: getattr(functional, name) for name in ("scaled_dot_product_attention", "rms_norm", "layer_norm", "linear")
}


def _rms_norm(x: Tensor, shape: Any, weight: Tensor | None = None, eps: float | None = None) -> Tensor:
    if x.is_meta and (weight is None or weight.dtype == x.dtype):
        return FusedRmsNorm.apply(x, weight, len(shape))
    return _TORCH["rms_norm"](x, shape, weight, eps)


def _float_layer_norm(
    x: Tensor, shape: Any, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    weight, bias = (None if one is None else one.float() for one in (weight, bias))
    return _TORCH["layer_norm"](x.float(), shape, weight, bias, eps)


def _half_linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    return _TORCH["linear"](x.to(weight.dtype), weight, bias)


def _half_attention(query: Tensor, key: Tensor, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    half = torch.bfloat16
    return attention(query.to(half), key.to(half), value.to(half), *args, **kwargs)


@contextmanager
def cuda_kernels(*, autocast: bool = False) -> Iterator[None]:
    """Within: torch's functions behave, for memory, as on a GPU; with `autocast` as under bf16 autocast."""
    stand_ins = {"scaled_dot_product_attention": attention, "rms_norm": _rms_norm}
    if autocast:
        stand_ins |= {
            "layer_norm": _float_layer_norm, "linear": _half_linear, "scaled_dot_product_attention": _half_attention,
        }  # fmt: skip
    for name, function in stand_ins.items():
        setattr(functional, name, function)
    try:
        yield
    finally:
        for name, function in _TORCH.items():
            setattr(functional, name, function)
