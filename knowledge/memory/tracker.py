"""Counting the bytes of live tensor storages on torch's meta device: exact lifetimes, nothing allocated."""

import weakref
from collections.abc import Iterable
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter

BLOCK = 512  # CUDA's caching allocator rounds every request up to this many bytes


def _identity(storage: torch.UntypedStorage) -> int:
    return storage._cdata  # noqa: SLF001 the one handle that is the same for every tensor of a storage


class LiveBytes(TorchDispatchMode):
    """Within the context, `now` is the sum of live storages made there and `peak` its maximum.

    Storages of `static` tensors (weights, buffers, LoRA) are left out: they are counted from their sizes. Autograd's
    saved tensors, checkpoint inputs, gradients and temporaries are all storages, so all are seen.
    """

    def __init__(self, static: Iterable[torch.Tensor]) -> None:
        super().__init__()
        self.now = 0
        self.peak = 0
        self._known = {_identity(tensor.untyped_storage()) for tensor in static}
        self._refs: dict[int, weakref.ref[Any]] = {}

    def _track(self, tensor: torch.Tensor) -> None:
        storage = tensor.untyped_storage()
        key = _identity(storage)
        if key in self._known or key in self._refs:
            return
        size = -(-storage.nbytes() // BLOCK) * BLOCK
        if not size:
            return

        def freed(_: object) -> None:
            del self._refs[key]
            self.now -= size

        self._refs[key] = weakref.ref(storage, freed)
        self.now += size
        self.peak = max(self.peak, self.now)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        for item in (out,) if isinstance(out, torch.Tensor) else tree_iter(out):
            if isinstance(item, torch.Tensor) and item.is_meta:
                self._track(item)
        return out
