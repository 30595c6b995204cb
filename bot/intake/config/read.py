"""A config's facts as ai-toolkit itself would read them, defaults included.

Three shapes are told apart: a whole job or a process dump, where a missing key or section means the default; a fragment
of some sections, where a missing section is unknown; and loose keys without a parent, each read as of the section that
knows it. A text that is cut off is read like a fragment.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from bot.evidence import ConfigDocument, Misplaced
from bot.facts import Fact
from bot.intake.config.datasets import Entry, read_batch, read_datasets
from bot.intake.config.draft import Draft
from bot.intake.config.keys import Section, misplaced_keys
from bot.intake.config.model import read_model
from bot.intake.config.sample import read_sample
from bot.intake.config.switches import read_switches, torn_switch
from bot.intake.config.train import read_network, read_train
from bot.intake.model import arch_facts
from bot.knowledge.keys import Keys, keys_of
from bot.knowledge.load import Knowledge
from bot.yamledit.path import Path

_SECTIONS = ("train", "model", "datasets", "sample", "network", "save")
_NOT_TRAINING = {"extract", "generate", "mod", "caption", "other"}
_OTHER_BLOCKS = {"caption", "generate"}  # what jobs that do not train have instead of train: and datasets:
_MOST_DATASETS = 500
_SWITCHED = ("train", "model")


class _Layout(NamedTuple):
    """Where the sections of a document stand. `complete`: what is absent is a default; `known`: need not be read again."""

    shape: str
    root: Path
    sections: Mapping[str, tuple[Path, Mapping[str, Any]]]
    datasets: tuple[Entry, ...]
    complete: bool
    loose: bool
    known: frozenset[str] = frozenset()


def _without(layout: _Layout, before: ConfigDocument | None) -> _Layout:
    """With the sections named that are the same objects in the document before; others depend on each other."""
    if before is None:
        return layout
    process = _at(before.parsed.data, layout.root)
    old = process if isinstance(process, dict) else {}
    same = (
        name
        for name in ("model", "network", "sample")
        if name in layout.sections and layout.sections[name][1] is old.get(name)
    )
    return layout._replace(known=frozenset(same))


def config_facts(
    document: ConfigDocument, knowledge: Knowledge, before: ConfigDocument | None = None
) -> tuple[Mapping[str, Fact], tuple[Misplaced, ...]]:
    """The config.*, model.*, arch.*, network.*, train.*, datasets.*, sample.* facts, and keys that do nothing.

    `before` is the document that this one was made of by a change: sections that are still the very same are left out.
    """
    keys = keys_of(knowledge)
    layout = _layout(document, keys)
    draft = Draft(document)
    kind = _job_kind(document, layout, keys)
    _state_config(draft, document, layout, kind)
    if kind in _NOT_TRAINING:
        return draft.facts, ()
    _read_sections(draft, document, _without(layout, before), keys, knowledge)
    found = misplaced_keys(draft, _to_check(document, layout), layout.root, keys)
    if found:
        draft.facts["config.misplaced"] = Fact(tuple(one.path for one in found), "config", found[0].place)
        meant = tuple(dict.fromkeys(one.meant for one in found if one.meant))
        draft.facts["config.meant"] = Fact(meant, "config", found[0].place)
    read_switches(draft, _switched(layout), torn_switch(document, keys) if document.cut else None, keys)
    return draft.facts, found


def _switched(layout: _Layout) -> Iterator[Section]:
    """The sections that hold switches."""
    yield from ((name, *layout.sections[name]) for name in _SWITCHED if name in layout.sections)
    yield from (("datasets", *entry) for entry in layout.datasets)


def homes_of(document: ConfigDocument, knowledge: Knowledge) -> Mapping[str, str] | None:
    """The section of each key where keys stand without a parent ("" for a whole list); None where they have theirs."""
    layout = _layout(document, keys_of(knowledge))
    if not layout.loose:
        return None
    if isinstance(_at(document.parsed.data, document.root), list):
        return {"": "datasets"}
    of_datasets = {key: "datasets" for _, values in layout.datasets for key in values}
    return of_datasets | {key: name for name, (_, values) in layout.sections.items() for key in values}


def _read_sections(draft: Draft, document: ConfigDocument, layout: _Layout, keys: Keys, knowledge: Knowledge) -> None:
    defaults = keys.defaults
    present = layout.sections
    absent: tuple[Path, Mapping[str, Any]] = (layout.root, {})
    trimmed = layout.complete and not layout.datasets  # a job always has datasets: the person left something out
    for name in ("train", "model", "network", "sample"):
        assumed = layout.complete and name != "network" and not (name == "sample" and trimmed)
        if name in layout.known or (name not in present and not assumed):
            continue
        path, values = present.get(name, absent)
        if name == "train":
            read_train(draft, values, path, keys.plain["train"])
        elif name == "model":
            read_model(draft, values, path, knowledge.families, assume=layout.complete)
        elif name == "network":
            read_network(draft, values, path, defaults["network"])
        else:
            read_sample(draft, values, path, defaults["sample"])
    read_datasets(draft, layout.datasets, defaults["datasets"])
    read_batch(draft, layout.datasets)
    if layout.sections and layout.loose:  # lines picked out of their sections: what is absent may stand there
        draft.facts = {name: fact for name, fact in draft.facts.items() if fact.origin != "default"}
    if document.cut:
        _forget_torn(draft, _at(document.parsed.data, layout.root))
    known = draft.facts.get("arch.known")
    draft.facts |= arch_facts(draft.facts, knowledge.families)
    if known is not None:
        draft.facts["arch.known"] = known


def _forget_torn(draft: Draft, process: Any) -> None:
    """Without the defaults of the last section of a text that is cut off: its missing keys may stand in the lost part."""
    if isinstance(process, dict) and process:
        torn = f"{list(process)[-1]}."
        for name in [name for name, fact in draft.facts.items() if name.startswith(torn) and fact.origin == "default"]:
            del draft.facts[name]


def _layout(document: ConfigDocument, keys: Keys) -> _Layout:
    process = _at(document.parsed.data, document.root)
    root = document.root
    if isinstance(process, list):
        return _Layout("fragment", root, {}, _entries(process, root), False, True)
    if not isinstance(process, dict):
        return _Layout("fragment", root, {}, (), False, False)
    sections = {name: ((*root, name), value) for name in _SECTIONS if isinstance(value := process.get(name), dict)}
    listed = process.get("datasets")
    datasets = _entries(listed, (*root, "datasets")) if isinstance(listed, list) else ()
    parts = len(sections) + bool(datasets)
    whole = bool(root) or parts >= 4 or ("type" in process and bool(parts or process.keys() & _OTHER_BLOCKS))
    if not sections and not datasets and not whole:
        return _loose(process, root, keys)
    shape = "job" if root else "process" if whole else "fragment"
    return _Layout(shape, root, sections, datasets, whole and not document.cut, False)


def _loose(values: Mapping[str, Any], root: Path, keys: Keys) -> _Layout:
    """Keys without a parent: each goes to the section most of them belong to, or else to the one that knows it."""
    best = keys.section_of(values)
    parts: dict[str, dict[str, Any]] = {}
    for key, value in values.items():
        owners = [name for name, known in keys.known.items() if key in known and name != "process"]
        if owners:
            parts.setdefault(best if best in owners else owners[0], {})[key] = value
    datasets = ((root, parts.pop("datasets")),) if "datasets" in parts else ()
    return _Layout("fragment", root, {name: (root, part) for name, part in parts.items()}, datasets, False, True)


def _entries(listed: list[Any], path: Path) -> tuple[Entry, ...]:
    return tuple(((*path, index), item) for index, item in enumerate(listed[:_MOST_DATASETS]) if isinstance(item, dict))


def _at(data: Any, path: Path) -> Any:
    for part in path:
        if isinstance(part, int):
            data = data[part] if isinstance(data, list) and part < len(data) else None
        else:
            data = data.get(part) if isinstance(data, dict) else None
    return data


def _job_kind(document: ConfigDocument, layout: _Layout, keys: Keys) -> str:
    process = _at(document.parsed.data, layout.root)
    written = process.get("type") if isinstance(process, dict) and not layout.loose else None
    job = document.parsed.data.get("job") if isinstance(document.parsed.data, dict) else None
    by_job = keys.jobs.get(job, "other") if isinstance(job, str) else "train"
    if by_job != "train" or not isinstance(written, str):
        return by_job
    return keys.types.get(written, "train")


def _state_config(draft: Draft, document: ConfigDocument, layout: _Layout, kind: str) -> None:
    present = {name for name in layout.sections if layout.sections[name][1]} | (
        {"datasets"} if layout.datasets else set()
    )
    draft.derived("config.present", True)
    draft.derived("config.shape", layout.shape)
    draft.derived("config.sections", tuple(name for name in _SECTIONS if name in present))
    draft.derived("config.training", kind not in _NOT_TRAINING)
    draft.derived("config.job_kind", kind)
    draft.derived("config.cut", document.cut)
    draft.derived("config.repaired", bool(document.repairs))
    name = _at(document.parsed.data, ("config", "name"))
    if isinstance(name, str):
        draft.written("config.name", name, ("config", "name"))


def _to_check(document: ConfigDocument, layout: _Layout) -> Iterator[Section]:
    if layout.loose:
        return
    data = document.parsed.data
    for path in dict.fromkeys(((), layout.root[:1], layout.root)):
        values = _at(data, path)
        if isinstance(values, dict):
            yield "process", path, values
    for name, (path, values) in layout.sections.items():
        yield name, path, values
    for path, values in layout.datasets:
        yield "datasets", path, values
