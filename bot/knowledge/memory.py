"""knowledge/memory/: measured coefficients, sizes of text encoders and VAEs, and what of a run lies on the card."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from bot.knowledge.record import read_as, record
from bot.knowledge.schema import Slug

if TYPE_CHECKING:
    from bot.knowledge.load import Knowledge

Plane = tuple[float, ...]
Weights = Mapping[str, int]


@record
class Fit:
    """Planes whose maximum is the peak in bytes; `residual` and `held_out` are its largest relative errors."""

    planes: tuple[Plane, ...]
    points: int
    residual: float
    held_out: float | None


@record
class Base:
    """A base by how it is held: gradient checkpointing off and on, what a second graph adds, and a preview's pass."""

    gc_off: Fit
    gc_on: Fit
    kept: Fit
    preview: Fit | None = None


@record
class Grid:
    """Pixels a side for one token; frames for one latent frame (1: images)."""

    pixels: int
    frames: int


@record
class Coefficients:
    """One architecture as measured. Bytes; `packed` are the values of layers that quantizing changes."""

    architecture: Slug
    basis: str
    versions: dict[str, str]
    parameters: int
    published: float | None
    lora_per_rank: int
    packed: int
    largest: int
    weights: Weights
    text: int
    grid: Grid
    square: bool
    note: str = ""
    backends: dict[str, Base]


@record
class Encoder:
    """A text encoder. Bytes by precision."""

    parameters: int
    published: float
    packed: int
    largest: int
    weights: Weights


@record
class VaeFit:
    """Bytes over (1, megapixels of a frame, megapixels of all frames)."""

    plane: Plane
    residual: float


@record
class Vae:
    """A VAE: bytes of its weights, and what one encode or decode borrows."""

    weights: int
    encode: VaeFit
    decode: VaeFit


@record
class Companions:
    """companions.yaml."""

    text_encoders: dict[str, Encoder]
    vaes: dict[str, Vae]


@record
class Model:
    """One architecture's row of models.yaml; the meaning of each key stands there."""

    coefficients: Slug
    encoders: tuple[str, ...]
    plain_encoders: tuple[str, ...]
    vae: str
    text: int
    transformer: Literal["blocks", "whole", "whole_unless_low_vram"]
    encoder: Literal["whole", "whole_unless_offloaded", "host"]
    parks_encoder: bool
    controls: Literal["none", "target", "megapixel"]
    wants_control: bool
    text_per_control: int
    vae_each_step: bool
    experts: int
    cfg_batch: bool
    one_at_a_time: bool
    float8_with_assistant: bool
    not_for: tuple[str, ...]


@record
class Precision:
    """Which weights a qtype holds, and which measured base behaves like it."""

    weights: str
    base: str


@record
class Overhead:
    """What lies on the card besides; the meaning of each key stands in models.yaml."""

    context_gib: float
    blas_gib: float
    usable: float
    slack_on: float
    slack_off: float
    adapter_rank: int
    offload_ring: int
    tile: int


@record
class _File:
    defaults: dict[str, Any]
    models: dict[str, dict[str, Any]]
    unknown: tuple[str, ...]
    precisions: dict[str, Precision]
    optimizers: dict[str, float]
    overhead: Overhead
    card_sizes: tuple[int, ...]
    smaller: dict[str, tuple[str, ...]]


@record
class ErrorBand:
    """Relative error that four of five public figures stay within; from how many."""

    share: float
    points: int


@record
class Errors:
    """errors.yaml: how far the estimate was from public figures, by checkpointing, and by family where enough."""

    gc_on: ErrorBand
    gc_off: ErrorBand
    families: dict[str, ErrorBand]
    gpu_record: bool


class Memory:
    """Everything the estimate reads. Each coefficients file is read when its architecture is first asked for."""

    def __init__(self, knowledge: "Knowledge") -> None:
        self._knowledge = knowledge
        self._read: dict[str, Coefficients] = {}

    @cached_property
    def file(self) -> _File:
        """models.yaml."""
        return read_as(_File, self._knowledge.read("memory/models.yaml"))

    @cached_property
    def models(self) -> Mapping[str, Model]:
        """What of a run lies on the card, by architecture."""
        return read_as(dict[str, Model], {arch: {**self.file.defaults, **row} for arch, row in self.file.models.items()})

    @cached_property
    def companions(self) -> Companions:
        """Text encoders and VAEs."""
        return read_as(Companions, self._knowledge.read("memory/companions.yaml"))

    @cached_property
    def errors(self) -> Errors:
        """How far the estimate was from public figures."""
        return read_as(Errors, self._knowledge.read("memory/errors.yaml"))

    def model(self, arch: str) -> Model | None:
        """The row of an architecture, with or without the UI's tag; None where no figure is given."""
        return self.models.get(arch) or self.models.get(arch.partition(":")[0])

    def coefficients(self, name: str) -> Coefficients:
        """One measured file. Raises FileNotFoundError."""
        if name not in self._read:
            self._read[name] = read_as(Coefficients, self._knowledge.read(f"memory/{name}.yaml"))
        return self._read[name]
