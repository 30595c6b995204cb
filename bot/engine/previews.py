"""Cheaper previews: fewer frames, smaller pictures, less often, wherever a config says so: the block, a sample, a prompt."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple, Self

from bot.engine.change import SMALLEST, Change, Changes, Told, next_size, on_own_grid
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
        fewer = 1 if value(facts, "datasets.video") is False else on_own_grid(facts, frames // 2)
        larger_than_trained = max(width or 0, height or 0) > max(
            value(facts, "datasets.resolution") or 0, PREVIEW_SIZES[1]
        )
        if value(facts, "datasets.video") and larger_than_trained:
            return _lowered(view, _Asked(width, height, frames), next_size(max(width, height), PREVIEW_SIZES), fewer)
        return _lowered(view, _Asked(0, 0, frames), 0, fewer)
    if width is None or height is None:
        return (Change(("sample", "width"), SMALLEST), Change(("sample", "height"), SMALLEST))
    longest = max(width, height)
    if longest <= SMALLEST:
        return (Change(("train", "disable_sampling"), True),)
    return _lowered(view, _Asked(width, height, 1), next_size(longest, PREVIEW_SIZES), 1)


class _Asked(NamedTuple):
    """The size that a preview asks for; 0 where it is not to change."""

    width: int
    height: int
    num_frames: int

    def lowered(self, longest: int, frames: int) -> Self:
        """Its shape kept, the longer side at most `longest`; at most `frames` frames."""
        most = max(self.width, self.height)
        if most <= longest or not longest:
            return self._replace(num_frames=min(self.num_frames, frames))
        width, height = (_snapped(side * longest / most) for side in (self.width, self.height))
        return self._replace(width=width, height=height, num_frames=min(self.num_frames, frames))


def _snapped(size: float) -> int:
    """A multiple of 32, the coarsest bucket divisibility of any architecture (toolkit/buckets.py)."""
    return max(256, int(size) // 32 * 32)


def _lowered(view: View, largest: _Asked, longest: int, frames: int) -> Changes:
    """The block's own values, and every sample and every prompt that asks for more than is left.

    What the block does not say it has from the toolkit; `largest`, what the heaviest preview asks for, stands in for it
    where no preview has a size of its own.
    """
    written = view.get(("sample",))
    block: Mapping[str, Any] = written if isinstance(written, dict) else {}
    base = _asked(block, largest)
    own: list[Change] = []
    for path, sample in _samples(view):
        asked = _asked(sample, base)
        own += _written(path, sample, asked, asked.lowered(longest, frames))
        own += _inline((*path, "prompt"), sample.get("prompt"), asked, longest, frames)
    for path, prompt in _prompts(view):
        own += _inline(path, prompt, base, longest, frames)
    keys = _Asked._fields if not own and block.keys().isdisjoint(_Asked._fields) else tuple(block)
    return (*_written(("sample",), keys, base, base.lowered(longest, frames)), *own)


def _asked(values: Mapping[str, Any], base: _Asked) -> _Asked:
    """What a block or a sample asks for, with what it inherits."""
    return _Asked(
        *(
            whole(values.get(key)) or inherited if inherited else 0
            for key, inherited in zip(_Asked._fields, base, strict=True)
        )
    )


def _written(path: Path, keys: Collection[str], asked: _Asked, lowered: _Asked) -> Iterator[Change]:
    """A change for each key that is there and goes down."""
    for key, old, new in zip(_Asked._fields, asked, lowered, strict=True):
        if key in keys and new < old:
            yield Change((*path, key), new)


def _inline(path: Path, prompt: Any, base: _Asked, longest: int, frames: int) -> Iterator[Change]:
    """A prompt that carries its own size (`--w 1536`): the same prompt with the smaller numbers."""
    words = prompt.split(" ") if isinstance(prompt, str) and "--" in prompt else []
    flags = {_FLAGS[word]: at + 1 for at, word in enumerate(words[:-1]) if word in _FLAGS and whole(words[at + 1])}
    asked = _asked({key: words[at] for key, at in flags.items()}, base)
    told: list[Told] = []
    for key, old, new in zip(_Asked._fields, asked, asked.lowered(longest, frames), strict=True):
        if key in flags and new < old:
            told.append(Told(key, old, new))
            words[flags[key]] = str(new)
    if told:
        yield Change(path, " ".join(words), told=told[0])


def _samples(view: View) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    samples = view.get(("sample", "samples"))
    for index, sample in enumerate(samples if isinstance(samples, list) else []):
        if isinstance(sample, dict):
            yield ("sample", "samples", index), sample


def _prompts(view: View) -> Iterator[tuple[Path, str]]:
    """Plain prompts; `samples` wins over them."""
    if isinstance(view.get(("sample", "samples")), list):
        return
    prompts = view.get(("sample", "prompts"))
    for index, prompt in enumerate(prompts if isinstance(prompts, list) else []):
        if isinstance(prompt, str):
            yield ("sample", "prompts", index), prompt
