"""Facts for the estimate, from a few named values."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from bot.engine.memory import estimate
from bot.engine.memory_figures import Verdict
from bot.engine.memory_savings import fits_after, recomputed, saved
from bot.facts import Fact, Facts
from bot.knowledge.load import Knowledge

MakeFacts = Callable[..., Facts]
JOB: dict[str, Any] = {
    "model.arch": "zimage", "model.quantize": True, "model.quantize_te": True, "model.qtype": "qfloat8",
    "model.qtype_te": "qfloat8", "model.low_vram": True, "config.shape": "job", "network.type": "lora",
    "network.rank": 32, "train.gradient_checkpointing": True, "train.dtype": "bf16", "train.optimizer": "adamw8bit",
    "train.cache_text_embeddings": True, "batch_size": 1, "datasets.resolution": 1024, "datasets.num_frames": 1,
    "datasets.cache_latents": True, "sample.width": 1024, "sample.height": 1024, "sample.num_frames": 1,
}  # fmt: skip


class Savings(NamedTuple):
    """What a change saves in GiB by phase, and whether it then fits."""

    gib: Mapping[str, float]
    fits: Verdict | None

    @property
    def most(self) -> float | None:
        return max(self.gib.values(), default=None)


def savings(before: Facts, after: Facts, knowledge: Knowledge) -> Savings | None:
    """None where there is no figure for either."""
    was = estimate(before, knowledge)
    now = None if was is None else recomputed(was, after, knowledge)
    return None if was is None or now is None else Savings(saved(was, now), fits_after(was, now, before))


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    return Knowledge()


@pytest.fixture(scope="session")
def facts() -> MakeFacts:
    def make(**changes: Any) -> Facts:
        """A job for Z-Image with changes, `batch_size=4`, `model__arch="flux"`; None takes a fact away."""
        named = {name.replace("__", "."): value for name, value in changes.items()}
        return {name: Fact(value, "config") for name, value in {**JOB, **named}.items() if value is not None}

    return make
