"""The shape of knowledge/signatures.yaml, checked strictly when it is loaded."""

from datetime import date
from typing import Annotated, Literal

from bot.knowledge.record import NOT_EMPTY, Check, Record, matching
from bot.knowledge.schema import Class, Phase, Slug

SignatureId = Annotated[str, matching(r"[A-Z0-9]+(?:_[A-Z0-9]+)*")]
Severity = Literal["fatal", "recovered", "warning", "info"]
Backend = Literal["cuda", "hip", "mps", "xpu", "directml", "cpu"]


def _squeezed(literals: tuple[str, ...]) -> tuple[str, ...]:
    for literal in literals:
        if literal != "".join(literal.split()).lower():
            raise ValueError(f"write {literal!r} in lower case and without blanks")
    return literals


class Signature(Record):
    """One error text. Field meanings are explained at the head of the file."""

    id: SignatureId
    class_: Class
    severity: Severity = "fatal"
    priority: int
    backend: Backend | None = None
    phase: Phase | None = None
    means: Slug
    confidence: float = 1.0
    from_: str
    literals: Annotated[tuple[str, ...], NOT_EMPTY, Check(_squeezed)]
    squeezed: str | None = None
    line: str | None = None
    near: str | None = None
    unless: str | None = None

    def _check(self) -> None:
        if (self.squeezed is None) == (self.line is None):
            raise ValueError(f"{self.id}: give one of `squeezed` and `line`")
        if not (1 <= self.priority <= 99 and 0 < self.confidence <= 1):
            raise ValueError(f"{self.id}: `priority` goes from 1 to 99, `confidence` up to 1")


class Marker(Record):
    """A line of the toolkit's log. `life: false`: it does not show that the run was still going."""

    id: Slug
    text: str
    phase: Phase | None = None
    at: Literal["start", "whole", "any"] = "start"
    digit: bool = False
    starts: bool = False
    life: bool = True


class Survived(Record):
    """A line that says that the error beside it was caught."""

    text: str
    error: Literal["after", "before"]


class Number(Record):
    """Where a figure stands in an error text; the first pattern of a name that matches gives it."""

    name: str
    pattern: str
    all: bool = False


class Thresholds(Record):
    """Limits of the rules that judge by the numbers: bytes, and shares of the card's capacity."""

    sentinel: int
    own_process_extra: int
    context_min: int
    other_process_min: int
    other_process_share: float
    gap_min: int
    gap_share: float
    fragmentation_min: int
    fragmentation_share: float
    tiny_request: int
    private_pool_share: float


class Frame(Record):
    """Stack frames of one phase. `as: log`: the log's own phase is better where there is one."""

    name: str
    phase: Phase
    as_: Literal["log"] | None = None
    squeezed: str


class Signs(Record):
    """Patterns on the last trace that explain an error of the CUDA runtime."""

    pinned_frames: str
    offload_frames: str
    offload_on: str
    to_card: str


class Betrays(Record):
    """What a set of markers gives away about the model."""

    seen: Annotated[tuple[Slug, ...], NOT_EMPTY]
    without: tuple[Slug, ...] = ()
    family: Slug
    arch: str | None = None


class TorchHint(Record):
    """A version of torch that a text gives away."""

    torch: str
    squeezed: str


class Window(Record):
    """Days between which the checkout was made; `before` is exclusive."""

    squeezed: str | None = None
    after: date | None = None
    before: date | None = None


class SignatureFile(Record):
    """The file as it stands."""

    signatures: tuple[Signature, ...]
    survived: tuple[Survived, ...]
    quantize_failed: str
    numbers: tuple[Number, ...]
    gpu_index: str
    exact_numbers: str
    thresholds: Thresholds
    unified_memory: tuple[str, ...]
    frames: tuple[Frame, ...]
    signs: Signs
    runtime_sentences: tuple[str, ...]
    markers: tuple[Marker, ...]
    betrays: tuple[Betrays, ...]
    other_bars: tuple[str, ...]
    ends_in: tuple[Phase, ...]
    heads: frozenset[str]
    prompts: str
    finished: tuple[str, ...]
    buckets: tuple[str, ...]
    torch_hints: tuple[TorchHint, ...]
    builds: tuple[Window, ...]
    uncaught_step_oom: Window

    def _check(self) -> None:
        ids = [signature.id for signature in self.signatures] + [marker.id for marker in self.markers]
        twice = {name for name in ids if ids.count(name) > 1}
        if twice:
            raise ValueError(f"used twice: {', '.join(sorted(twice))}")
        unknown = {name for row in self.betrays for name in (*row.seen, *row.without)} - set(ids)
        if unknown:
            raise ValueError(f"betrays: no marker is called {', '.join(sorted(unknown))}")
