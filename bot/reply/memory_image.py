"""The estimate's bars as a picture; needs the extra `charts`."""

import io
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bot.reply.memory_table import PARTS

if TYPE_CHECKING:
    from bot.knowledge.locale import Locale

_COLOURS = {
    "base": "#4c566a", "adapter": "#6d7a94", "text_encoder": "#5e81ac", "vae": "#81a1c1", "lora": "#b48ead",
    "optimizer": "#a3be8c", "ema": "#8fbcbb", "gradients": "#d08770", "activations": "#ebcb8b", "encode": "#ebcb8b",
    "preview": "#ebcb8b", "context": "#d8dee9",
}  # fmt: skip


def image(memory: Mapping[str, Any], locale: "Locale") -> bytes:
    """A PNG: one stacked bar a phase, the card's end as a line. Raises ImportError without matplotlib."""
    phases: Mapping[str, Mapping[str, float]] = memory["all_parts"]
    figure = import_module("matplotlib.figure").Figure(figsize=(8, 0.7 * len(phases) + 1.4), layout="constrained")
    axes = figure.subplots()
    names = [locale.text(f"memory.phases.{phase}") for phase in phases]
    left = [0.0] * len(phases)
    for part in PARTS:
        sizes = [parts.get(part, 0.0) for parts in phases.values()]
        if any(sizes):
            axes.barh(names, sizes, left=left, color=_COLOURS[part], label=locale.text(f"memory.parts.{part}"))
            left = [start + size for start, size in zip(left, sizes, strict=True)]
    if memory.get("usable_gib"):
        axes.axvline(memory["usable_gib"], color="#bf616a", linewidth=2)
    axes.invert_yaxis()
    axes.set_xlabel("GiB")
    figure.legend(loc="outside lower center", ncols=4, fontsize="small", frameon=False)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=110)
    return drawn.getvalue()
