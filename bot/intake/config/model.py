"""The `model:` section: which architecture it is, and how its weights are held."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.intake.config.draft import Draft
from bot.intake.config.values import fraction
from bot.intake.model import state_family
from bot.knowledge.architectures import Arch
from bot.knowledge.families import Families
from bot.yamledit.path import Path

_DEFAULT_ARCH = "sd1"


class _Resolved(NamedTuple):
    """The architecture, whether the toolkit knows what was written, and the key that told (None: a default)."""

    arch: Arch | None
    known: bool
    key: str | None


def read_model(draft: Draft, model: Mapping[str, Any], path: Path, families: Families, *, assume: bool) -> None:
    """State the model.* and arch.* facts. `assume` is false where keys may have been left out of the paste."""
    name = model.get("name_or_path")
    if isinstance(name, str) and name:
        draft.written("model.name_or_path", name, (*path, "name_or_path"))
    resolved = _resolve(model, families, assume=assume)
    if resolved.arch is not None:
        key = None if resolved.key is None else (*path, resolved.key)
        draft.either("model.arch", resolved.arch.id, key)
        state_family(draft.facts, draft.facts["model.arch"], resolved.arch)
    if resolved.key == "arch":
        draft.written("arch.known", resolved.known, (*path, "arch"))
    _read_weights(draft, model, path, resolved.arch)
    _read_offloading(draft, model, path)
    _read_switches(draft, model, path)


def _resolve(model: Mapping[str, Any], families: Families, *, assume: bool) -> _Resolved:
    written = model.get("arch")
    name = model.get("name_or_path")
    named = families.of_repo(name) if isinstance(name, str) and name else None
    if isinstance(written, str) and written.strip():
        arch = families.arch(written.strip())
        if arch is not None:
            return _Resolved(_tagged(arch, named, written), True, "arch")
        return _Resolved(families.closest(written) or named, False, "arch")
    flag = families.of_flag(model)
    if flag is not None:
        return _Resolved(_tagged(flag[1], named, flag[1].id), True, flag[0])
    if named is not None:
        return _Resolved(named, True, "name_or_path")
    if assume and name is not None:
        return _Resolved(families.arch(_DEFAULT_ARCH), True, None)
    return _Resolved(None, True, None)


def _tagged(arch: Arch, named: Arch | None, written: str) -> Arch:
    """The variant that the weights' name tells, where the key was written without the UI's tag."""
    if named is None or ":" in written or named.code != arch.code:
        return arch
    return named


def _read_weights(draft: Draft, model: Mapping[str, Any], path: Path, arch: Arch | None) -> None:
    quantize = bool(model.get("quantize", False))
    draft.either("model.quantize", quantize, (*path, "quantize") if "quantize" in model else None)
    te_key = "quantize_te" if "quantize_te" in model else "quantize" if "quantize" in model else None
    draft.either(
        "model.quantize_te", bool(model.get("quantize_te", quantize)), None if te_key is None else (*path, te_key)
    )
    qtype = model.get("qtype")
    qtype = qtype if isinstance(qtype, str) and qtype else None
    bits, _, adapter = (qtype or "qfloat8").partition("|")
    place = (*path, "qtype") if qtype else None
    draft.either("model.qtype", bits, place)
    draft.either("model.ara", bool(adapter) or bool(model.get("accuracy_recovery_adapter")), place)
    honoured = arch is None or arch.can.qtype_te
    te_type = model.get("qtype_te") if honoured else qtype
    te_bits = te_type.partition("|")[0] if isinstance(te_type, str) and te_type else "qfloat8"
    te_place = ("qtype_te" if "qtype_te" in model else None) if honoured else ("qtype" if qtype else None)
    draft.either("model.qtype_te", te_bits, None if te_place is None else (*path, te_place))
    draft.either(
        "model.low_vram", bool(model.get("low_vram", False)), (*path, "low_vram") if "low_vram" in model else None
    )


def _read_offloading(draft: Draft, model: Mapping[str, Any], path: Path) -> None:
    key = next((key for key in ("layer_offloading", "auto_memory") if key in model), None)
    on = bool(model[key]) if key is not None else False
    draft.either("model.layer_offloading", on, None if key is None else (*path, key))
    for fact, share_key in (
        ("model.offload_transformer", "layer_offloading_transformer_percent"),
        ("model.offload_text_encoder", "layer_offloading_text_encoder_percent"),
    ):
        share = fraction(model[share_key]) if share_key in model else None
        effective = (1.0 if share is None else share) if on else 0.0
        draft.either(fact, effective, (*path, share_key) if share is not None else None)


def _read_switches(draft: Draft, model: Mapping[str, Any], path: Path) -> None:
    kwargs = model.get("model_kwargs")
    inner = kwargs if isinstance(kwargs, dict) else {}
    for key, default in (("match_target_res", False), ("train_high_noise", True), ("train_low_noise", True)):
        where = (*path, "model_kwargs", key) if key in inner else None
        draft.either(f"model.{key}", bool(inner.get(key, default)), where)
    lora = "assistant_lora_path"
    draft.either("model.assistant_lora", bool(model.get(lora)), (*path, lora) if lora in model else None)
    compiled = next((key for key in ("compile", "block_compile") if model.get(key)), None)
    draft.either("model.compile", compiled is not None, None if compiled is None else (*path, compiled))
