"""Facts from several readings brought to one: the surer origin wins."""

from collections.abc import Iterable

from bot.facts import Fact, Facts
from bot.intake.model import settle_model
from bot.knowledge.hosts import hosts_of
from bot.knowledge.load import Knowledge

# Option over config over log over prose over what the toolkit takes by default. What is derived ranks just below what
# it was derived from, so that a value said outright is never lost to one computed from a default.
_RANK = {"option": 50, "config": 40, "log": 30, "prose": 20, "default": 10}
_JOINED = ("says", "crash.flags")
_OFF = 0.085  # T4, L4, A10, A40 and L40S: error correction takes most of that


def merge(config: Facts, logs: Facts, prose: Facts, told: Facts, knowledge: Knowledge) -> dict[str, Fact]:
    """All that is known. Each argument is what one kind of reading gave."""
    merged = dict(config)
    ranks: dict[str, int] = {}  # of what is not from the config
    misplaced = config.get("config.misplaced")
    astray = (
        {str(key).rpartition(".")[2] for key in misplaced.value}
        if misplaced and isinstance(misplaced.value, tuple)
        else set()
    )
    for facts, derived in ((told, 49), (logs, 29), (prose, 19)):
        for name, fact in facts.items():
            known = merged.get(name)
            if facts is prose and known is not None and name.rpartition(".")[2] in astray:
                continue  # they name the key that stands where nobody reads it
            rank = _RANK.get(fact.origin, derived)
            if known is None or rank > (ranks.get(name) or _RANK.get(known.origin, 39)):
                merged[name], ranks[name] = fact, rank
    _settle_batch(merged, prose)
    _settle_step(merged)
    for name in [
        name for name in merged if name.startswith("arch.") or name in {"model.arch", "model.family", "model.kind"}
    ]:
        del merged[name]
    merged |= settle_model([told, config, logs, prose], knowledge.families)
    _settle_card(merged, knowledge)
    return merged


def _settle_batch(merged: dict[str, Fact], prose: Facts) -> None:
    """The largest batch that counts was computed from the config's default where the person says another."""
    batch = merged.get("train.batch_size")
    if batch is not None and batch.origin == "prose" and "datasets.batch_overrides" not in merged:
        merged["batch_size"] = prose.get("batch_size", batch)


def _settle_step(merged: dict[str, Fact]) -> None:
    """Whether the step that a person names is one of those at which previews are made."""
    step, every = merged.get("said.step"), merged.get("sample.every")
    if (
        step is None
        or every is None
        or not isinstance(step.value, int)
        or not isinstance(every.value, int)
        or not every.value
    ):
        return
    off = merged.get("train.disable_sampling")
    merged["said.step_of_previews"] = Fact(
        step.value % every.value == 0 and not (off and off.value), "prose", step.place
    )


def _settle_card(merged: dict[str, Fact], knowledge: Knowledge) -> None:
    """The card's size from the error's own total: where no name tells it, or tells several. It knows better than people."""
    total, size = merged.get("crash.total_gib"), merged.get("gpu.vram_gib")
    if total is None or (size is not None and size.origin == "option"):
        return
    name = merged.get("gpu.name")
    card = knowledge.gpus.named(str(name.value)) if name else None
    exact = float(total.value) if isinstance(total.value, int | float) else 0.0
    sold = _sold_as(exact, card.sizes) if card else None
    if sold is not None:
        merged["gpu.vram_gib"] = Fact(sold, "log", total.place)
    elif size is None or (card is None and size.origin == "prose"):
        usual = _sold_as(exact, sorted(hosts_of(knowledge).usual_vram))
        merged["gpu.vram_gib"] = total if usual is None else Fact(usual, "log", total.place)


def _sold_as(exact: float, sizes: Iterable[float]) -> float | None:
    """The size that a card with so many GiB is sold with: it keeps up to 8 % of it for itself, or counts in 1000s."""
    near = [size for size in sizes if abs(size - exact) <= _OFF * size]
    return float(min(near, key=lambda size: (size < exact, abs(size - exact)))) if near else None


def join(readings: Iterable[Facts]) -> dict[str, Fact]:
    """Readings of the same kind from several sources: the first that knows a fact, lists brought together."""
    made: dict[str, Fact] = {}
    for facts in readings:
        for name, fact in facts.items():
            known = made.get(name)
            if known is None or (fact.origin != known.origin == "default"):
                made[name] = fact
            elif name in _JOINED and isinstance(known.value, tuple) and isinstance(fact.value, tuple):
                made[name] = Fact(tuple(dict.fromkeys((*known.value, *fact.value))), known.origin, known.place)
    return made
