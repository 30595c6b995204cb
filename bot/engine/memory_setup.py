"""What of the facts decides memory: read once, checked for what no figure exists for."""

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from bot.engine.memory_assumed import WHOLE, Assumption, completed
from bot.evidence import value
from bot.facts import Facts

if TYPE_CHECKING:
    from bot.knowledge.memory import Coefficients, Memory, Model

MEGAPIXEL = 1024 * 1024
USUAL_RANK = 32  # where a fragment does not say; the UI's own, and rank hardly matters
Reason = Literal[
    "model", "absent", "variant", "arch", "weights", "qtype", "network", "full", "optimizer", "size", "resolution", "frames", "batch"
]  # fmt: skip


class NoFigure(Exception):  # noqa: N818 not an error: the honest answer for what nobody measured
    """No figure exists for this; `reason` says what it is about (words: `memory.none.<reason>`)."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


class Batch(NamedTuple):
    """One training batch: items, pixels and frames of one, and its tokens (control images in `image`)."""

    items: int
    pixels: int
    frames: int
    image: int
    text: int


class Preview(NamedTuple):
    """One preview: pixels, frames, and tokens of the denoising pass (both guidance halves where they run at once)."""

    pixels: int
    frames: int
    image: int
    text: int


class Setup(NamedTuple):
    """A run as the estimate sees it. Shares are 0..1; `weights` and `base` name rows of the coefficients file.

    `assumed`: what was not shown and is taken as usual (bot/engine/memory_assumed.py).
    """

    arch: str
    model: "Model"
    coefficients: "Coefficients"
    weights: str
    base: str
    fp32: bool
    adapter: bool
    encoder_weights: str
    low_vram: bool
    offload: float
    encoder_offload: float
    checkpointing: bool
    rank: int
    trained_experts: int
    optimizer: float
    ema: bool
    second_graph: bool
    encoder_trains: bool
    encoder_previews: bool
    encoder_cached: bool
    latents_cached: bool
    tiled_preview: bool
    batch: Batch | None
    preview: Preview | None
    why_no_batch: Reason | None
    assumed: tuple[Assumption, ...]


def read_setup(facts: Facts, memory: "Memory") -> Setup:
    """The run that these facts describe; what they leave open is as usual. Raises NoFigure."""
    arch, model, coefficients = _model(facts, memory)
    _check_network(facts)
    facts, assumed = completed(facts, model)
    weights, base = _base(facts, memory, model, coefficients)
    batch, why = _batch(facts, model, coefficients)
    cached = bool(value(facts, "train.cache_text_embeddings"))
    return Setup(
        arch=arch, model=model, coefficients=coefficients, weights=weights, base=base,
        fp32=weights == "fp32" or _is_fp32(facts), adapter=bool(value(facts, "model.ara")),
        encoder_weights=_encoder_weights(facts, memory),
        low_vram=bool(value(facts, "model.low_vram")) and value(facts, "arch.low_vram") != "ignored",
        offload=_offload(facts, "model.offload_transformer"),
        encoder_offload=_offload(facts, "model.offload_text_encoder"),
        checkpointing=value(facts, "train.gradient_checkpointing") is not False,
        rank=max(1, value(facts, "network.rank") or USUAL_RANK), trained_experts=_experts(facts, model),
        optimizer=_optimizer(facts, memory), ema=bool(value(facts, "train.use_ema")),
        second_graph=value(facts, "train.preservation") in {"dop", "bpp"},
        encoder_trains=not cached and not value(facts, "train.unload_text_encoder"),
        encoder_previews=not cached, encoder_cached=cached,
        latents_cached=bool(value(facts, "datasets.cache_latents")) and not model.vae_each_step,
        tiled_preview=bool(value(facts, "arch.tiled_preview")) and bool(value(facts, "model.low_vram")),
        batch=batch, preview=_preview(facts, model, coefficients), why_no_batch=why, assumed=assumed,
    )  # fmt: skip


def _model(facts: Facts, memory: "Memory") -> tuple[str, "Model", "Coefficients"]:
    arch = value(facts, "model.arch")
    family = value(facts, "model.family")
    if not isinstance(arch, str):
        arch = memory.file.usual.get(str(family))
    model = memory.model(arch) if arch is not None else None
    if arch is None or model is None:
        raise NoFigure(_unnamed(facts) if arch is None else "arch")
    path = str(value(facts, "model.name_or_path") or "").lower()
    if any(word in path for word in model.not_for):
        raise NoFigure("size")
    return arch, model, memory.coefficients(model.coefficients)


def _unnamed(facts: Facts) -> Reason:
    if value(facts, "model.family") is not None:
        return "variant"
    return "model" if value(facts, "model.absent") is None else "absent"


def _check_network(facts: Facts) -> None:
    """LoRA was measured; a full fine-tune (a whole job without a network) and LoKr were not."""
    kind = value(facts, "network.type")
    whole = value(facts, "config.shape") in {"job", "process"}
    if kind is None and whole:
        raise NoFigure("full")
    if kind not in {None, "lora"}:
        raise NoFigure("network")


def _is_fp32(facts: Facts) -> bool:
    return str(value(facts, "train.dtype") or "bf16").lower() in {"fp32", "float32", "float"}


def _base(facts: Facts, memory: "Memory", model: "Model", coefficients: "Coefficients") -> tuple[str, str]:
    """Which weights the base holds and which measured base it behaves like."""
    quantized = value(facts, "model.quantize")
    if not quantized or "qfloat8" not in coefficients.backends:
        return ("fp32" if _is_fp32(facts) else "bf16"), "none"
    qtype = str(value(facts, "model.qtype") or "qfloat8")
    swapped = value(facts, "model.layer_offloading") or (
        model.float8_with_assistant and value(facts, "model.assistant_lora")
    )
    precision = memory.file.precisions.get("float8" if qtype == "qfloat8" and swapped else qtype)
    if precision is None:
        raise NoFigure("qtype")
    return precision.weights, precision.base


def _encoder_weights(facts: Facts, memory: "Memory") -> str:
    quantized = value(facts, "model.quantize_te")
    if not (value(facts, "model.quantize") if quantized is None else quantized):
        return "fp32" if _is_fp32(facts) else "bf16"
    precision = memory.file.precisions.get(str(value(facts, "model.qtype_te") or "qfloat8"))
    if precision is None:
        raise NoFigure("qtype")
    return precision.weights


def _offload(facts: Facts, name: str) -> float:
    if value(facts, "arch.layer_offloading") in {"ignored", "fails"}:
        return 0.0
    return min(1.0, max(0.0, float(value(facts, name) or 0.0)))


def _optimizer(facts: Facts, memory: "Memory") -> float:
    name = str(value(facts, "train.optimizer") or "adamw").lower()
    if name not in memory.file.optimizers:
        raise NoFigure("optimizer")
    return memory.file.optimizers[name]


def _experts(facts: Facts, model: "Model") -> int:
    if model.experts == 1:
        return 1
    flags = ("model.train_high_noise", "model.train_low_noise")
    return max(1, sum(value(facts, name) is not False for name in flags))


def latent_frames(frames: int, coefficients: "Coefficients") -> int:
    """Frames after the VAE; images have one."""
    step = coefficients.grid.frames
    return 1 if step == 1 else (max(1, frames) - 1) // step + 1


def _tokens(pixels: int, frames: int, coefficients: "Coefficients") -> int:
    return latent_frames(frames, coefficients) * (pixels // coefficients.grid.pixels**2)


def _batch(facts: Facts, model: "Model", coefficients: "Coefficients") -> tuple[Batch | None, Reason | None]:
    side = value(facts, "datasets.resolution")
    printed = value(facts, "log.bucket_pixels")
    areas = [area for area in (side * side if side else None, printed) if area]
    if not areas:
        return None, "resolution"
    pixels = min(areas)  # buckets never exceed the resolution's area; the log tells when all images are smaller
    frames = _frames(facts, coefficients)
    if frames is None:
        return None, "frames"
    given = value(facts, "batch_size") or value(facts, "train.batch_size")
    if not given or given < 1:
        return None, "batch"
    controls = _controls(facts, "datasets.controls", model)
    area = pixels if model.controls == "target" or value(facts, "model.match_target_res") else MEGAPIXEL
    items = given * (2 if value(facts, "train.do_cfg") else 1)
    image = _tokens(pixels, frames, coefficients) + controls * _tokens(area, 1, coefficients)
    return Batch(items, pixels, frames, image, model.text + controls * model.text_per_control), None


def _frames(facts: Facts, coefficients: "Coefficients") -> int | None:
    printed: int | None = value(facts, "log.bucket_frames")
    told = value(facts, "datasets.num_frames")
    open_ = told is None and coefficients.grid.frames > 1 and value(facts, "config.shape") not in WHOLE
    if value(facts, "datasets.auto_frame_count") or open_:
        return printed
    written = int(told or 1)
    return min(written, printed) if printed else written


def _controls(facts: Facts, name: str, model: "Model") -> int:
    if model.controls == "none":
        return 0
    least = 1 if model.wants_control else 0
    most = 1 if model.controls == "target" else 8
    return min(most, max(least, value(facts, name) or 0))


def _preview(facts: Facts, model: "Model", coefficients: "Coefficients") -> Preview | None:
    width, height = value(facts, "sample.width"), value(facts, "sample.height")
    if value(facts, "train.disable_sampling") or not width or not height:
        return None
    frames = int(value(facts, "sample.num_frames") or 1) if coefficients.grid.frames > 1 else 1
    controls = _controls(facts, "sample.controls", model)
    area = width * height if model.controls == "target" else MEGAPIXEL  # previews do not read match_target_res
    items = 2 if model.cfg_batch else 1
    image = _tokens(width * height, frames, coefficients) + controls * _tokens(area, 1, coefficients)
    text = model.text + controls * model.text_per_control
    return Preview(width * height, frames, items * image, items * text)


def describe(setup: Setup) -> dict[str, Any]:
    """What the figures rest on, for whoever checks them."""
    batch = setup.batch
    return {
        "weights": setup.weights, "checkpointing": setup.checkpointing, "rank": setup.rank, "arch": setup.arch,
        "assumed": setup.assumed,
        "tokens": None if batch is None else {"items": batch.items, "image": batch.image, "text": batch.text},
    }  # fmt: skip
