"""A starting config as its choices: written out as a job of ai-toolkit, and as the facts the estimate reads."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.facts import Fact, Facts, FactValue

if TYPE_CHECKING:
    from bot.knowledge.architectures import Arch, Can
    from bot.knowledge.memory import Start

ALL_SIZES = (512, 768, 1024)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a plan decides. `offload` is the share of the transformer kept in host memory; frames of 1 mean images."""

    resolution: int
    batch: int
    rank: int
    frames: int
    quantize: bool
    qtype: str
    low_vram: bool
    offload: float
    offload_encoder: bool
    preview_side: int
    preview_frames: int
    previews: bool
    match_target_res: bool

    @property
    def offloads(self) -> bool:
        """Whether anything lies in host memory."""
        return self.offload_encoder or self.offload > 0

    @property
    def resolutions(self) -> tuple[int, ...]:
        """The buckets up to the largest."""
        return tuple(side for side in ALL_SIZES if side <= self.resolution)


def as_facts(arch: "Arch", choice: Choice, start: "Start", vram_gib: float) -> Facts:
    """The facts that intake would read from the job (tests keep the two together)."""
    can = arch.can
    stated: dict[str, FactValue] = {
        "model.arch": arch.id, "model.family": arch.family, "model.kind": arch.kind, "config.shape": "job",
        "network.type": "lora", "network.rank": choice.rank, "train.dtype": "bf16", "train.optimizer": "adamw8bit",
        "train.gradient_checkpointing": True, "train.batch_size": choice.batch, "batch_size": choice.batch,
        "train.cache_text_embeddings": True, "train.disable_sampling": not choice.previews,
        "model.quantize": choice.quantize, "model.quantize_te": quantizes_encoder(can, choice),
        "model.qtype": choice.qtype.partition("|")[0], "model.qtype_te": _encoder_qtype(can, choice),
        "model.assistant_lora": "assistant_lora_path" in start.model, "model.ara": "|" in choice.qtype,
        "model.low_vram": choice.low_vram,
        "model.layer_offloading": choice.offloads, "model.offload_transformer": choice.offload,
        "model.offload_text_encoder": 1.0 if choice.offloads else 0.0,
        "model.match_target_res": choice.match_target_res, "arch.low_vram": can.low_vram,
        "arch.layer_offloading": can.layer_offloading, "arch.tiled_preview": can.tiled_preview,
        "datasets.resolution": choice.resolution, "datasets.num_frames": choice.frames,
        "datasets.cache_latents": can.cache_latents, "datasets.controls": int("control_path" in start.dataset),
        "sample.width": choice.preview_side, "sample.height": choice.preview_side,
        "sample.num_frames": choice.preview_frames, "sample.controls": int("ctrl_img" in start.prompt),
        "gpu.vram_gib": vram_gib,
    }  # fmt: skip
    return {name: Fact(value, "derived") for name, value in stated.items()}


def quantizes_encoder(can: "Can", choice: Choice) -> bool:
    """The text encoder is quantized with the model; SDXL and its like cannot be."""
    return can.quantize and choice.quantize


def _encoder_qtype(can: "Can", choice: Choice) -> str:
    return "qfloat8" if can.qtype_te else choice.qtype.partition("|")[0]


def as_job(arch: "Arch", choice: Choice, start: "Start", name: str, *, device: str) -> dict[str, Any]:
    """The whole job, in the toolkit's own order of keys. Folders and prompts are the person's to fill in.

    `start` is what knowledge/memory/starts.yaml says for the architecture; the plan's own choices win.
    """
    process = {
        "type": "sd_trainer", "training_folder": "output", "device": device,
        "network": {"type": "lora", "linear": choice.rank, "linear_alpha": choice.rank, **start.network},
        "save": dict(start.save), "datasets": [_dataset(arch, choice, start)], "train": _train(choice, start),
        "model": _model(arch, choice, start), "sample": _sample(arch, choice, start),
    }  # fmt: skip
    return {"job": "extension", "config": {"name": name, "process": [process]}}


def _dataset(arch: "Arch", choice: Choice, start: "Start") -> dict[str, Any]:
    made: dict[str, Any] = {**start.dataset, "resolution": list(choice.resolutions)}
    if arch.can.cache_latents:
        made["cache_latents_to_disk"] = True
    if arch.can.frames:
        made["num_frames"] = choice.frames
    return made


def _train(choice: Choice, start: "Start") -> dict[str, Any]:
    made: dict[str, Any] = {
        "batch_size": choice.batch, "gradient_accumulation": 1, "gradient_checkpointing": True,
        "optimizer": "adamw8bit", "dtype": "bf16", "cache_text_embeddings": True, **start.train,
    }  # fmt: skip
    return made if choice.previews else {**made, "disable_sampling": True}


def _model(arch: "Arch", choice: Choice, start: "Start") -> dict[str, Any]:
    made: dict[str, Any] = {"name_or_path": arch.repos[0] if arch.repos else "", "arch": arch.id, **start.model}
    if arch.can.quantize:
        made |= {"quantize": choice.quantize, "quantize_te": quantizes_encoder(arch.can, choice)}
        if choice.quantize:
            made["qtype"] = choice.qtype
            if arch.can.qtype_te:
                made["qtype_te"] = "qfloat8"
    if arch.can.low_vram != "ignored":
        made["low_vram"] = choice.low_vram
    if choice.offloads:
        made |= {
            "layer_offloading": True, "layer_offloading_transformer_percent": choice.offload,
            "layer_offloading_text_encoder_percent": 1.0,
        }  # fmt: skip
    if choice.match_target_res:
        made["model_kwargs"] = {**start.model.get("model_kwargs", {}), "match_target_res": True}
    return made


def _sample(arch: "Arch", choice: Choice, start: "Start") -> dict[str, Any]:
    made: dict[str, Any] = {**start.sample, "width": choice.preview_side, "height": choice.preview_side}
    if arch.can.frames:
        made["num_frames"] = choice.preview_frames
    made["samples"] = [{"prompt": "your prompt", **start.prompt}]
    return made
