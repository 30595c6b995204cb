"""The mechanisms that compute new values from a config: halve a batch, drop a bucket, shrink previews, cut frames.

A move takes the facts and the view of the config and returns changes by process path, or nothing where there is
nothing left to lower. Which move belongs to which rule is data (`fix.move` in knowledge/rules).
"""

from collections.abc import Callable, Iterator
from typing import Any

from bot.engine.change import SMALLEST, Change, Changes, next_size, on_own_grid
from bot.engine.config_view import View
from bot.engine.previews import cheaper_previews, shrink_previews
from bot.evidence import value
from bot.facts import Facts
from bot.intake.config.values import whole

Move = Callable[[Facts, View, int], Changes]


def lower_batch(facts: Facts, view: View, tried: int) -> Changes:
    """Half the batch, or the one that ran before (the floor on a second try).

    Accumulation grows to keep the effective batch where that works.
    """
    batch = value(facts, "batch_size")
    floor = value(facts, "arch.batch_floor") or 1
    if batch is None:
        return (Change(("train", "batch_size"), 1),)
    if batch <= floor:
        return ()
    shared = (value(facts, "train.batch_size") or 1) if view.get(("datasets",)) else batch
    batches = [(index, whole(entry.get("batch_size")), _side(entry)) for index, entry in view.datasets()]
    # A smaller batch of larger pictures may be the heaviest: what is above half of the heaviest load goes down as well.
    heaviest = max(((own or shared) * side**2 for _, own, side in batches), default=0)
    heavy = [(index, own, 2 * (own or shared) * side**2 > heaviest) for index, own, side in batches]
    changes = [
        Change(("datasets", index, "batch_size"), floor if tried else max(floor, own // 2))
        for index, own, is_heavy in heavy
        if own is not None and own > floor and (own == batch or is_heavy)
    ]
    of_train = not heavy or any(own is None and (shared == batch or is_heavy) for _, own, is_heavy in heavy)
    if shared > floor and (of_train or not changes):
        ran = value(facts, "said.batch_ran") or 0
        less = floor if tried else max(floor, ran if ran < shared and ran else shared // 2)
        changes += [Change(("train", "batch_size"), less), *_accumulate(facts, view, shared, less)]
    return tuple(changes)


def _side(entry: dict[str, Any]) -> int:
    """The largest edge that a dataset is trained at; 512 is the toolkit's default."""
    sizes = entry.get("resolution")
    return max((side for side in map(whole, sizes if isinstance(sizes, list) else [sizes]) if side), default=SMALLEST)


def _accumulate(facts: Facts, view: View, batch: int, lowered: int) -> Changes:
    """Keep the effective batch. Not where only a lone fragment shows, and not beside per-dataset batches.

    Without a config, where somebody tells of a batch that they raised: that is what they want of it.
    """
    shown = view.editable(("train", "gradient_accumulation")) or (
        value(facts, "said.batch_ran") is not None and value(facts, "config.present") is not True
    )
    if value(facts, "datasets.batch_overrides") or not shown:
        return ()
    steps = value(facts, "train.gradient_accumulation") or 1
    changes = [Change(("train", "gradient_accumulation"), steps * batch // lowered)]
    if (value(facts, "train.gradient_accumulation_steps") or 1) != 1:
        # Both keys above 1 are refused by the toolkit (toolkit/config_modules.py); the legacy one does not accumulate.
        changes.append(Change(("train", "gradient_accumulation_steps"), 1))
    return tuple(changes)


def drop_top_bucket(facts: Facts, view: View, _tried: int) -> Changes:
    """Take the highest resolution out of every dataset that has it; a single one goes to the next lower size.

    Or to one that is said to have run.
    """
    top = value(facts, "datasets.resolution")
    if top is None:
        return (Change(("datasets", 0, "resolution"), [512, 768]),)
    ran = value(facts, "said.size_ran") or 0
    lower = ran if 0 < ran < top else next_size(top)
    changes = [change for index, entry in view.datasets() for change in _lower_entry(index, entry, top, lower)]
    if not changes and top > SMALLEST:
        kept = [size for size in value(facts, "datasets.resolutions") or () if size < top]
        return (Change(("datasets", 0, "resolution"), kept or [lower]),)
    return tuple(changes)


def _lower_entry(index: int, entry: dict[str, Any], top: int, lower: int) -> Iterator[Change]:
    path = ("datasets", index, "resolution")
    written = entry.get("resolution")
    items = written if isinstance(written, list) else [written]
    numbers = [whole(item) for item in items]
    if top not in numbers:
        return
    rest = [item for item, number in zip(items, numbers, strict=True) if number != top]
    if rest:
        yield Change(path, rest, drop=next(i for i, n in zip(items, numbers, strict=True) if n == top))
    elif top > SMALLEST:
        yield Change(path, [lower] if isinstance(written, list) else lower)


def fewer_frames(facts: Facts, view: View, _tried: int) -> Changes:
    """The next lower count on the architecture's own grid, about a quarter fewer, in each dataset at the maximum."""
    frames = value(facts, "datasets.num_frames")
    if frames is None or frames <= 1:
        return ()
    lowered = on_own_grid(facts, frames * 3 // 4)
    if lowered >= frames:
        return ()
    at = [index for index, entry in view.datasets() if whole(entry.get("num_frames")) == frames]
    return tuple(Change(("datasets", index, "num_frames"), lowered) for index in at or [0])


def fewer_workers(facts: Facts, _view: View, _tried: int) -> Changes:
    """One loader worker fewer steps: 2 becomes 1, 1 becomes 0 (only the first dataset's number is read)."""
    workers = value(facts, "datasets.num_workers")
    return (Change(("datasets", 0, "num_workers"), 0 if workers == 1 else 1),) if workers != 0 else ()


def low_bit_weights(facts: Facts, _view: View, _tried: int) -> Changes:
    """The architecture's own accuracy recovery adapter of the fewest bits."""
    adapter = value(facts, "arch.low_bit_qtype")
    if adapter is None:
        return ()
    changes = [Change(("model", "qtype"), adapter)]
    if value(facts, "model.quantize") is not True:
        changes.insert(0, Change(("model", "quantize"), True))
    return tuple(changes)


def lower_rank(facts: Facts, view: View, _tried: int) -> Changes:
    """Half the rank under the key that is read, and alpha along with it where it is written."""
    rank = value(facts, "network.rank")
    if rank is None or rank <= 16:
        return ()
    written = view.get(("network",))
    network = written if isinstance(written, dict) else {"linear_alpha": rank}
    key = "linear" if network.get("rank") is None else "rank"
    alphas = [alpha for alpha in ("linear_alpha", "alpha") if (whole(network.get(alpha)) or 0) > 1][:1]
    return (
        Change(("network", key), rank // 2),
        *(Change(("network", alpha), (whole(network[alpha]) or rank) // 2) for alpha in alphas),
    )


MOVES: dict[str, Move] = {
    move.__name__: move
    for move in (
        lower_batch,
        drop_top_bucket,
        shrink_previews,
        cheaper_previews,
        fewer_frames,
        fewer_workers,
        low_bit_weights,
        lower_rank,
    )
}
