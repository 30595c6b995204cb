"""Model names as people write them, found in prose and in paths."""

import re
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import re2

from bot.knowledge.spelling import any_of, name_pattern, squeeze

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.knowledge.architectures import Arch, Family

_TELLING = re.compile(r"[\d_:]")
_EDGE = r"\b"
_VERSION = re.compile(r"\d|\d+[bB]")  # behind a short name: another model of that name, `qwen 3`, `qwen 7b`
_MOST = 100  # names looked at in one text


class Named(NamedTuple):
    """A model name in a text: its family, the architecture where the name tells it, and the characters it takes."""

    family: "Family"
    arch: "Arch | None"
    start: int
    end: int


class NameSearch:
    """Finds the names of families and architectures in a text, in linear time."""

    def __init__(self, families: "Iterable[Family]", short_unless: "frozenset[str]" = frozenset()) -> None:
        self._short_unless = short_unless
        self._short = {squeeze(name): family for family in families for name in family.short}
        self._meant: dict[str, tuple[Family, Arch | None]] = {}
        names: list[str] = []
        for family in families:
            for name in family.names:
                self._meant[squeeze(name)] = (family, family.only)
                names.append(name)
            for arch in family.archs:
                own = (arch.id,) if _TELLING.search(arch.id) else ()  # `anima` and `ssd` are words of their own
                for name in (*arch.names, *own):
                    self._meant.setdefault(squeeze(name), (family, arch))
                    names.append(name)
        # Underscores are hyphens in the text: RE2 counts one as a letter.
        self._pattern = re2.compile(f"(?i)({any_of(names, begin=_EDGE, end=_EDGE, written=name_pattern)})")

    def search(self, text: str) -> list[Named]:
        """The names in the text, in order; overlaps are not given twice, and no more than a hundred."""
        found = []
        for match in islice(self._pattern.finditer(text.replace("_", "-")), _MOST):
            family, arch = self._meant[squeeze(match.group(1))]
            found.append(Named(family, arch, match.start(1), match.end(1)))
        return found

    def search_short(self, text: str) -> list[Named]:
        """Names so short that they mean a model only where none is named in full: `qwen`, but not `qwen vl` or `qwen 3`."""
        if not self._short:
            return []
        found = []
        for match in islice(self._short_pattern.finditer(text), _MOST):
            behind = match.group(2) or ""
            if _VERSION.fullmatch(behind) is None and behind.lower() not in self._short_unless:
                family = self._short[squeeze(match.group(1))]
                found.append(Named(family, family.only, match.start(1), match.end(1)))
        return found

    @cached_property
    def _short_pattern(self) -> "re2._Regexp":
        names = any_of(self._short, begin=_EDGE, end=_EDGE)
        return re2.compile(rf"(?i)({names})(?:[ -]?([a-z]+|\d+b?))?")
