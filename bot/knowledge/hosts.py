"""knowledge/hosts.yaml: what betrays the system and the cloud, and which kind of memory a size is about."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Literal

import re2

from bot.knowledge.names import plain
from bot.knowledge.record import read_as, record

if TYPE_CHECKING:
    from bot.knowledge.load import Knowledge

Platform = Literal["windows", "wsl", "linux", "macos"]
Cloud = Literal["runpod", "runcomfy", "modal", "colab", "kaggle", "docker"]
MemoryKind = Literal["vram", "ram", "shared", "used"]


@record
class _Signs:
    words: tuple[str, ...]
    marks: tuple[str, ...]


@record
class _File:
    platforms: dict[Platform, _Signs]
    clouds: dict[Cloud, _Signs]
    memory: dict[MemoryKind, tuple[str, ...]]
    units: tuple[str, ...]
    joins: tuple[str, ...]
    usual_vram: tuple[int, ...]
    usual_ram: tuple[int, ...]
    target_words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hosts:
    """Signs in words (patterns on small letters) and marks (exact pieces), by what they betray.

    `amount` finds a size with a unit; what is beside it counts up to `cut_after` and from `cut_before` on.
    """

    words: Mapping[str, "re2._Regexp"]
    marks: Mapping[str, tuple[str, ...]]
    platforms: tuple[str, ...]
    clouds: tuple[str, ...]
    memory: Mapping[str, "re2._Regexp"]
    amount: re.Pattern[str]
    cut_after: re.Pattern[str]
    cut_before: re.Pattern[str]
    usual_vram: frozenset[int]
    usual_ram: frozenset[int]
    target_words: tuple[str, ...]


def word_pattern(words: tuple[str, ...]) -> str:
    """RE2 for any of the words. A word in Latin or Cyrillic letters begins a word; one in other scripts may stand anywhere."""
    ordered = sorted(words, key=len, reverse=True)
    bounded = [re.escape(word) for word in ordered if word.isascii() and word[0].isalnum()]
    free = [re.escape(word) for word in ordered if not (word.isascii() and word[0].isalnum())]
    parts = [rf"(?:^|[^a-z0-9])(?:{'|'.join(bounded)})(?:[^a-z0-9]|$)"] if bounded else []
    return "|".join([*parts, *free])


@lru_cache(maxsize=2)
def hosts_of(knowledge: "Knowledge") -> Hosts:
    """Read and check hosts.yaml. Raises pydantic.ValidationError."""
    file = read_as(_File, knowledge.read("hosts.yaml"))
    signs: dict[str, _Signs] = dict(chain(file.platforms.items(), file.clouds.items()))
    units, joins = "|".join(file.units), "|".join(file.joins)
    return Hosts(
        {name: re2.compile(word_pattern(sign.words)) for name, sign in signs.items()},
        {name: sign.marks for name, sign in signs.items()},
        tuple(file.platforms),
        tuple(file.clouds),
        {kind: re2.compile(word_pattern(words)) for kind, words in file.memory.items()},
        re.compile(rf"(?:(?<![\w.])|(?<=\d[x\u00d7*]))(\d{{1,4}}(?:[.,]\d{{1,2}})?)[ \u00a0]?-?({units})(?![a-z0-9])"),
        re.compile(rf"[,;:\n/|)\]+]|->|\d|[.?!](?:\s|$)|\s(?:{joins})\s"),
        re.compile(rf"[,;\n|(\[+]|->|\d|[.?!]\s|\s(?:{joins})\s"),
        frozenset(file.usual_vram),
        frozenset(file.usual_ram),
        tuple(plain(word) for word in file.target_words),
    )
