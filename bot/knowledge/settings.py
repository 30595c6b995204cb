"""knowledge/settings.yaml: settings that people give in prose."""

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

import re2

from bot.facts import FACTS
from bot.knowledge.reading import read_as
from bot.knowledge.record import Record
from bot.knowledge.spelling import PlainWords, any_of, name_pattern, plain, squeeze

if TYPE_CHECKING:
    from bot.knowledge.folder import DataFolder

_STOPS = "[,;\u3001\uff0c\uff1b"
_COLON = re.compile(r"\s?[:=]\s?[\"']?")
_MOST_BETWEEN = 4


class Setting(Record):
    """One setting: the fact it states, and what it is called."""

    fact: str
    kind: Literal["switch", "number", "sizes", "share", "word"]
    words: tuple[str, ...]
    also: tuple[str, ...] = ()
    inverse: bool = False
    counted: bool = False
    most: int = 0

    def _check(self) -> None:
        unknown = {self.fact, *self.also} - FACTS.keys()
        if unknown:
            raise ValueError(f"there is no fact '{min(unknown)}'; the names are in bot/facts.py")


class _File(Record):
    settings: tuple[Setting, ...]
    means_on: tuple[str, ...]
    means_off: tuple[str, ...]
    on_after_colon: tuple[str, ...]
    off_after_colon: tuple[str, ...]
    on_before: tuple[str, ...]
    off_before: tuple[str, ...]
    negations: tuple[str, ...]
    between: tuple[str, ...]
    joins: tuple[str, ...]
    articles: tuple[str, ...]
    only: tuple[str, ...]
    size_before: tuple[str, ...]
    bucket_sizes: tuple[int, ...]
    preview_words: PlainWords
    hypothetical: tuple[str, ...]
    stating: tuple[str, ...]
    size_fails: tuple[str, ...]
    size_runs: tuple[str, ...]
    changed_to: tuple[str, ...]
    changed_from: tuple[str, ...]
    asking: tuple[str, ...]
    size_listed: tuple[str, ...]
    size_listed_words: tuple[str, ...]
    no_size_before: tuple[str, ...]
    no_size_after: frozenset[str]
    image_words: PlainWords


def _ending(words: Iterable[str]) -> str:
    return any_of(words, end="(?![a-z0-9])")


def _beginning(words: Iterable[str]) -> str:
    return any_of(words, begin=r"\b")


