"""The `sample:` section: what a preview really renders, over the block, its samples and flags inside prompts."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.intake.config.draft import Draft
from bot.intake.config.values import whole
from bot.yamledit.path import Path

_FLAG = re.compile(r"--(w|h|frames|num_frames|ctrl_img(?:_[123])?)[ =]{1,3}(\S{1,300})")
_SIZES = {"w": "width", "h": "height", "frames": "num_frames", "num_frames": "num_frames"}
_CONTROLS = ("ctrl_img", "ctrl_img_1", "ctrl_img_2", "ctrl_img_3")
_OWN = frozenset((*_CONTROLS, "width", "height", "num_frames"))
_MOST = 200


class _Preview(NamedTuple):
    """One preview: its sizes that override the block, each with its path, and how many control images it has."""

    sizes: Mapping[str, tuple[int, Path]]
    controls: int


_PLAIN = _Preview({}, 0)  # most previews have nothing of their own


def read_sample(draft: Draft, sample: Mapping[str, Any], path: Path, defaults: Mapping[str, Any]) -> None:
    """State the sample.* facts."""
    key, listed = _listed(sample)
    previews = [_preview(item, (*path, key or "", index)) for index, item in enumerate(listed[:_MOST])]
    own = [made for made in previews if made is not _PLAIN]
    bare = len(own) < max(len(previews), 1)  # some preview, or the one there always is, takes the block's size
    for name in ("width", "height", "num_frames"):
        written = whole(sample.get(name))
        block = (defaults[name], None) if written is None else (written, (*path, name))
        value, where = max([*([block] if bare else []), *(one.sizes.get(name, block) for one in own)], key=_size)
        draft.either(f"sample.{name}", value, where)
    for fact, name in (("sample.steps", "sample_steps"), ("sample.every", "sample_every")):
        number = whole(sample[name] or 0) if name in sample else None
        draft.either(fact, defaults[name] if number is None else number, None if number is None else (*path, name))
    draft.either("sample.prompts", len(listed), (*path, key) if key else None)
    draft.either("sample.controls", max((one.controls for one in own), default=0), (*path, key) if key else None)
    draft.either("sample.overrides", any(one.sizes for one in own), (*path, key) if key else None)


def _listed(sample: Mapping[str, Any]) -> tuple[str | None, list[Any]]:
    """The list that is rendered: `samples` wins over `prompts`."""
    for key in ("samples", "prompts"):
        listed = sample.get(key)
        if isinstance(listed, list):
            return key, listed
    return None, []


def _preview(item: Any, path: Path) -> _Preview:
    if isinstance(item, str):
        return _flagged({}, item, path, 0)
    if not isinstance(item, dict) or (item.keys().isdisjoint(_OWN) and "--" not in str(item.get("prompt"))[:4000]):
        return _PLAIN
    own = {
        name: (number, (*path, name)) for name in ("width", "height", "num_frames") if (number := whole(item.get(name)))
    }
    controls = sum(bool(item.get(key)) for key in _CONTROLS)
    prompt = item.get("prompt")
    return _flagged(own, prompt if isinstance(prompt, str) else "", (*path, "prompt"), controls)


def _flagged(own: Mapping[str, tuple[int, Path]], prompt: str, path: Path, controls: int) -> _Preview:
    """Flags inside a prompt override everything else."""
    if "--" not in prompt:
        return _Preview(own, controls) if own or controls else _PLAIN
    found = dict(own)
    for flag, value in _FLAG.findall(prompt[:4000]):
        number = whole(value)
        if flag in _SIZES and number:
            found[_SIZES[flag]] = (number, path)
        elif flag not in _SIZES:
            controls += 1
    return _Preview(found, controls)


def _size(found: tuple[int, Path | None]) -> int:
    return found[0]
