"""knowledge/families.yaml: every model family, and which architecture an id, a repository, a flag or a name means."""

import difflib
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from bot.knowledge.architectures import Arch, Can, Family, Hint, Kind, Risk
from bot.knowledge.reading import read_as
from bot.knowledge.record import NONE, Record, names_of
from bot.knowledge.schema import Slug

if TYPE_CHECKING:
    from bot.knowledge.folder import DataFolder
    from bot.knowledge.names import NameSearch


class _ArchEntry(Record):
    label: str
    code: str | None = None
    kind: Kind | None = None
    repos: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    logs: tuple[str, ...] = ()
    can: Mapping[str, Any] = NONE


class _FamilyEntry(Record):
    label: str
    kind: Kind
    source: str
    risk: Slug | None = None
    names: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    logs: tuple[str, ...] = ()
    over: Slug | None = None
    hints: tuple[Hint, ...] = ()
    can: Mapping[str, Any] = NONE
    archs: dict[str, _ArchEntry]


class _File(Record):
    fine_words: tuple[str, ...]
    fine_before: tuple[str, ...]
    short_unless: frozenset[str]
    defaults: dict[str, Any]
    risks: dict[Slug, Risk]
    families: dict[Slug, _FamilyEntry]


_CAN_FIELDS = names_of(Can)


def _can(*layers: Mapping[str, Any]) -> Can:
    merged: dict[str, Any] = {}
    for layer in layers:
        unknown = layer.keys() - _CAN_FIELDS
        if unknown:
            raise ValueError(f"`can` has no '{min(unknown)}'; it knows {', '.join(sorted(_CAN_FIELDS))}")
        merged |= layer
    return read_as(Can, merged)


class Families:
    """Every family by slug and every architecture by id."""

    def __init__(
        self,
        families: Mapping[str, Family],
        fine_words: tuple[str, ...] = (),
        fine_before: tuple[str, ...] = (),
        short_unless: frozenset[str] = frozenset(),
    ) -> None:
        self.families = families
        self._short_unless = short_unless
        self.fine_words, self.fine_before = fine_words, fine_before
        self.archs: dict[str, Arch] = {arch.id: arch for family in families.values() for arch in family.archs}
        self._by_code: dict[str, tuple[Arch, ...]] = {}
        for arch in self.archs.values():
            self._by_code[arch.code] = (*self._by_code.get(arch.code, ()), arch)
        self._by_repo = {repo.lower(): arch for arch in self.archs.values() for repo in arch.repos}
        self._flags = {flag: arch for arch in self.archs.values() for flag in arch.flags}

    @classmethod
    def load(cls, knowledge: "DataFolder") -> Self:
        """Read and check families.yaml. Raises pydantic.ValidationError or ValueError."""
        file = read_as(_File, knowledge.read("families.yaml"))
        families = {slug: _family(slug, entry, file) for slug, entry in file.families.items()}
        return cls(families, file.fine_words, file.fine_before, file.short_unless)

    def family(self, slug: str) -> Family | None:
        """A family by its slug."""
        return self.families.get(slug)

    def arch(self, written: str) -> Arch | None:
        """The architecture that ai-toolkit takes for model.arch; an unknown tag after the colon is cut off as it does."""
        exact = self.archs.get(written)
        if exact is not None:
            return exact
        code = written.split(":", 1)[0]
        return self.archs.get(code) or next(iter(self._by_code.get(code, ())), None)

    def of_flag(self, model: Mapping[str, Any]) -> tuple[str, Arch] | None:
        """The first legacy flag that is on in a model section, with its architecture."""
        return next(((flag, arch) for flag, arch in self._flags.items() if model.get(flag)), None)

    def of_repo(self, name_or_path: str) -> Arch | None:
        """The architecture whose weights a model.name_or_path names: an exact repository, else a name inside the path."""
        parts = name_or_path.replace("\\", "/").split("/")
        found = (name.arch for part in reversed(parts) for name in self.names.search(part) if name.arch is not None)
        return self.of_known_repo(name_or_path) or next(found, None)

    def of_known_repo(self, name_or_path: str) -> Arch | None:
        """The architecture whose weights lie in this very repository, or in this file of it."""
        parts = name_or_path.replace("\\", "/").lower().split("/")
        return self._by_repo.get(name_or_path.lower()) or self._by_repo.get("/".join(parts[:2]))

    def closest(self, written: str) -> Arch | None:
        """The architecture that a misspelt id was meant to be, where one is clearly nearest."""
        wanted = written.lower().replace("-", "_").replace(".", "")
        known = {arch_id.lower(): arch for arch_id, arch in self.archs.items()}
        known |= {code: arches[0] for code, arches in self._by_code.items() if code not in known}
        near = difflib.get_close_matches(wanted, known, n=1, cutoff=0.75)
        return known[near[0]] if near else None

    @cached_property
    def log_needles(self) -> tuple[tuple[str, str, Arch | None], ...]:
        """Texts that only one family or architecture logs: (text, family's slug, architecture or None)."""
        of_family = [(log, family.slug, None) for family in self.families.values() for log in family.logs]
        return (*of_family, *((log, arch.family, arch) for arch in self.archs.values() for log in arch.logs))

    @cached_property
    def names(self) -> "NameSearch":
        """The search for model names in prose; built when first needed."""
        from bot.knowledge.names import NameSearch

        return NameSearch(self.families.values(), self._short_unless)


def _family(slug: str, entry: _FamilyEntry, file: _File) -> Family:
    if entry.risk is not None and entry.risk not in file.risks:
        raise ValueError(f"families.{slug}.risk: there is no '{entry.risk}' under risks")
    archs = tuple(
        Arch(
            arch_id, one.code or arch_id.split(":", 1)[0], one.label, slug, one.kind or entry.kind,
            _can(file.defaults, entry.can, one.can), one.repos, one.names, one.flags, one.logs,
        )
        for arch_id, one in entry.archs.items()
    )  # fmt: skip
    unknown = {hint.arch for hint in entry.hints} - entry.archs.keys()
    if unknown:
        raise ValueError(f"families.{slug}.hints: '{min(unknown)}' is no architecture of the family")
    risk = file.risks[entry.risk] if entry.risk else None
    return Family(
        slug,
        entry.label,
        entry.kind,
        risk,
        entry.source,
        entry.names,
        entry.logs,
        entry.over,
        entry.hints,
        archs,
        entry.short,
    )
