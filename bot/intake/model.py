"""The model a paste is about: weighing config, prose and log, and what its architecture can do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.facts import Fact, Facts, Origin, Place
from bot.intake.text.clean import Line
from bot.knowledge.architectures import Arch, Family, low_bit_qtype
from bot.knowledge.families import Families
from bot.knowledge.load import Knowledge

_NAMED = ("model.arch", "model.family", "model.kind")
_HEAD, _TAIL = 4000, 400
_SIMPLE = (
    "low_vram", "layer_offloading", "quantize", "qtype_te", "match_target_res", "controls_fixed_area",
    "unload_text_encoder", "cache_latents", "preview_frames", "tiled_preview", "large_text_encoder",
)  # fmt: skip


def state_family(facts: dict[str, Fact], told: Fact, arch: Arch) -> None:
    """The family and kind of an architecture, from where the architecture was told."""
    facts["model.family"] = told._replace(value=arch.family)
    facts["model.kind"] = told._replace(value=arch.kind)


@lru_cache(maxsize=128)
def _arch_facts(arch: Arch) -> Mapping[str, Fact]:
    can = {name: getattr(arch.can, name) for name in (*_SIMPLE, "stated_gib", "frames", "adapters")}
    return {"arch.known": Fact(True, "derived")} | _can_facts(can)


@lru_cache(maxsize=64)
def _shared_facts(family: Family) -> Mapping[str, Fact]:
    return _can_facts(family.agreed())


def _can_facts(can: Mapping[str, object]) -> dict[str, Fact]:
    values = {f"arch.{name}": can[name] for name in _SIMPLE if name in can}
    frames, adapters = can.get("frames"), can.get("adapters")
    if isinstance(frames, tuple):
        values |= {"arch.frame_step": frames[0], "arch.frame_base": frames[1]}
    if isinstance(adapters, Mapping):
        values["arch.low_bit"] = tuple(sorted(adapters))
        values["arch.low_bit_qtype"] = low_bit_qtype(min(adapters), adapters[min(adapters)])
    if can.get("stated_gib") is not None:
        values["arch.stated_gib"] = can["stated_gib"]
    return {name: Fact(value, "derived") for name, value in values.items()}  # type: ignore[arg-type]


def _risk_facts(family: Family) -> dict[str, Fact]:
    floor = {"arch.batch_floor": Fact(family.risk.batch_floor if family.risk else 1, "derived")}
    if family.risk is None:
        return floor
    return floor | {
        "arch.risk_resolution": Fact(family.risk.resolution, "derived"),
        "arch.risk_batch": Fact(family.risk.batch, "derived"),
    }


def arch_facts(named: Facts, families: Families) -> dict[str, Fact]:
    """The arch.* facts for the model.arch or, where only the family is known, what all of its architectures share."""
    facts: dict[str, Fact] = {}
    told = named.get("model.arch")
    arch = families.arch(str(told.value)) if told else None
    family_told = named.get("model.family")
    family = families.family(str(family_told.value)) if family_told else None
    if arch is not None:
        facts |= _arch_facts(arch)
    elif family is not None:
        facts |= _shared_facts(family)
    if family is not None:
        facts |= _risk_facts(family)
    return facts


def settle_model(sources: Sequence[Facts], families: Families) -> dict[str, Fact]:
    """The model.arch, model.family, model.kind and arch.* facts from several readings, the most trusted first.

    The first that names an architecture or a family decides; a later one may only add the architecture within that
    family. A config's default architecture (no key tells) gives way to any reading that has a name, and a family whose
    log lines others print as well to the one of those that is named.
    """
    told = [source for source in sources if "model.family" in source]
    told.sort(key=lambda source: source["model.family"].origin == "default")
    if not told:
        return {}
    first = next((one for one in told if _is_over(one, told[0], families)), told[0])
    family = first["model.family"].value
    best = next((one for one in told if "model.arch" in one and one["model.family"].value == family), first)
    settled = {name: best[name] for name in _NAMED if name in best}
    known = {"arch.known": first["arch.known"]} if "arch.known" in first else {}
    return settled | arch_facts(settled, families) | known


def _is_over(one: Facts, first: Facts, families: Families) -> bool:
    """Whether a family prints the log lines from which the first was concluded."""
    concluded, family = first["model.family"], families.family(str(one["model.family"].value))
    return concluded.origin == "log" and family is not None and family.over == concluded.value


def log_model(source: int, lines: Sequence[Line], knowledge: Knowledge) -> dict[str, Fact]:
    """The model.arch, model.family and model.kind facts (origin `log`) that the lines of a log tell for certain.

    Only the first and last lines of a long log are read. Where lines of several families are seen, the last one counts,
    unless one family is known to print another's lines as well.
    """
    ends = lines if len(lines) <= _HEAD + _TAIL else (*lines[:_HEAD], *lines[-_TAIL:])
    hits = _log_hits([line.text for line in ends], knowledge.families)
    if not hits:
        return {}
    families = knowledge.families.families
    over = {families[hit.family].over for hit in hits}
    last = max((hit for hit in hits if hit.family not in over), key=lambda hit: hit.index, default=hits[-1])
    line = ends[last.index]
    place = Place(source, line.number, line.text.strip()[:160])
    of_family = [hit.arch for hit in hits if hit.family == last.family and hit.arch is not None]
    arch = next((arch for arch in of_family if ":" in arch.id), of_family[-1] if of_family else None)
    return named_facts(families[last.family], arch, "log", place)


@dataclass(frozen=True, slots=True)
class _Hit:
    index: int
    family: str
    arch: Arch | None


def _log_hits(texts: Sequence[str], families: Families) -> list[_Hit]:
    text = "\n".join(texts).replace("\\", "/")
    hits = []
    for needle, family, arch in families.log_needles:
        at = text.rfind(needle)
        if at >= 0 and (" " not in needle or not _runs_on(text, at + len(needle))):
            hits.append(_Hit(text.count("\n", 0, at), family, arch))
    return sorted(hits, key=lambda hit: hit.index)


def _runs_on(text: str, at: int) -> bool:
    """Whether the word goes on: `Loading Qwen3` in `Loading Qwen3-VL text encoder` is another line."""
    return at < len(text) and (text[at].isalnum() or text[at] in "_-")


def named_facts(family: Family, arch: Arch | None, origin: Origin, place: Place | None) -> dict[str, Fact]:
    """The model.family, model.kind and, where told, model.arch facts of a model that was named."""
    facts = {
        "model.family": Fact(family.slug, origin, place),
        "model.kind": Fact(arch.kind if arch else family.kind, origin, place),
    }
    if arch is not None:
        facts["model.arch"] = Fact(arch.id, origin, place)
    return facts
