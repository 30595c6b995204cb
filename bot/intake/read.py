"""The one call: any number of texts and files in, evidence out."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.evidence import Evidence
from bot.knowledge.load import Knowledge


@dataclass(frozen=True, slots=True)
class Pasted:
    """One text or file as it came. `name` is shown in diffs; `data` is bytes for files."""

    name: str
    data: str | bytes


@dataclass(frozen=True, slots=True)
class Told:
    """What the person said outside the paste (command-line options, slash-command options)."""

    gpu: str | None = None
    vram_gib: float | None = None
    ram_gib: float | None = None
    goal: str | None = None


def read(pasted: Sequence[Pasted], knowledge: Knowledge, told: Told = Told()) -> Evidence:  # noqa: B008
    """Everything that can be told from what was pasted. Never raises on content."""
    raise NotImplementedError
