"""The facts as they would be once a step's changes are made, without editing and reading the config again.

Only for estimating: what is written to a file is always read anew.
"""

from collections.abc import Iterator

from bot.engine.change import Change, Changes
from bot.evidence import value
from bot.facts import Fact, Facts, FactValue
from bot.intake.config.values import whole

# Facts whose name is not the path they are written at.
_NAMES = {
    ("train", "ema_config", "use_ema"): "train.use_ema",
    ("model", "model_kwargs", "match_target_res"): "model.match_target_res",
    ("model", "layer_offloading_transformer_percent"): "model.offload_transformer",
    ("model", "layer_offloading_text_encoder_percent"): "model.offload_text_encoder",
    ("network", "linear"): "network.rank",
    ("datasets", "cache_latents_to_disk"): "datasets.cache_latents",
    ("sample", "sample_steps"): "sample.steps",
    ("sample", "sample_every"): "sample.every",
}


def after(changes: Changes, facts: Facts) -> Facts:
    """The facts with the changes' own values in place of what they replace."""
    made = {name: Fact(new, "derived") for change in changes for name, new in _stated(change, facts)}
    return {**facts, **made}


def _stated(change: Change, facts: Facts) -> Iterator[tuple[str, FactValue]]:
    path = tuple(part for part in change.path if isinstance(part, str) and part != "samples")
    name = _NAMES.get(path, ".".join(path))
    if name in {"train.batch_size", "datasets.batch_size"}:
        yield from (("batch_size", change.new), (name, change.new))
    elif name == "datasets.resolution":
        yield from _buckets(change, facts)
    elif name == "model.qtype":
        bits, _, adapter = str(change.new).partition("|")
        yield from (("model.qtype", bits), ("model.ara", bool(adapter)))
    elif name in {"train.diff_output_preservation", "train.blank_prompt_preservation"}:
        yield "train.preservation", "none"
    elif name == "model.layer_offloading" and change.new is False:
        yield from (
            ("model.layer_offloading", False),
            ("model.offload_transformer", 0.0),
            ("model.offload_text_encoder", 0.0),
        )
    elif name == "model.quantize" and change.new and value(facts, "model.qtype") is None:
        yield from (("model.quantize", True), ("model.qtype", "qfloat8"))
    elif name != "sample.prompt":
        yield name, change.new


def _buckets(change: Change, facts: Facts) -> Iterator[tuple[str, FactValue]]:
    """The largest bucket goes, from whichever datasets have it; what others have below it stays."""
    written = change.new if isinstance(change.new, list) else [change.new]
    sizes = set(filter(None, map(whole, written)))
    top = value(facts, "datasets.resolution")
    if sizes:
        kept = {size for size in value(facts, "datasets.resolutions") or () if top is not None and size < top}
        made = tuple(sorted(sizes | kept))
        yield from (("datasets.resolutions", made), ("datasets.resolution", made[-1]))
