"""The `train:` and `network:` sections."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.intake.config.draft import Draft
from bot.intake.config.values import whole
from bot.knowledge.keys import PlainKey
from bot.yamledit.path import Path


def read_plain(draft: Draft, values: Mapping[str, Any], path: Path, keys: Sequence[PlainKey]) -> None:
    """State each fact that is read as it stands; a value of the wrong kind leaves it unknown."""
    for key, fact, kind, default in keys:
        if key not in values:
            draft.default(fact, default)
            continue
        value = _as(kind, values[key])
        if value is not None:
            draft.written(fact, value, (*path, key))


def _as(kind: str, value: Any) -> bool | int | str | None:
    if kind == "bool":
        return bool(value)
    if kind == "int":
        return whole(value)
    return value.lower() if isinstance(value, str) else None


def read_train(draft: Draft, train: Mapping[str, Any], path: Path, keys: Sequence[PlainKey]) -> None:
    """State the train.* facts; those that hang on the datasets too are stated with the datasets."""
    read_plain(draft, train, path, keys)
    _read_preservation(draft, train, path)
    cfg = next((key for key in ("do_cfg", "do_random_cfg") if train.get(key)), None)
    draft.either("train.do_cfg", cfg is not None, None if cfg is None else (*path, cfg))
    ema = train.get("ema_config")
    use_ema = ema.get("use_ema", False) if isinstance(ema, dict) else False
    written = isinstance(ema, dict) and "use_ema" in ema
    draft.either("train.use_ema", bool(use_ema), (*path, "ema_config", "use_ema") if written else None)
    validation = train.get("validation_config")
    on = isinstance(validation, dict) and bool(validation.get("validation_items", True))
    draft.either("train.validation", on, (*path, "validation_config") if on else None)
    cache = "cache_text_embeddings"
    draft.either(f"train.{cache}", bool(train.get(cache, False)), (*path, cache) if cache in train else None)


def _read_preservation(draft: Draft, train: Mapping[str, Any], path: Path) -> None:
    for word, key in (("dop", "diff_output_preservation"), ("bpp", "blank_prompt_preservation")):
        if train.get(key):
            draft.written("train.preservation", word, (*path, key))
            return
    draft.default("train.preservation", "none")


def read_network(draft: Draft, network: Mapping[str, Any], path: Path, defaults: Mapping[str, Any]) -> None:
    """State the network.* facts."""
    kind = network.get("type")
    written = isinstance(kind, str)
    draft.either(
        "network.type",
        kind.lower() if isinstance(kind, str) else defaults["type"],
        (*path, "type") if written else None,
    )
    key = next((key for key in ("rank", "linear") if network.get(key) is not None), None)
    rank = defaults["rank"] if key is None else whole(network[key])
    if rank is not None:
        draft.either("network.rank", rank, None if key is None else (*path, key))
