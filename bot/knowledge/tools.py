"""knowledge/tools.yaml: how trainers are told apart, and what their settings are called."""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import re2
from pydantic import Field, field_validator

from bot.facts import FACTS
from bot.knowledge.names import plain
from bot.knowledge.schema import Strict, Tool

if TYPE_CHECKING:
    from bot.knowledge.load import Knowledge


class Signs(Strict):
    """What betrays one trainer; the meaning of each list stands in the file."""

    marks: tuple[str, ...]
    keys: frozenset[str]
    hints: tuple[str, ...]
    names: tuple[str, ...]


class ForeignSetting(Strict):
    """A setting of another trainer and the fact it states."""

    fact: str
    kind: Literal["switch", "number", "area", "amount", "low_bits"]

    @field_validator("fact")
    @classmethod
    def _fact_exists(cls, fact: str) -> str:
        if fact not in FACTS:
            raise ValueError(f"there is no fact '{fact}'; the names are in bot/facts.py")
        return fact


class Tools(Strict):
    """The whole file."""

    tools: dict[Tool, Signs]
    training_words: tuple[str, ...]
    means_on: frozenset[str]
    settings: dict[str, ForeignSetting]
    low_bits: tuple[str, ...]
    model_keys: frozenset[str]
    buckets: tuple[str, ...] = Field(min_length=1)

    @field_validator("training_words")
    @classmethod
    def _without_accents(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(plain(word) for word in words)


@lru_cache(maxsize=2)
def tools_of(knowledge: "Knowledge") -> Tools:
    """Read and check tools.yaml. Raises pydantic.ValidationError."""
    return Tools.model_validate(knowledge.read("tools.yaml"))


@lru_cache(maxsize=2)
def bucket_patterns(knowledge: "Knowledge") -> tuple[Any, ...]:
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
