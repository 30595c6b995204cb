"""Model names as people write them, found in prose and in paths."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import re2

if TYPE_CHECKING:
    from bot.knowledge.families import Arch, Families, Family

_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_SQUEEZE = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Named:
    """A model name in a text: its family, the architecture where the name tells it, and the characters it takes."""

    family: "Family"
    arch: "Arch | None"
    start: int
    end: int


def name_pattern(name: str) -> str:
    """RE2 for a name: between its tokens nothing, a blank or one of `-_.:`; no blank between digits."""
    tokens = _TOKEN.findall(name)
    made: str = re.escape(tokens[0])
    for before, token in pairwise(tokens):
        made += ("[-_.]?" if before[-1].isdigit() and token[0].isdigit() else "[-_ .:]?") + re.escape(token)
    return made


def squeeze(text: str) -> str:
    """Lower case without blanks and punctuation: how spellings of one name are told to be one."""
    return _SQUEEZE.sub("", text.lower())


def one_pattern(names: Iterable[str]) -> str:
    """RE2 that finds any of the names as whole words, the longest where several begin at one place."""
    longest_first = sorted(names, key=lambda name: len(squeeze(name)), reverse=True)
    return r"(?i)(?:^|[^a-z0-9])(" + "|".join(name_pattern(name) for name in longest_first) + r")(?:[^a-z0-9]|$)"


class NameSearch:
    """Finds the names of families and architectures in a text, in linear time."""

    def __init__(self, families: "Families") -> None:
        self._meant: dict[str, tuple[Family, Arch | None]] = {}
        names: list[str] = []
        for family in families.families.values():
            for name in family.names:
                self._meant[squeeze(name)] = (family, family.only)
                names.append(name)
            for arch in family.archs:
                for name in (*arch.names, arch.id):
                    self._meant.setdefault(squeeze(name), (family, arch))
                    names.append(name)
        self._pattern = re2.compile(one_pattern(dict.fromkeys(names)))

    def search(self, text: str) -> list[Named]:
        """Every name in the text, in order. Overlaps are not given twice."""
        found, at = [], 0
        while at <= len(text):
            match = self._pattern.search(text, at)
            if match is None:
                break
            family, arch = self._meant[squeeze(match.group(1))]
            found.append(Named(family, arch, match.start(1), match.end(1)))
            at = match.end(1)
        return found
