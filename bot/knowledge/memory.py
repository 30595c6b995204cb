"""knowledge/memory/: measured coefficients, sizes of text encoders and VAEs, and what of a run lies on the card."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from bot.knowledge.reading import read_as
from bot.knowledge.record import NONE, Record, values_of
from bot.knowledge.schema import Slug

if TYPE_CHECKING:
    from bot.knowledge.architectures import Arch
    from bot.knowledge.folder import DataFolder

Plane = tuple[float, ...]
Weights = Mapping[str, int]


class Fit(Record):
    """Planes whose maximum is the peak in bytes; `residual` and `held_out` are its largest relative errors."""

    planes: tuple[Plane, ...]
    points: int
    residual: float
    held_out: float | None


class Base(Record):
    """A base by how it is held: gradient checkpointing off and on, what a second graph adds, and a preview's pass."""

    gc_off: Fit
    gc_on: Fit
    kept: Fit
    preview: Fit | None = None


class Grid(Record):
    """Pixels a side for one token; frames for one latent frame (1: images)."""

    pixels: int
    frames: int


class Coefficients(Record):
    """One architecture as measured. Bytes; `packed` are the values of layers that quantizing changes.

    `pad`: an item's tokens are filled up to a multiple of this. `fills`: one that is not square is filled up to so many
    image tokens.
    """

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
    pad: int = 1
    fills: int = 0
    note: str = ""
    backends: dict[str, Base]


class Encoder(Record):
    """A text encoder. Bytes by precision."""

    parameters: int
    published: float
    packed: int
    largest: int
    weights: Weights


class VaeFit(Record):
    """Bytes over (1, megapixels of a frame, megapixels of all frames)."""

    plane: Plane
    residual: float


class Vae(Record):
    """A VAE: bytes of its weights, and what one encode or decode borrows."""

    weights: int
    encode: VaeFit
    decode: VaeFit


class Companions(Record):
    """companions.yaml."""

    text_encoders: dict[str, Encoder]
    vaes: dict[str, Vae]


class Model(Record):
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
    form: tuple[Literal["quantize", "quantize_te", "low_vram", "assistant_lora"], ...]


class Precision(Record):
    """Which weights a qtype holds, and which measured base behaves like it."""

    weights: str
    base: str


class Overhead(Record):
    """What lies on the card besides; the meaning of each key stands in models.yaml."""

    context_gib: float
    blas_gib: float
    usable: float
    slack_on: float
    slack_off: float
    adapter_rank: int
    offload_ring: int
    tile: int


class _File(Record):
    defaults: dict[str, Any]
    models: dict[str, dict[str, Any]]
    usual: dict[str, str]
    unknown: tuple[str, ...]
    precisions: dict[str, Precision]
    optimizers: dict[str, float]
    overhead: Overhead
    card_sizes: tuple[int, ...]
    smaller: dict[str, tuple[str, ...]]


class Start(Record):
    """What a starting config says besides what a plan decides, by section; see starts.yaml."""

    network: Mapping[str, Any] = NONE
    save: Mapping[str, Any] = NONE
    dataset: Mapping[str, Any] = NONE
    train: Mapping[str, Any] = NONE
    model: Mapping[str, Any] = NONE
    sample: Mapping[str, Any] = NONE
    prompt: Mapping[str, Any] = NONE


class _Starts(Record):
    all: Start
    video: Start
    edit: Start
    models: dict[str, Start]


class ErrorBand(Record):
    """Relative error that four of five public figures stay within; from how many."""

    share: float
    points: int


class Errors(Record):
    """errors.yaml: how far the estimate was from public figures, by checkpointing, and by family where enough."""

    gc_on: ErrorBand
    gc_off: ErrorBand
    families: dict[str, ErrorBand]
    gpu_record: bool


class Memory:
    """Everything the estimate reads. Each coefficients file is read when its architecture is first asked for."""

    def __init__(self, knowledge: "DataFolder") -> None:
        self._knowledge = knowledge
        self._read: dict[str, Coefficients] = {}

    @cached_property
    def file(self) -> _File:
        """models.yaml."""
        return read_as(_File, self._knowledge.read("memory/models.yaml"))

    @cached_property
    def models(self) -> Mapping[str, Model]:
        """What of a run lies on the card, by architecture."""
        return read_as(
            dict[str, Model], {arch: {**self.file.defaults, **row} for arch, row in self.file.models.items()}
        )

    @cached_property
    def companions(self) -> Companions:
        """Text encoders and VAEs."""
        return read_as(Companions, self._knowledge.read("memory/companions.yaml"))

    @cached_property
    def errors(self) -> Errors:
        """How far the estimate was from public figures."""
        return read_as(Errors, self._knowledge.read("memory/errors.yaml"))

    @cached_property
    def _starts(self) -> _Starts:
        return read_as(_Starts, self._knowledge.read("memory/starts.yaml"))

    def start(self, arch: "Arch") -> Start:
        """What every starting config for the architecture says."""
        starts = self._starts
        layers = [starts.all]
        layers += [starts.video] if arch.can.frames else []
        layers += [starts.edit] if arch.kind == "edit" else []
        return _merged([*layers, starts.models.get(arch.id, Start())])

    def model(self, arch: str) -> Model | None:
        """The row of an architecture, with or without the UI's tag; None where no figure is given."""
        if arch in self.file.unknown:
            return None
        return self.models.get(arch) or self.models.get(arch.partition(":")[0])

    def coefficients(self, name: str) -> Coefficients:
        """One measured file. Raises FileNotFoundError."""
        if name not in self._read:
            self._read[name] = read_as(Coefficients, self._knowledge.read(f"memory/{name}.yaml"))
        return self._read[name]


def _merged(layers: Sequence[Start]) -> Start:
    """Section by section; later layers win, and what is null in the end is left out."""
    sections: dict[str, dict[str, Any]] = {}
    for layer in layers:
        for name, keys in values_of(layer).items():
            sections.setdefault(name, {}).update(keys)
    return Start(**{
        name: {key: value for key, value in keys.items() if value is not None} for name, keys in sections.items()
    })  # fmt: skip
