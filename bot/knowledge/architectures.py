"""A model family and its architectures: what each can and cannot do, and how it is named."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bot.knowledge.record import Record, values_of

Kind = Literal["image", "edit", "video", "audio"]


class Can(Record):
    """What the code of an architecture reads; the meaning of each field stands in families.yaml."""

    low_vram: Literal["read", "hidden", "ignored"]
    layer_offloading: Literal["honoured", "hidden", "ignored", "fails"]
    quantize: bool
    qtype_te: bool
    unload_text_encoder: bool
    cache_latents: bool
    tiled_preview: bool
    match_target_res: bool
    controls_fixed_area: bool
    preview_frames: int
    large_text_encoder: bool
    stated_gib: float | None = None
    frames: tuple[int, int] | None = None
    adapters: Mapping[int, str] | None = None


def low_bit_qtype(bits: int, adapter: str) -> str:
    """What model.qtype says for weights of so many bits with a recovery adapter: `uint3|path`."""
    return f"uint{bits}|{adapter}"


class Risk(Record):
    """From which bucket or batch on GC off is a high risk, and the key of the words for the safest first try."""

    resolution: int
    batch: int
    batch_floor: int
    first_try: str


class Hint(Record):
    """Words that settle the architecture within a family; all of them must be in the text."""

    words: tuple[str, ...]
    arch: str


@dataclass(frozen=True, slots=True, eq=False)
class Arch:
    """One architecture. `code` is the id after ai-toolkit has cut the UI's tag off."""

    id: str
    code: str
    label: str
    family: str
    kind: Kind
    can: Can
    repos: tuple[str, ...]
    names: tuple[str, ...]
    flags: tuple[str, ...]
    logs: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """A model family with its architectures, in the order of the file."""

    slug: str
    label: str
    kind: Kind
    risk: Risk | None
    source: str
    names: tuple[str, ...]
    logs: tuple[str, ...]
    over: str | None
    hints: tuple[Hint, ...]
    archs: tuple[Arch, ...]
    short: tuple[str, ...] = ()

    @property
    def only(self) -> Arch | None:
        """The architecture, where there is but one."""
        return self.archs[0] if len(self.archs) == 1 else None

    def agreed(self) -> dict[str, Any]:
        """The capabilities that all architectures of the family share."""
        first, *others = (values_of(arch.can) for arch in self.archs)
        return {name: value for name, value in first.items() if all(other[name] == value for other in others)}
