"""The single measurements of one architecture, kept as lines of JSON so that nothing is measured twice."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from knowledge.memory.fit import Sample
from knowledge.memory.grid import Point, points, preview_points
from knowledge.memory.shapes import Architecture, Shape
from knowledge.memory.step import Way, run_preview, run_step
from knowledge.memory.terms import Backend


class Raw:
    """Measured steps by (backend, checkpointing, rank, shape)."""

    def __init__(self, folder: Path, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{name}.jsonl"
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        self.rows: dict[str, dict[str, Any]] = {row["key"]: row for row in map(json.loads, lines)}

    def _keep(self, key: str, row: dict[str, Any]) -> None:
        self.rows[key] = {"key": key, **row}
        with self.path.open("a") as file:
            file.write(json.dumps(self.rows[key]) + "\n")

    def fill(self, arch: Architecture, backend: Backend, *, checkpointing: bool) -> None:
        """Measures the training steps that are not there yet."""
        for point in sorted(points(arch, backend, checkpointing=checkpointing), key=lambda one: one.rank):
            key = step_key(backend, point, checkpointing=checkpointing)
            if key in self.rows:
                continue
            step = run_step(arch, point.shape, Way(backend, point.rank, checkpointing))
            parts = [step.forward, *step.stretches]
            self._keep(key, {"parts": parts, "kept": step.kept, "rank": point.rank, **asdict(point.shape)})

    def fill_previews(self, arch: Architecture, backend: Backend) -> None:
        """Measures the denoising passes that are not there yet."""
        for shape in preview_points(arch):
            key = f"preview|{backend}|{shape_key(shape)}"
            if key not in self.rows:
                self._keep(key, {"parts": [run_preview(arch, shape, Way(backend))], "rank": 32, **asdict(shape)})

    def steps(self, arch: Architecture, backend: Backend, *, checkpointing: bool) -> list[Sample]:
        """What was measured of the training step."""
        chosen = points(arch, backend, checkpointing=checkpointing)
        keys = {step_key(backend, one, checkpointing=checkpointing): one for one in chosen}
        return [sample_of(arch, self.rows[key], one.shape, held_out=one.held_out) for key, one in keys.items()]

    def previews(self, arch: Architecture, backend: Backend) -> list[Sample]:
        """What was measured of denoising."""
        shapes = preview_points(arch)
        rows = [self.rows[f"preview|{backend}|{shape_key(shape)}"] for shape in shapes]
        return [
            sample_of(arch, row, shape, held_out=shape is shapes[-1]) for row, shape in zip(rows, shapes, strict=True)
        ]


def shape_key(shape: Shape) -> str:
    """A shape as text."""
    return f"{shape.width}x{shape.height}x{shape.frames} b{shape.batch} t{shape.text or '-'}"


def step_key(backend: Backend, point: Point, *, checkpointing: bool) -> str:
    """One measurement's name."""
    return f"{backend}|{'on' if checkpointing else 'off'}|r{point.rank}|{shape_key(point.shape)}"


def sample_of(arch: Architecture, row: dict[str, Any], shape: Shape, *, held_out: bool) -> Sample:
    """A measurement as the fits see it: its tokens as the model fills them up."""
    image = arch.grid.tokens(shape) + arch.grid.control_tokens(shape)
    text = shape.text or arch.text
    image = image if shape.width == shape.height else max(image, arch.fills)
    image += -(image + text) % arch.pad
    return Sample(
        shape.batch * image, shape.batch * text, shape.batch * (image + text) ** 2, row["rank"],
        tuple(row["parts"]), row.get("kept", 0), held_out,
    )  # fmt: skip
