"""`measure --check cuda`: a real GPU against the simulator."""

from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
import yaml
from torch import nn
from torch.nn import functional

from knowledge.memory.layers import attach_lora
from knowledge.memory.run import ARCHITECTURES, Unmet
from knowledge.memory.shapes import HALF, Shape, blank, on_device
from knowledge.memory.step import Way, lora_targets, run_step, set_checkpointing
from knowledge.memory.terms import Backend

GIB = 2**30
RECORD = "gpu_record.yaml"
DEPTHS = (30, 8)  # blocks of Z-Image; fewer where the card is small
NEEDS_GIB = 40  # for all blocks with checkpointing off at 512 px


def check_cuda(folder: Path) -> int:
    """Runs Z-Image's step with random weights on a GPU, prints computed against measured, and records it.

    Raises Unmet where there is no GPU.
    """
    if not torch.cuda.is_available():
        raise Unmet(
            f"torch {version('torch')} sees no CUDA device: run this on a machine with an NVIDIA GPU, with a CUDA build of torch."
        )
    total = torch.cuda.get_device_properties(0).total_memory / GIB
    depth = DEPTHS[0] if total > NEEDS_GIB else DEPTHS[1]
    rows = []
    for backend in _backends():
        for checkpointing in (True, False):
            for side in (256, 512):
                way = Way(backend, checkpointing=checkpointing)
                measured, computed = _on_gpu(way, side, depth), _computed(way, side, depth)
                rows.append({
                    "base": backend, "checkpointing": checkpointing, "pixels": side, "blocks": depth,
                    "computed_gib": round(computed, 3), "measured_gib": round(measured, 3),
                })  # fmt: skip
                print(
                    f"{backend:8} checkpointing {checkpointing!s:5} {side} px: computed {computed:6.2f}, measured {measured:6.2f} GiB, {computed / measured - 1:+.1%}"
                )
    stamp = {"gpu": torch.cuda.get_device_name(0), "torch": version("torch"), "diffusers": version("diffusers")}
    (folder / RECORD).write_text(yaml.safe_dump({**stamp, "rows": rows}, sort_keys=False), encoding="utf-8")
    return 0


def _backends() -> list[Backend]:
    found: list[Backend] = ["none"]
    if find_spec("optimum") and find_spec("optimum.quanto"):
        found.append("qfloat8")
    if find_spec("torchao"):
        found.append("float8")
    return found


def _shallow(depth: int) -> Callable[[], nn.Module]:
    def build() -> nn.Module:
        model = ARCHITECTURES["z-image"].build()
        model.layers = nn.ModuleList(list(model.layers)[:depth])
        return model

    return build


def _computed(way: Way, side: int, depth: int) -> float:
    """The step alone, as the simulator has it."""
    from dataclasses import replace

    arch = replace(ARCHITECTURES["z-image"], build=_shallow(depth))
    return run_step(arch, Shape(side, side), way).peak / GIB


def _on_gpu(way: Way, side: int, depth: int) -> float:
    """The step alone, as the GPU's allocator counts it."""
    arch = ARCHITECTURES["z-image"]
    with on_device("cuda"), torch.device("cuda"):
        model = _shallow(depth)().to(HALF).requires_grad_(requires_grad=False).train()
        _quantize_for_real(model, way.backend)
        loras = attach_lora(model, lora_targets(model, arch, narrow=False), way.rank, half=False)
        set_checkpointing(model, on=way.checkpointing)
        run = arch.inputs(model, Shape(side, side), arch.text)
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        guess = run()
        functional.mse_loss(guess.float(), blank(*guess.shape).float()).backward()
        peak = torch.cuda.max_memory_allocated() - before
    del model, loras, run, guess
    torch.cuda.empty_cache()
    return peak / GIB


def _quantize_for_real(model: Any, backend: Backend) -> None:
    """With the libraries that ai-toolkit uses, on the blocks it quantizes."""
    if backend == "qfloat8":
        from optimum.quanto import freeze, qfloat8, quantize

        quantize(model.layers, weights=qfloat8)
        freeze(model.layers)
    elif backend == "float8":
        from torchao.quantization import Float8WeightOnlyConfig, quantize_

        quantize_(model.layers, Float8WeightOnlyConfig())
