"""The mechanisms that compute new values from a config: halve a batch, drop a bucket, shrink previews, cut frames.

A move takes the facts and the view of the config and returns changes by process path, or nothing where there is
nothing left to lower. Which move belongs to which rule is data (`fix.move` in knowledge/rules).
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from bot.engine.config_view import View
from bot.evidence import value
from bot.facts import Facts
from bot.yamledit.path import Path


class Change(NamedTuple):
    """A new value at a path from the process root. `drop` is the list item to take out, where only that goes."""

    path: Path
    new: Any
    drop: Any = None


Changes = tuple[Change, ...]
Move = Callable[[Facts, View, int], Changes]

# The sizes the toolkit's UI offers below each other; 512 is its code default (toolkit/config_modules.py).
SIZES = (2048, 1536, 1280, 1024, 768, 512)
SMALLEST = 512
# The UI's own preview size, and the two below it (ui/src/app/jobs/new/jobConfig.ts).
PREVIEW_SIZES = (1024, 768, SMALLEST)


def lower_batch(facts: Facts, view: View, tried: int) -> Changes:
    """Half the batch (the floor on a second try); accumulation grows to keep the effective batch where that works."""
    batch = value(facts, "batch_size")
    floor = value(facts, "arch.batch_floor") or 1
    if batch is None:
        return (Change(("train", "batch_size"), 1),)
    if batch <= floor:
        return ()
    shared = (value(facts, "train.batch_size") or 1) if view.get(("datasets",)) else batch
    batches = [(index, _int(entry.get("batch_size")), _side(entry)) for index, entry in view.datasets()]
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
        less = floor if tried else max(floor, shared // 2)
        changes += [Change(("train", "batch_size"), less), *_accumulate(facts, view, shared, less)]
    return tuple(changes)


def _side(entry: dict[str, Any]) -> int:
    """The largest edge that a dataset is trained at; 512 is the toolkit's default."""
    sizes = entry.get("resolution")
    return max((side for side in map(_int, sizes if isinstance(sizes, list) else [sizes]) if side), default=SMALLEST)


