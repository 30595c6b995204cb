"""Cheaper previews: fewer frames, smaller pictures, less often, wherever a config says so: the block, a sample, a prompt."""

from collections.abc import Iterator, Mapping

from bot.engine.change import SMALLEST, Change, Changes, Told, next_size, on_grid
from bot.engine.config_view import View
from bot.evidence import value
from bot.facts import Facts
from bot.intake.config.values import whole
from bot.yamledit.path import Path

# The UI's own preview size, and the two below it (ui/src/app/jobs/new/jobConfig.ts).
PREVIEW_SIZES = (1024, 768, SMALLEST)
# What "Sample Every" is in a new UI job (ui/src/app/jobs/new/jobConfig.ts).
USUAL_INTERVAL = 250
# Flags inside of prompts (toolkit/config_modules.py, GenerateImageConfig).
_FLAGS = {"--w": "width", "--h": "height", "--frames": "num_frames", "--num_frames": "num_frames"}


def cheaper_previews(facts: Facts, view: View, tried: int) -> Changes:
    """For speed: previews less often, else smaller."""
    every = value(facts, "sample.every")
    if every is None or 0 < every < USUAL_INTERVAL:
        return (Change(("sample", "sample_every"), USUAL_INTERVAL),)
    return shrink_previews(facts, view, tried)


def shrink_previews(facts: Facts, view: View, _tried: int) -> Changes:
    """Fewer preview frames first (1 where the data are images), smaller as well where clips are larger than trained; else smaller previews, else none at all."""
    frames = value(facts, "sample.num_frames") or 1
    width, height = value(facts, "sample.width"), value(facts, "sample.height")
    if frames > 1:
        fewer = {"num_frames": (frames, 1 if value(facts, "datasets.video") is False else on_grid(facts, frames // 2))}
        larger_than_trained = max(width or 0, height or 0) > max(value(facts, "datasets.resolution") or 0, PREVIEW_SIZES[1])
        if value(facts, "datasets.video") and larger_than_trained:
            return tuple(_lowered(view, fewer | _smaller(width, height)))
        return tuple(_lowered(view, fewer))
    if width is None or height is None:
        return (Change(("sample", "width"), SMALLEST), Change(("sample", "height"), SMALLEST))
    if max(width, height) <= SMALLEST:
        return (Change(("train", "disable_sampling"), True),)
    return tuple(_lowered(view, _smaller(width, height)))


def _smaller(width: int, height: int) -> dict[str, tuple[int, int]]:
    """Each side's old and new size; the next lower size for the longer one, the shape kept."""
    longest = max(width, height)
    shrunk = next_size(longest, PREVIEW_SIZES)
    return {key: (size, _snapped(size * shrunk / longest)) for key, size in (("width", width), ("height", height))}


def _snapped(size: float) -> int:
    """A multiple of 32, the coarsest bucket divisibility of any architecture (toolkit/buckets.py)."""
    return max(256, int(size) // 32 * 32)


def _lowered(view: View, sizes: Mapping[str, tuple[int, int]]) -> Iterator[Change]:
    """The block's own values, every sample and every prompt that asks for more than the new ones (key: largest, new)."""
    samples = view.get(("sample", "samples"))
    inline = tuple(_inline(view, {key: new for key, (_, new) in sizes.items()}))
    for key, (largest, new) in sizes.items():
        overrides = [
            index
            for index, sample in enumerate(samples if isinstance(samples, list) else [])
            if isinstance(sample, dict) and (whole(sample.get(key)) or 0) > new
        ]
        written = whole(view.get(("sample", key)))
        if (written or largest) > new and not ((overrides or inline) and written is None):
            yield Change(("sample", key), new)
        yield from (Change(("sample", "samples", index, key), new) for index in overrides)
    yield from inline


def _inline(view: View, sizes: Mapping[str, int]) -> Iterator[Change]:
    """Prompts that carry their own size (`--w 1536`): the same prompt with the smaller numbers."""
    for path, prompt in _prompts(view):
        words = prompt.split(" ")
        told: list[Told] = []
        for index, word in enumerate(words[:-1]):
            key, number = _FLAGS.get(word, ""), whole(words[index + 1])
            if key in sizes and number and number > sizes[key]:
                told.append(Told(key, number, sizes[key]))
                words[index + 1] = str(sizes[key])
        if told:
            yield Change(path, " ".join(words), told=told[0])


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
