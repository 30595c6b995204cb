"""Facts for the estimate, from a few named values."""

from collections.abc import Callable
from typing import Any

import pytest

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
