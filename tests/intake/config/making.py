"""Configs for the tests: parsed documents and their facts."""

from functools import cache
from typing import Any

from bot.evidence import ConfigDocument, Misplaced
from bot.facts import Fact
from bot.intake.config.read import config_facts
from bot.knowledge.load import Knowledge
from bot.yamledit import parse

JOB = """\
job: extension
config:
  name: lighthouse
  process:
    - type: diffusion_trainer
      training_folder: output
      device: cuda
      network: {type: lora, linear: 16}
      datasets:
        - folder_path: /data/a
          resolution: [512, 1024]
          cache_latents_to_disk: true
      train:
        batch_size: 2
        dtype: bf16
      model:
        name_or_path: Tongyi-MAI/Z-Image-Turbo
        arch: zimage:turbo
        quantize: true
      sample:
        width: 1024
        height: 768
        samples:
          - prompt: a lighthouse
"""


@cache
def knowledge() -> Knowledge:
    return Knowledge()


def document(text: str, *, cut: bool = False) -> ConfigDocument:
    parsed = parse(text)
    root = ("config", "process", 0) if isinstance(parsed.data, dict) and "config" in parsed.data else ()
    return ConfigDocument(3, 0, len(text), 11, text, True, "yaml", parsed, root, cut=cut)


def read(text: str, *, cut: bool = False) -> tuple[dict[str, Fact], tuple[Misplaced, ...]]:
    facts, misplaced = config_facts(document(text, cut=cut), knowledge())
    return dict(facts), misplaced


def values(text: str, *, cut: bool = False) -> dict[str, Any]:
    return {name: fact.value for name, fact in read(text, cut=cut)[0].items()}


def job(**sections: str) -> str:
    """A job with sections replaced by flow mappings (`train="{batch_size: 3}"`); an empty text leaves one out."""
    parts = {
        "network": "{type: lora, linear: 16}",
        "datasets": "[{folder_path: /data/a, resolution: [512, 768]}]",
        "train": "{batch_size: 1, dtype: bf16}",
        "model": "{name_or_path: Tongyi-MAI/Z-Image, arch: zimage, quantize: true}",
        "sample": "{width: 768, height: 768, samples: [{prompt: a boat}]}",
    } | sections
    lines = [f"      {name}: {flow}" for name, flow in parts.items() if flow]
    return "\n".join(["job: extension", "config:", "  name: boat", "  process:", "    - type: sd_trainer", *lines, ""])
