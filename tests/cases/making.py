"""Cases to test with, and a look at the bytes of a file."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.cases.model import NewCase, NewDocument, NewStep

GUILD, OTHER_GUILD, CHANNEL, ASKER, MODERATOR = 1001, 2002, 77, 501, 502
NOW = datetime(2026, 7, 4, 12, 0, 0, tzinfo=UTC)
CONFIG = """\
job: extension
config:
  name: garden_gnome_v3
  process:
    - type: sd_trainer
      training_folder: /data/runs/gnome
      train:
        batch_size: 4
        gradient_checkpointing: false  # was slow
"""


def diagnosis(**changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "schema": "oom-medic/diagnosis/1",
        "locale": "de",
        "source_tool": "ai-toolkit",
        "problem": {"class": "vram_oom", "phase": "train", "confidence": "high"},
        "model": {"arch": "zimage:turbo", "family": "z-image", "kind": "image"},
        "hardware": {"gpu": "RTX 3060", "vram_gib": 12.0, "ram_gib": None},
        "outcome": "checkpointing-off",
        "findings": [
            {
                "rule": "gradient-checkpointing-off",
                "severity": "error",
                "evidence": [{"document": 0, "line": 9, "text": "gradient_checkpointing: false  # was slow"}],
            }
        ],
        "steps": [
            {
                "lever": "gradient_checkpointing",
                "rule": "gradient-checkpointing-off",
                "safety": "safe",
                "now": True,
                "patches": [{"path": "config.process[0].train.gradient_checkpointing", "old": False, "new": True}],
            },
            {
                "lever": "batch_size",
                "rule": "batch-down",
                "safety": "safe",
                "now": False,
                "patches": [{"path": "config.process[0].train.batch_size", "old": 4, "new": 1}],
            },
        ],
        "diff": "--- config.yaml\n+++ config.yaml\n-        gradient_checkpointing: false  # was slow\n",
        "crash": None,
        "memory": None,
        "redactions": 0,
    }
    return made | changes


def problem(name: str, phase: str = "train") -> Mapping[str, str]:
    return {"class": name, "phase": phase, "confidence": "high"}


FIRST = NewStep("gradient_checkpointing", "gradient-checkpointing-off", "-  false  # was slow\n+  true\n", 0)
SECOND = NewStep("batch_size", "batch-down", "-  batch_size: 4\n+  batch_size: 1\n", 1)


def new_case(text: str = CONFIG, **changes: Any) -> NewCase:
    message = changes.pop("message", None)
    made = NewCase(
        guild=GUILD,
        locale="de",
        origin="paste",
        diagnosis=diagnosis(),
        documents=(NewDocument("config.yaml", "config", text, message),),
        steps=(FIRST,),
        channel=CHANNEL,
        asker=ASKER,
        message=message,
    )
    return replace(made, **changes)


def bytes_of(path: Path) -> bytes:
    """A case file with its write-ahead log and shared memory, as they lie on the disk."""
    parts = (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))
    return b"".join(part.read_bytes() for part in parts if part.exists())
