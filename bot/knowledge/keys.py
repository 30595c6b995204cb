"""knowledge/keys.yaml: which keys ai-toolkit reads in which section, and their defaults."""

import difflib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from bot.facts import FACTS, FactType
from bot.knowledge.reading import read_as
from bot.knowledge.record import NONE, Check, Record
from bot.knowledge.spelling import squeeze

if TYPE_CHECKING:
    from bot.knowledge.folder import DataFolder

JobKind = Literal["train", "extract", "generate", "mod", "caption", "slider", "other"]
SectionName = Literal["process", "train", "model", "network", "datasets", "sample", "save"]


def _parted(text: object) -> list[str]:
    if not isinstance(text, str):
        raise ValueError("words with blanks between them")  # noqa: TRY004 pydantic takes this one as a complaint
    return text.split()


Words = Annotated[frozenset[str], Check(_parted, first=True)]
_NEAR = 0.86  # below it unlike keys meet: cache_clip_vision_to_disk and cache_latents_to_disk are 0.72


class _SectionEntry(Record):
    known: Words
    watched: Words = frozenset()
    switches: Words = frozenset()
    inside: Mapping[str, str] = NONE
    instead: Mapping[str, str] = NONE
    defaults: Mapping[str, bool | int | float | str] = NONE


class _JobKinds(Record):
    jobs: dict[str, JobKind]
    types: dict[str, JobKind]


class _File(Record):
    sections: dict[SectionName, _SectionEntry]
    job_kinds: _JobKinds


class PlainKey(NamedTuple):
    """A key that is read as it stands: the fact it states, the fact's type, and the toolkit's default."""

    key: str
    fact: str
    type: FactType
    default: bool | int | float | str


class Keys(NamedTuple):
    """Known keys by section, where a watched key belongs, defaults, those of the defaults that are read plainly, and switches."""

    known: Mapping[str, frozenset[str]]
    watched: Mapping[str, Mapping[str, str]]
    belongs: Mapping[str, str]
    deeper: Mapping[str, Mapping[str, str]]
    defaults: Mapping[str, Mapping[str, Any]]
    plain: Mapping[str, tuple[PlainKey, ...]]
    jobs: Mapping[str, JobKind]
    types: Mapping[str, JobKind]
    switches: frozenset[str]

    def meant(self, section: str, key: str) -> str | None:
        """Where a key that `section` does not know was meant to stand (`train.batch_size`), or None: leave it alone."""
        squeezed = squeeze(key)
        here = self.watched[section].get(squeezed)
        if here is not None:
            return f"{section}.{here}"
        if squeezed in self.belongs:
            return self.belongs[squeezed]
        near = difflib.get_close_matches(squeezed, self.watched[section], n=1, cutoff=_NEAR)
        return f"{section}.{self.watched[section][near[0]]}" if near else None

    def section_of(self, keys: Mapping[str, Any]) -> str | None:
        """The section that most of the keys of a mapping without a parent belong to, or None."""
        counts = {name: sum(key in known for key in keys) for name, known in self.known.items() if name != "process"}
        best = max(counts, key=lambda name: counts[name])
        return best if counts[best] else None


def _meant_by_spelling(entry: _SectionEntry) -> dict[str, str]:
    deeper = {squeeze(key): f"{parent}.{key}" for key, parent in entry.inside.items()}
    spelled = {squeeze(key): key for key in entry.watched}
    return deeper | spelled | {squeeze(key): meant for key, meant in entry.instead.items()}


def _plain_keys(section: str, entry: _SectionEntry) -> Iterator[PlainKey]:
    for key, default in entry.defaults.items():
        spec = FACTS.get(f"{section}.{key}")
        if spec is not None:
            yield PlainKey(key, f"{section}.{key}", spec.type, default)


@lru_cache(maxsize=2)
def keys_of(knowledge: "DataFolder") -> Keys:
    """Read and check keys.yaml. Raises pydantic.ValidationError."""
    file = read_as(_File, knowledge.read("keys.yaml"))
    belongs: dict[str, str] = {}
    for name, entry in file.sections.items():
        for key in sorted(entry.watched):
            belongs.setdefault(squeeze(key), f"{name}.{key}")
        for key, parent in entry.inside.items():
            belongs.setdefault(squeeze(key), f"{name}.{parent}.{key}")
    return Keys(
        {name: entry.known | entry.watched for name, entry in file.sections.items()},
        {name: _meant_by_spelling(entry) for name, entry in file.sections.items()},
        belongs,
        {name: entry.inside for name, entry in file.sections.items()},
        {name: entry.defaults for name, entry in file.sections.items()},
        {name: tuple(_plain_keys(name, entry)) for name, entry in file.sections.items()},
        file.job_kinds.jobs,
        file.job_kinds.types,
        frozenset(key for entry in file.sections.values() for key in entry.switches),
    )
