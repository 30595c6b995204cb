"""The `datasets:` list, and what its entries override of `train:`."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.intake.config.draft import Draft
from bot.intake.config.values import sizes, whole
from bot.yamledit.path import Path

Entry = tuple[Path, Mapping[str, Any]]
_CACHES = ("cache_latents_to_disk", "cache_latents")
_CONTROLS = ("control_path", "control_path_1", "control_path_2", "control_path_3")


def read_datasets(draft: Draft, entries: Sequence[Entry], defaults: Mapping[str, Any]) -> None:
    """State the datasets.* facts and what the entries change of train.* (`batch_size`, cached text embeddings)."""
    if not entries:
        return
    draft.written("datasets.count", len(entries), entries[0][0][:-1] or entries[0][0])
    _read_resolution(draft, entries, defaults["resolution"])
    _read_frames(draft, entries, defaults["num_frames"])
    _read_caching(draft, entries)
    counted = [(_controls(values), path) for path, values in entries]
    most, path = max(counted, key=lambda pair: pair[0])
    key = next((key for key in _CONTROLS if key in dict(entries)[path]), None)
    draft.either("datasets.controls", most, (*path, key) if most and key else None)
    first_path, first = entries[0]
    workers = whole(first.get("num_workers"))
    where = None if workers is None else (*first_path, "num_workers")
    draft.either("datasets.num_workers", defaults["num_workers"] if workers is None else workers, where)


def read_batch(draft: Draft, entries: Sequence[Entry]) -> None:
    """State the largest effective batch: an entry's own batch_size overrides train's."""
    trained = draft.facts.get("train.batch_size")
    own = [(batch, path) for path, values in entries if (batch := whole(values.get("batch_size")))]
    if entries:
        draft.either("datasets.batch_overrides", bool(own), (*own[0][1], "batch_size") if own else None)
    largest, path = max(own, key=lambda pair: pair[0], default=(0, None))
    uses_train = not entries or len(own) < len(entries)
    if trained is not None and uses_train and (path is None or int(str(trained.value)) > largest):
        draft.facts["batch_size"] = trained
    elif path is not None:
        draft.written("batch_size", largest, (*path, "batch_size"))


def _read_resolution(draft: Draft, entries: Sequence[Entry], default: int) -> None:
    every: set[int] = set()
    largest, where = 0, None
    for path, values in entries:
        found = sizes(values["resolution"]) if "resolution" in values else (default,)
        every.update(found)
        if found and max(found) > largest:
            largest, where = max(found), (*path, "resolution") if "resolution" in values else None
    if largest:
        draft.either("datasets.resolution", largest, where)
        draft.either("datasets.resolutions", tuple(sorted(every)), where)


def _read_frames(draft: Draft, entries: Sequence[Entry], default: int) -> None:
    counted = [(whole(values.get("num_frames")) or default, path) for path, values in entries]
    most, path = max(counted, key=lambda pair: pair[0])
    written = "num_frames" in dict(entries)[path]
    draft.either("datasets.num_frames", most, (*path, "num_frames") if written else None)
    auto = next((path for path, values in entries if values.get("auto_frame_count")), None)
    draft.either("datasets.auto_frame_count", auto is not None, None if auto is None else (*auto, "auto_frame_count"))
    video = most > 1 or auto is not None
    key = "num_frames" if most > 1 else "auto_frame_count"
    draft.either("datasets.video", video, (*(path if most > 1 else auto or path), key) if video else None)


def _read_caching(draft: Draft, entries: Sequence[Entry]) -> None:
    uncached = next((entry for entry in entries if not _caches_latents(entry[1])), None)
    path, values = uncached or entries[0]
    key = next((key for key in _CACHES if key in values), None)
    draft.either("datasets.cache_latents", uncached is None, None if key is None else (*path, key))
    in_ram = next((path for path, values in entries if values.get("cache_latents")), None)
    draft.either(
        "datasets.cache_latents_ram", in_ram is not None, None if in_ram is None else (*in_ram, "cache_latents")
    )
    embeds = next((path for path, values in entries if values.get("cache_text_embeddings")), None)
    if embeds is not None:
        draft.written("train.cache_text_embeddings", True, (*embeds, "cache_text_embeddings"))


def _caches_latents(values: Mapping[str, Any]) -> bool:
    """Augmentations switch latent caching off, whatever the keys say."""
    return any(values.get(key) for key in _CACHES) and not (values.get("augmentations") or values.get("augments"))


def _controls(values: Mapping[str, Any]) -> int:
    first = values.get("control_path")
    listed = sum(bool(item) for item in first[:20]) if isinstance(first, list) else int(bool(first))
    return listed + sum(bool(values.get(key)) for key in _CONTROLS[1:])
