"""Evidence for the engine, made from a config's text and a few stated facts."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.evidence import ConfigDocument, Evidence, Source
from bot.facts import Fact
from bot.intake.config.read import config_facts
from bot.knowledge.load import Knowledge
from bot.yamledit import parse

JOB = """\
job: extension
config:
  name: lamp
  process:
    - type: diffusion_trainer
      device: cuda
      network: {type: lora, linear: 32, linear_alpha: 32}
      datasets:
        - folder_path: /data/lamp
          cache_latents_to_disk: true
          resolution: [512, 768, 1024]  # all three
      train:
        batch_size: 4
        gradient_accumulation: 1
        gradient_checkpointing: false
        optimizer: adamw8bit
        cache_text_embeddings: true
        dtype: bf16
      model:
        name_or_path: Tongyi-MAI/Z-Image
        arch: zimage
        quantize: true
        qtype: qfloat8
        low_vram: true
      sample:
        width: 1024
        height: 1024
        sample_every: 250
        samples:
          - prompt: a lamp
"""
TRAINING = {"crash.present": True, "crash.class": "vram_oom", "crash.phase": "train"}
MakeEvidence = Callable[..., Evidence]


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    return Knowledge()


@pytest.fixture(scope="session")
def evidence(knowledge: Knowledge) -> MakeEvidence:
    def make(text: str | None = JOB, stated: dict[str, Any] | None = None) -> Evidence:
        facts = {name: Fact(value, "log") for name, value in (stated or {}).items()}
        facts.setdefault("tool", Fact("ai-toolkit", "derived"))
        if text is None:
            return Evidence((), facts)
        parsed = parse(text)
        root = ("config", "process", 0) if "config" in parsed.data else ()
        document = ConfigDocument(0, 0, len(text), 1, text, True, "yaml", parsed, root)
        read, misplaced = config_facts(document, knowledge)
        return Evidence((Source("config.yaml", text),), {**read, **facts}, document, misplaced=misplaced)

    return make
