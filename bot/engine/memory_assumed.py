"""What a paste leaves open and what is taken for it: what a new job of the toolkit's own form has.

Whoever shows a piece of a config, or only tells of it, leaves out what they did not touch. So what does not stand there is
not the code's default, as it is in a whole job, but most likely the form's. The figures say what was taken.
"""

from typing import TYPE_CHECKING, Literal

from bot.evidence import value
from bot.facts import Fact, Facts, FactValue

if TYPE_CHECKING:
    from bot.knowledge.memory import Model

Assumption = Literal["arch", "dtype", "optimizer", "weights", "checkpointing", "encoder", "control", "batch"]
SWITCHES = ("quantize", "quantize_te", "low_vram", "assistant_lora")
_TRAIN: tuple[tuple[Assumption, str, str], ...] = (
    ("dtype", "train.dtype", "bf16"),
    ("optimizer", "train.optimizer", "adamw8bit"),
)
WHOLE = frozenset({"job", "process"})


def completed(facts: Facts, model: "Model") -> tuple[Facts, tuple[Assumption, ...]]:
    """The facts with what is taken for the open ones that matter for memory, and which those were."""
    taken: dict[str, FactValue] = {}
    assumed: list[Assumption] = []
    if "model.arch" not in facts:
        assumed.append("arch")
    if "model.quantize" not in facts:
        taken |= {f"model.{name}": name in model.form for name in SWITCHES if f"model.{name}" not in facts}
        assumed.append("weights")
    elif "model.low_vram" not in facts:
        taken["model.low_vram"] = "low_vram" in model.form
    for assumption, name, usual in _TRAIN:
        if _is_open(name, facts):
            taken[name] = usual
            assumed.append(assumption)
    if "train.gradient_checkpointing" not in facts:
        assumed.append("checkpointing")
    if "train.cache_text_embeddings" not in facts and model.encoders:
        assumed.append("encoder")
    if model.wants_control and "datasets.controls" not in facts:
        assumed.append("control")
    if not (value(facts, "batch_size") or value(facts, "train.batch_size")) and _asks_ahead(facts):
        taken["batch_size"] = 1
        assumed.append("batch")
    stated = {name: Fact(one, "derived") for name, one in taken.items()}
    return ({**facts, **stated} if stated else facts), tuple(assumed)


def _asks_ahead(facts: Facts) -> bool:
    """Whether somebody asks what a run would take. After a failure the batch may be what made it fail, so none is taken."""
    asks = "plan-question" in (value(facts, "says") or ())
    return asks and value(facts, "problem.class") in {None, "none"} and not value(facts, "crash.present")


def _is_open(name: str, facts: Facts) -> bool:
    """The code's own defaults (fp32, adamw) hold only where a whole job lacks the key; examples and form write others."""
    stated = facts.get(name)
    return stated is None or (stated.origin == "default" and value(facts, "config.shape") not in WHOLE)
