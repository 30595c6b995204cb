"""`measure --check shapes`: odd sizes, frames and batches measured now, against what the coefficients files say of them."""

import random
from collections.abc import Iterator
from typing import Any

from bot.knowledge.load import Knowledge
from knowledge.memory.fit import features, worst
from knowledge.memory.raw import sample_of, shape_key
from knowledge.memory.residuals import HELD_OUT
from knowledge.memory.run import backends_of
from knowledge.memory.shapes import Architecture, Shape
from knowledge.memory.step import Way, run_step

SHAPES = 4  # of an architecture
BUCKETS = (384, 512, 640, 768, 896, 1024, 1280)
RANKS = (16, 32, 32, 64)
MOST_TOKENS = 60_000  # of a batch: beyond it no card holds a step


def odd_shapes(arch: Architecture) -> Iterator[tuple[Shape, int]]:
    """Batches such as buckets make them, with a rank; always the same ones for an architecture."""
    chance = random.Random(arch.name)
    found = 0
    while found < SHAPES:
        side, ratio = chance.choice(BUCKETS), chance.uniform(0.5, 2.0)
        width, height = (max(1, round(side * share / 32)) * 32 for share in (ratio**0.5, ratio**-0.5))
        frames = 1 + arch.grid.frames * chance.randint(0, 12) if arch.video else 1
        text = max(32, round(arch.text * chance.uniform(0.5, 1.5) / 32) * 32)
        shape = Shape(width, height, chance.randint(1, 5), frames, text)
        rank = chance.choice(RANKS)
        if shape.batch * arch.grid.tokens(shape) <= MOST_TOKENS:
            found += 1
            yield shape, rank


def check_shapes(archs: list[Architecture]) -> int:
    """Prints computed against measured; 1 where one is further off than what held-out shapes may be."""
    memory, bad = Knowledge().memory, 0
    for arch in archs:
        found = memory.coefficients(arch.name)
        shapes = sorted(odd_shapes(arch), key=lambda one: one[1])  # a model is built once for each base and rank
        for backend in backends_of(arch):
            for shape, rank in shapes:
                for checkpointing in (True, False):
                    fit = found.backends[backend].gc_on if checkpointing else found.backends[backend].gc_off
                    off = _off(arch, shape, Way(backend, rank, checkpointing), fit.planes)
                    bad += abs(off) > HELD_OUT
                    print(
                        f"{arch.name:16} {backend:8} gc {'on ' if checkpointing else 'off'} r{rank:<3} {shape_key(shape):24} {off:+7.2%}",
                        flush=True,
                    )
    return int(bad > 0)


def _off(arch: Architecture, shape: Shape, way: Way, planes: Any) -> float:
    """Relative error of the file's figure at a shape."""
    step = run_step(arch, shape, way)
    row = {"parts": [step.forward, *step.stretches], "kept": step.kept, "rank": way.rank}
    sample = sample_of(arch, row, shape, held_out=True)
    return worst(planes, features(sample, square=arch.square_attention)) / sample.peak - 1