def _accumulate(facts: Facts, view: View, batch: int, lowered: int) -> Changes:
    """Keep the effective batch. Not where only a lone fragment shows, and not beside per-dataset batches."""
    if value(facts, "datasets.batch_overrides") or not view.editable(("train", "gradient_accumulation")):
        return ()
    steps = value(facts, "train.gradient_accumulation") or 1
    changes = [Change(("train", "gradient_accumulation"), steps * batch // lowered)]
    if (value(facts, "train.gradient_accumulation_steps") or 1) != 1:
        # Both keys above 1 are refused by the toolkit (toolkit/config_modules.py); the legacy one does not accumulate.
        changes.append(Change(("train", "gradient_accumulation_steps"), 1))
    return tuple(changes)


def drop_top_bucket(facts: Facts, view: View, _tried: int) -> Changes:
    """Take the highest resolution out of every dataset that has it; a single one goes to the next lower size."""
    top = value(facts, "datasets.resolution")
    if top is None:
        return (Change(("datasets", 0, "resolution"), [512, 768], drop=None),)
    changes = [change for index, entry in view.datasets() for change in _lower_entry(index, entry, top)]
    if not changes and top > SMALLEST:
        kept = [size for size in value(facts, "datasets.resolutions") or () if size < top]
        return (Change(("datasets", 0, "resolution"), kept or [_next_size(top)]),)
    return tuple(changes)


def _lower_entry(index: int, entry: dict[str, Any], top: int) -> Iterator[Change]:
    path: Path = ("datasets", index, "resolution")
    written = entry.get("resolution")
    items = written if isinstance(written, list) else [written]
    numbers = [_int(item) for item in items]
    if top not in numbers:
        return
    rest = [item for item, number in zip(items, numbers, strict=True) if number != top]
    if rest:
        yield Change(path, rest, drop=next(i for i, n in zip(items, numbers, strict=True) if n == top))
    elif top > SMALLEST:
        lower = _next_size(top)
        yield Change(path, [lower] if isinstance(written, list) else lower)


def _next_size(size: int, sizes: tuple[int, ...] = SIZES) -> int:
    return next((lower for lower in sizes if lower < size), SMALLEST)


def shrink_previews(facts: Facts, view: View, _tried: int) -> Changes:
    """Fewer preview frames first (1 where the data are images), smaller as well where clips are larger than trained; else smaller previews, else none at all."""
    frames = value(facts, "sample.num_frames") or 1
    width, height = value(facts, "sample.width"), value(facts, "sample.height")
    if frames > 1:
        fewer = tuple(_preview_changes(view, "num_frames", frames, _preview_frames(facts, frames)))
        larger_than_trained = max(width or 0, height or 0) > max(value(facts, "datasets.resolution") or 0, PREVIEW_SIZES[1])
        if value(facts, "datasets.video") and larger_than_trained:
            return fewer + _smaller_pictures(view, width, height)
        return fewer
    if width is None or height is None:
        return (Change(("sample", "width"), SMALLEST), Change(("sample", "height"), SMALLEST))
    if max(width, height) <= SMALLEST:
        return (Change(("train", "disable_sampling"), True),)
    return _smaller_pictures(view, width, height)


def _smaller_pictures(view: View, width: int, height: int) -> Changes:
    longest = max(width, height)
    shrunk = _next_size(longest, PREVIEW_SIZES)
    changes: list[Change] = []
    for key, size in (("width", width), ("height", height)):
        changes += _preview_changes(view, key, size, _snapped(size * shrunk / longest))
    return tuple(changes)


def _snapped(size: float) -> int:
    """A multiple of 32, the coarsest bucket divisibility of any architecture (toolkit/buckets.py)."""
    return max(256, int(size) // 32 * 32)


def _preview_frames(facts: Facts, frames: int) -> int:
    if value(facts, "datasets.video") is False:
        return 1
    return _on_grid(facts, frames // 2)


def _preview_changes(view: View, key: str, largest: int, new: int) -> Iterator[Change]:
    """The block's own value and every sample that asks for more than the new one."""
    samples = view.get(("sample", "samples"))
    overrides = [
        index
        for index, sample in enumerate(samples if isinstance(samples, list) else [])
        if isinstance(sample, dict) and (_int(sample.get(key)) or 0) > new
    ]
    written = _int(view.get(("sample", key)))
    if (written or largest) > new and not (overrides and written is None):
        yield Change(("sample", key), new)
    for index in overrides:
        yield Change(("sample", "samples", index, key), new)
    yield from _inline_changes(view, key, new)


_FLAGS = {"width": ("w",), "height": ("h",), "num_frames": ("frames", "num_frames")}


def _inline_changes(view: View, key: str, new: int) -> Iterator[Change]:
    """Prompts that carry their own size (`--w 1536`): the same prompt with the smaller number."""
    for path, prompt in _prompts(view):
        words = prompt.split(" ")
        changed = list(words)
        for index, word in enumerate(words[:-1]):
            number = _int(words[index + 1])
            if word.removeprefix("--") in _FLAGS[key] and word.startswith("--") and number and number > new:
                changed[index + 1] = str(new)
        if changed != words:
            yield Change(path, " ".join(changed))


def _prompts(view: View) -> Iterator[tuple[Path, str]]:
    samples = view.get(("sample", "samples"))
    if isinstance(samples, list):
        for index, sample in enumerate(samples):
            if isinstance(sample, dict) and isinstance(sample.get("prompt"), str):
                yield ("sample", "samples", index, "prompt"), sample["prompt"]
        return
    prompts = view.get(("sample", "prompts"))
    for index, prompt in enumerate(prompts if isinstance(prompts, list) else []):
        if isinstance(prompt, str):
            yield ("sample", "prompts", index), prompt


# What "Sample Every" is in a new UI job (ui/src/app/jobs/new/jobConfig.ts).
USUAL_INTERVAL = 250


def cheaper_previews(facts: Facts, view: View, tried: int) -> Changes:
    """For speed: previews less often, else smaller."""
    every = value(facts, "sample.every")
    if every is None or 0 < every < USUAL_INTERVAL:
        return (Change(("sample", "sample_every"), USUAL_INTERVAL),)
    return shrink_previews(facts, view, tried)


def fewer_frames(facts: Facts, view: View, _tried: int) -> Changes:
    """The next lower count on the architecture's own grid, about a quarter fewer, in each dataset at the maximum."""
    frames = value(facts, "datasets.num_frames")
    if frames is None or frames <= 1:
        return ()
    lowered = _on_grid(facts, frames * 3 // 4)
    if lowered >= frames:
        return ()
    at = [index for index, entry in view.datasets() if _int(entry.get("num_frames")) == frames]
    return tuple(Change(("datasets", index, "num_frames"), lowered) for index in at or [0])


def _on_grid(facts: Facts, frames: int) -> int:
    """The largest count of the architecture's grid (n * step + base) that is not above `frames`, and at least base."""
    step, base = value(facts, "arch.frame_step") or 4, value(facts, "arch.frame_base") or 1
    return int(base if frames <= base else (frames - base) // step * step + base)


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


def lower_rank(facts: Facts, _view: View, _tried: int) -> Changes:
    """Half the rank, alpha along with it."""
    rank = value(facts, "network.rank")
    if rank is None or rank <= 16:
        return ()
    return (Change(("network", "linear"), rank // 2), Change(("network", "linear_alpha"), rank // 2))


def _int(written: Any) -> int | None:
    if isinstance(written, bool):
        return None
    if isinstance(written, int):
        return written
    if isinstance(written, float) and written.is_integer():
        return int(written)
    return int(written) if isinstance(written, str) and written.strip().isdecimal() and len(written) < 10 else None


MOVES: dict[str, Move] = {
    move.__name__: move
    for move in (
        lower_batch, drop_top_bucket, shrink_previews, cheaper_previews, fewer_frames, fewer_workers, low_bit_weights,
        lower_rank,
    )
}
