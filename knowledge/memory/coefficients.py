"""Writing one architecture's coefficients file."""

from pathlib import Path
from typing import Any

import yaml

from knowledge.memory.fit import Fit, Sample, fit_kept, fit_peak
from knowledge.memory.raw import Raw
from knowledge.memory.shapes import Architecture
from knowledge.memory.step import Way, prepare
from knowledge.memory.terms import REFERENCE_RANK, Backend

PREVIEWED = ("none", "float8")  # what a quantized or offloaded base borrows without gradients differs little
HEAD = """\
# Written by `python -m knowledge.memory.measure {name}`; not edited by hand.
# Bytes at a training step's worst moment, weights apart: the largest of the planes over
# (1, image tokens of the batch, text tokens of the batch, rank above 32, rank above 32 x tokens[, sum of squared
# tokens]). `gc_off` and `gc_on`: gradient checkpointing. `kept`: what a forward pass with
# checkpointing leaves alive. `preview`: one denoising pass.
"""


def as_block(fit: Fit) -> dict[str, Any]:
    """One fit as the file states it."""
    return {"planes": fit.planes, "points": fit.points, "residual": fit.residual, "held_out": fit.held_out}


def coefficients(arch: Architecture, raw: Raw, backends: list[Backend], stamp: dict[str, str]) -> dict[str, Any]:
    """The file's content."""
    ready = prepare(arch, Way())
    sizes = ready.sizes
    made: dict[str, Any] = {
        "architecture": arch.name, "basis": "measured on the meta device", "versions": stamp,
        "parameters": ready.parameters, "published": arch.published,
        "lora_per_rank": sum(one.numel() for one in ready.trained) // REFERENCE_RANK,
        "packed": sizes.packed, "largest": sizes.largest, "weights": sizes.weight_bytes(), "text": arch.text,
        "grid": {"pixels": arch.grid.pixels, "frames": arch.grid.frames}, "square": arch.square_attention,
        "pad": arch.pad, "fills": arch.fills,
    }  # fmt: skip
    if arch.note:
        made["note"] = arch.note
    made["backends"] = {one: _backend(arch, raw, one) for one in backends}
    for block in made["backends"].values():  # rank's share with checkpointing off was measured on the plain base alone
        block["gc_off"]["planes"][0][3:5] = made["backends"]["none"]["gc_off"]["planes"][0][3:5]
    return made


def _backend(arch: Architecture, raw: Raw, backend: Backend) -> dict[str, Any]:
    square = arch.square_attention
    off: list[Sample] = raw.steps(arch, backend, checkpointing=False)
    on: list[Sample] = raw.steps(arch, backend, checkpointing=True)
    return {
        "gc_off": as_block(fit_peak(off, square=square, single=True)), "gc_on": as_block(fit_peak(on, square=square)),
        "kept": as_block(fit_kept(on, square=square)),
    } | ({"preview": as_block(fit_peak(raw.previews(arch, backend), square=square))}
         if backend in PREVIEWED else {})  # fmt: skip


class FlowDumper(yaml.SafeDumper):
    """Lists of numbers on one line."""


def _flow_for_numbers(dumper: yaml.SafeDumper, items: dict[str, Any]) -> yaml.Node:
    flow = all(isinstance(value, int | float) for value in items.values())
    return dumper.represent_mapping("tag:yaml.org,2002:map", items, flow_style=flow)


def _flow_for_leaves(dumper: yaml.SafeDumper, items: list[Any]) -> yaml.Node:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=not isinstance(items[0], list))


FlowDumper.add_representer(list, _flow_for_leaves)
FlowDumper.add_representer(dict, _flow_for_numbers)


def write_file(path: Path, arch: Architecture, raw: Raw, backends: list[Backend], stamp: dict[str, str]) -> None:
    """Writes knowledge/memory/<architecture>.yaml."""
    content = coefficients(arch, raw, backends, stamp)
    body = yaml.dump(content, Dumper=FlowDumper, sort_keys=False, width=120)
    path.write_text(HEAD.format(name=arch.name) + body, encoding="utf-8")
