"""knowledge/tools.yaml: how trainers are told apart, and what their settings are called."""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

import re2

from bot.facts import FACTS
from bot.knowledge.reading import read_as
from bot.knowledge.record import NOT_EMPTY, Record
from bot.knowledge.schema import Tool
from bot.knowledge.spelling import PlainWords

if TYPE_CHECKING:
    from bot.knowledge.folder import DataFolder


class Signs(Record):
    """What betrays one trainer; the meaning of each list stands in the file."""

    marks: tuple[str, ...]
    keys: frozenset[str]
    hints: tuple[str, ...]
    names: tuple[str, ...]
    sections: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()
    generates: tuple[str, ...] = ()


class ForeignSetting(Record):
    """A setting of another trainer and the fact it states."""

    fact: str
    kind: Literal["switch", "number", "area", "amount", "low_bits"]

    def _check(self) -> None:
        if self.fact not in FACTS:
            raise ValueError(f"there is no fact '{self.fact}'; the names are in bot/facts.py")


class Tools(Record):
    """The whole file."""

    tools: dict[Tool, Signs]
    training_words: PlainWords
    means_on: frozenset[str]
    settings: dict[str, ForeignSetting]
    low_bits: tuple[str, ...]
    model_keys: frozenset[str]
    model_words: Mapping[str, str]
    buckets: Annotated[tuple[str, ...], NOT_EMPTY]

    def signs(self, tool: str) -> Signs:
        """What betrays a trainer, by its name in the contract."""
        return {str(name): signs for name, signs in self.tools.items()}[tool]


@lru_cache(maxsize=2)
def tools_of(knowledge: "DataFolder") -> Tools:
    """Read and check tools.yaml. Raises pydantic.ValidationError."""
    return read_as(Tools, knowledge.read("tools.yaml"))


@lru_cache(maxsize=2)
def bucket_patterns(knowledge: "DataFolder") -> tuple[Any, ...]:
    """The bucket lines' patterns, compiled."""
    return tuple(re2.compile(pattern) for pattern in tools_of(knowledge).buckets)


def flat_keys(config: Mapping[str, Any]) -> dict[str, Any]:
    """Keys of a config in small letters without leading dashes, those one level deeper as `parent.key`."""
    flat: dict[str, Any] = {}
    for key, value in list(config.items())[:500]:
        name = str(key).lower().lstrip("-")
        flat[name] = value
        if isinstance(value, Mapping):
            flat |= {f"{name}.{str(inner).lower()}": deeper for inner, deeper in list(value.items())[:200]}
    return flat
