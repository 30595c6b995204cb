"""knowledge/settings.yaml: settings that people give in prose."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, Self

import re2
from pydantic import model_validator

from bot.facts import FACTS
from bot.knowledge.names import name_pattern, plain, squeeze
from bot.knowledge.schema import Strict

if TYPE_CHECKING:
    from bot.knowledge.load import Knowledge

_LATIN = re.compile(r"^[\x00-\x7f]+$")


class Setting(Strict):
    """One setting: the fact it states, and what it is called."""

    fact: str
    kind: Literal["switch", "number", "sizes", "share", "word"]
    words: tuple[str, ...]
    also: tuple[str, ...] = ()
    inverse: bool = False
    counted: bool = False
    most: int = 0

    @model_validator(mode="after")
    def _facts_exist(self) -> Self:
        unknown = {self.fact, *self.also} - FACTS.keys()
        if unknown:
            raise ValueError(f"there is no fact '{min(unknown)}'; the names are in bot/facts.py")
        return self


class _File(Strict):
    settings: tuple[Setting, ...]
    means_on: tuple[str, ...]
    means_off: tuple[str, ...]
    on_after_colon: tuple[str, ...]
    off_after_colon: tuple[str, ...]
    on_before: tuple[str, ...]
    off_before: tuple[str, ...]
    between: tuple[str, ...]
    only: tuple[str, ...]
    size_before: tuple[str, ...]
    bucket_sizes: tuple[int, ...]
    preview_words: tuple[str, ...]
    hypothetical: tuple[str, ...]
    image_words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """Compiled patterns; all run on small letters without accents.

    `key` finds any setting's name. `after` reads on/off behind a name (groups: with a colon, without), `before` in front
    of it, `number` and `sizes` the numbers behind, `count` the numbers in front. `only` and `at` find sizes without a name.
    """

    key: Any
    meant: dict[str, Setting]
    after: re.Pattern[str]
    before: re.Pattern[str]
    both: re.Pattern[str]
    number: re.Pattern[str]
    sizes: re.Pattern[str]
    only: re.Pattern[str]
    at: re.Pattern[str]
    on: frozenset[str]
    off: frozenset[str]
    bucket_sizes: frozenset[int]
    preview_words: tuple[str, ...]
    hypothetical: tuple[str, ...]
    image_words: tuple[str, ...]


def _any_of(words: Iterable[str]) -> str:
    """Alternatives, the longest first; what begins or ends in a Latin letter must end its word there."""
    made = []
    for word in sorted({plain(word.lower()) for word in words}, key=len, reverse=True):
        edge = r"(?![a-z0-9])" if word[-1].isalnum() and word.isascii() else ""
        made.append(re.escape(word) + edge)
    return "|".join(made)


@lru_cache(maxsize=2)
def settings_of(knowledge: "Knowledge") -> Settings:
    """Read and check settings.yaml. Raises pydantic.ValidationError."""
    file = _File.model_validate(knowledge.read("settings.yaml"))
    words = {plain(word): setting for setting in file.settings for word in setting.words}
    ordered = sorted(words, key=lambda word: len(squeeze(word)), reverse=True)
    latin = "|".join(name_pattern(word) for word in ordered if word.isascii())
    other = "|".join(re.escape(word) for word in ordered if not word.isascii())
    link = rf"(?:\s?(?:{_any_of(file.between)})){{0,2}}\s?"
    value, after_colon = _any_of((*file.means_on, *file.means_off)), _any_of((*file.means_on, *file.means_off, *file.on_after_colon, *file.off_after_colon))
    numbers = r"\d{3,4}(?:\s?(?:px)?\s?(?:[,/+&x\u00d7]|and|und|et|e|y|и)\s?\d{3,4}){0,9}"
    return Settings(
        re2.compile(rf"(?:^|[^a-z0-9])({latin})(?:[^a-z0-9]|$)|({other})"),
        {squeeze(word): setting for word, setting in words.items()},
        re.compile(rf"\s?[:=]\s?[\"']?({after_colon})|{link}({value})"),
        re.compile(rf"({_any_of((*file.on_before, *file.off_before))})\s(?:(?:the|my|il|la|lo|el|le|o|a|das|die|der)\s)?(?:layer\s)?$"),
        re.compile(rf"\s?(?:[+/&]|and|or|und|oder|e|y|et|then)\s?(?:{value})"),
        re.compile(rf"\s?(?:[:=]\s?|{link})[\"']?(\d{{1,7}})(?![\d/]|[.,]\d|\s?[x\u00d7]\s?\d|\s?gb|\s?g\b|%)"),
        re.compile(rf"\s?(?:[:=]\s?|{link})[\[(]?({numbers})"),
        re.compile(rf"(?<![\d.])(\d{{3,4}})(?:\s?px)?\s(?:{_any_of(file.only)})|(?:{_any_of(file.only)})\s?(?:{_any_of(file.size_before)})?\s?(\d{{3,4}})(?![\d.])"),
        re.compile(rf"(?:(?<=\s)|^)(?:{_any_of(file.size_before)})\s(\d{{3,4}})(?![\d.,/%]|\s?(?:steps|it|s/|gb))|(?<![\d.x])(\d{{3,4}}(?:\s?[x\u00d7+]\s?\d{{3,4}}){{1,4}})(?![\d.])"),
        frozenset(plain(word) for word in (*file.means_on, *file.on_after_colon, *file.on_before)),
        frozenset(plain(word) for word in (*file.means_off, *file.off_after_colon, *file.off_before)),
        frozenset(file.bucket_sizes),
        tuple(plain(word) for word in file.preview_words),
        tuple(plain(word) for word in file.hypothetical),
        tuple(plain(word) for word in file.image_words),
    )  # fmt: skip