class Settings:
    """The patterns, each compiled when it is first needed; all run on small letters without accents."""

    def __init__(self, file: _File) -> None:
        self._file = file
        self._words = {plain(word): setting for setting in file.settings for word in setting.words}
        self.meant = {squeeze(word): setting for word, setting in self._words.items()}
        self.on = frozenset(plain(word) for word in (*file.means_on, *file.on_after_colon, *file.on_before))
        self.bucket_sizes = frozenset(file.bucket_sizes)
        self.preview_words = file.preview_words
        self.no_size_after = file.no_size_after
        self.image_words = file.image_words
        self._only, self._joins = _ending(file.only), _ending(file.joins)
        self._before_size = _ending(file.size_before)

    @cached_property
    def key(self) -> Any:
        """RE2 for any setting's name: group 1 in Latin letters (`bs4` too), group 2 in others; underscores are hyphens in the text."""
        latin = any_of(filter(str.isascii, self._words), written=name_pattern)
        other = any_of(word for word in self._words if not word.isascii())
        return re2.compile(rf"\b({latin})(?:\b|[0-9])|({other})")

    def starts(self, text: str) -> list[int]:
        """Where the value behind a name may begin: behind a colon, or else behind the most words that only lead to it (`is set to`)."""
        colon = _COLON.match(text)
        if colon is not None:
            return [colon.end()]
        ends = [0]
        while len(ends) <= _MOST_BETWEEN and (word := self._link.match(text, ends[-1])):
            ends.append(word.end())
        return ends[::-1]

    @cached_property
    def _link(self) -> re.Pattern[str]:
        return re.compile(rf"\s?{_ending((*self._file.between, *self._file.negations))}")

    @cached_property
    def value(self) -> re.Pattern[str]:
        """On or off: group 1 anywhere, group 2 only behind a colon."""
        file = self._file
        anywhere, behind_colon = {*file.means_on, *file.means_off}, {*file.on_after_colon, *file.off_after_colon}
        return re.compile(rf"\s?[\"']?(?:({_ending(anywhere)})|({_ending(behind_colon - anywhere)}))")

    @cached_property
    def stating(self) -> Any:
        """Words of a question about what is so."""
        return re2.compile(_beginning(self._file.stating))

    @cached_property
    def failing(self) -> re.Pattern[str]:
        """A size (group 1) said to fail: `1024 ooms`."""
        return re.compile(
            rf"(?<![\d.])(\d{{3,4}})(?:\s?(?:px|res|buckets?|er))?\s?(?:just |still |always |immer )?{_ending(self._file.size_fails)}"
        )

    @cached_property
    def running(self) -> re.Pattern[str]:
        """Sizes (group 1) said to run: `512+768 finished a run`; not `1024 runs out of memory`."""
        sizes = r"(\d{3,4}(?:\s?[+/,&]\s?\d{3,4}){0,4})"
        runs = rf"{_ending(self._file.size_runs)}(?!\s?(?:out\b|oom|into\b|nicht|non\b|only|nur\b))"
        return re.compile(rf"(?<![\d.]){sizes}(?:\s?(?:px|res|buckets?|er))?\s?(?:was |is |war |ist )?{runs}")

    @cached_property
    def changed(self) -> re.Pattern[str]:
        """Behind a name, what its number was changed to (group 1): ` from 1 to 4`."""
        return re.compile(rf"\s?{_ending(self._file.changed_from)}\s?\d{{1,4}}{self.to.pattern}")

    @cached_property
    def from_end(self) -> re.Pattern[str]:
        """`from` in front of a name: `from batch 1 to 4`."""
        return re.compile(rf"(?:^|[^a-z0-9]){any_of(self._file.changed_from)}\s?$")

    @cached_property
    def to(self) -> re.Pattern[str]:
        """What a number was changed to (group 1), behind the one before."""
        return re.compile(rf"\s?{any_of(self._file.changed_to)}\s?(\d{{1,4}})(?![\d.])")

    @cached_property
    def hypothetical(self) -> Any:
        """Words of a sentence that only asks or imagines."""
        return re2.compile(_beginning(self._file.hypothetical))

    @cached_property
    def asking(self) -> Any:
        """So, where the sentence ends in a question mark."""
        return re2.compile(_beginning(self._file.asking))

    @cached_property
    def negation(self) -> re.Pattern[str]:
        """A word that turns the value behind it round."""
        return re.compile(rf"(?:^|\s){_ending(self._file.negations)}")

    @cached_property
    def before(self) -> re.Pattern[str]:
        """On or off in front of a name (group 1)."""
        words, articles = _ending((*self._file.on_before, *self._file.off_before)), any_of(self._file.articles)
        return re.compile(rf"(?:^|[^a-z0-9]|(?=\W))({words})\s?(?:{articles}\s)?(?:layer\s)?$")

    @cached_property
    def join(self) -> re.Pattern[str]:
        """What joins a value and the other one: `on+off`, both were tried."""
        return re.compile(rf"\s?(?:[+/&]|{self._joins})")

    @cached_property
    def sizes(self) -> re.Pattern[str]:
        """Numbers of three or four digits (group 1)."""
        more = rf"(?:(?:\s?(?:px)?\s?(?:[,/+&x\u00d7]|\[x\]|{self._joins})\s?|\s(?:-\s)?)\d{{3,4}}){{0,9}}"
        return re.compile(rf"(?:\s?\[x\]\s?|\s?[\[(]?\s?(?:-\s)?)(\d{{3,4}}{more})")

    @cached_property
    def only(self) -> re.Pattern[str]:
        """`512 only`, `nur 512`."""
        lead = rf"{self._only}\s?{self._before_size}?\s?(\d{{3,4}})(?![\d.])"
        return re.compile(rf"(?<![\d.])(\d{{3,4}})(?:\s?px)?(?:\s|(?=[^\W\d_a-z])){self._only}|{lead}")

    @cached_property
    def count(self) -> re.Pattern[str]:
        """Numbers in front of what they count (group 1 the first): `81 frames`, `41 and 81 frames`."""
        return re.compile(rf"(?<![\d.])(\d{{1,4}})(?:\s?(?:,|/|\+|{self._joins})\s?(\d{{1,4}})){{0,4}}[\s-]?$")

    @cached_property
    def listed(self) -> re.Pattern[str]:
        """A size (group 1) among other settings: `…, 1024, batch 1`."""
        begins = any_of(self._file.size_listed)
        ends = rf"{_STOPS}\u3002]|\.(?=\s|$)|$|{begins}|{_ending(self._file.size_listed_words)}"
        return re.compile(rf"(?:^|{_STOPS}\s])(\d{{3,4}})(?:\s?px|er)?[\s-]?(?={ends})", re.MULTILINE)

    @cached_property
    def at(self) -> re.Pattern[str]:
        """`at 1024`, and sizes joined by x or +."""
        no_size = any_of(self._file.no_size_before)
        joined = r"(?<![\d.x])(\d{3,4}(?:\s?[x\u00d7+]\s?\d{3,4}){1,4})(?![\d.])"
        return re.compile(rf"(?:(?<=\s)|^){self._before_size}\s(\d{{3,4}})(?![\d.,/%]|\s?{no_size})|{joined}")


@lru_cache(maxsize=2)
def settings_of(knowledge: "DataFolder") -> Settings:
    """Read and check settings.yaml. Raises pydantic.ValidationError."""
    return Settings(read_as(_File, knowledge.read("settings.yaml")))
