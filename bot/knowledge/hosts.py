"""knowledge/hosts.yaml: what betrays the system and the cloud, and which kind of memory a size is about."""

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Literal

import re2

from bot.knowledge.reading import read_as
from bot.knowledge.record import Record
from bot.knowledge.spelling import PlainWords, any_of

if TYPE_CHECKING:
    from bot.knowledge.folder import DataFolder

# A number may stand right behind a letter of a script that writes no blanks, not behind one of these.
_JOINED = r"0-9a-z_\u00c0-\u024f\u0370-\u052f"
_CJK_STOPS = "\u3001\u3002\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f"
Platform = Literal["windows", "wsl", "linux", "macos"]
Cloud = Literal["runpod", "runcomfy", "modal", "colab", "kaggle", "docker"]
MemoryKind = Literal["vram", "ram", "shared", "used"]


class _Signs(Record):
    words: tuple[str, ...]
    marks: tuple[str, ...]


class _File(Record):
    platforms: dict[Platform, _Signs]
    clouds: dict[Cloud, _Signs]
    memory: dict[MemoryKind, tuple[str, ...]]
    unitless: dict[Literal["vram", "ram"], tuple[str, ...]]
    units: tuple[str, ...]
    joins: tuple[str, ...]
    usual_vram: tuple[int, ...]
    usual_ram: tuple[int, ...]
    target_words: PlainWords
    programs: tuple[str, ...]
    card_fine: tuple[str, ...]
    card_trouble: tuple[str, ...]
    card_of_others: tuple[str, ...]
    card_people: tuple[str, ...]
    card_own: tuple[str, ...]
    card_idle: tuple[str, ...]
    not_words: tuple[str, ...]
    contrast: tuple[str, ...]
    choice: tuple[str, ...]
    choice_asked: PlainWords


def _whole(words: Iterable[str]) -> str:
    return any_of(words, begin=r"\b", end=r"\b")


def _parted(words: Iterable[str]) -> "re2._Regexp":
    """Of these even an underscore parts a word: `vram_gb`."""
    return re2.compile(any_of(words, begin="(?:^|[^a-z0-9])", end="(?:[^a-z0-9]|$)"))


class Hosts:
    """Signs in words (patterns on small letters) and marks (exact pieces), by what they betray.

    The patterns are compiled when they are first needed: a config without a word beside it needs the marks alone.
    """

    def __init__(self, file: _File) -> None:
        self._file = file
        self._signs: dict[str, _Signs] = dict(chain(file.platforms.items(), file.clouds.items()))
        self._units, self._joins = any_of(file.units), any_of(file.joins)
        self.marks = {name: sign.marks for name, sign in self._signs.items()}
        self.platforms, self.clouds = tuple(file.platforms), tuple(file.clouds)
        self.usual_vram, self.usual_ram = frozenset(file.usual_vram), frozenset(file.usual_ram)
        self.programs = file.programs
        self.target_words, self.choice_asked = file.target_words, file.choice_asked

    @cached_property
    def words(self) -> "dict[str, re2._Regexp]":
        """What betrays a platform or a cloud, by its name."""
        return {name: _parted(sign.words) for name, sign in self._signs.items()}

    @cached_property
    def memory(self) -> "dict[str, re2._Regexp]":
        """The words for each kind of memory."""
        return {kind: _parted(words) for kind, words in self._file.memory.items()}

    @cached_property
    def amount(self) -> re.Pattern[str]:
        """A size with its unit."""
        return re.compile(
            rf"(?:(?<![{_JOINED}.])|(?<=\d[x\u00d7*])|(?<=ram))(\d{{1,4}}(?:[.,]\d{{1,2}})?)[ \u00a0]?-?{self._units}(?![a-z0-9])"
        )

    @cached_property
    def unitless(self) -> "dict[Literal['vram', 'ram'], re2._Regexp]":
        """A number (group 1 or 2) beside a word that can only mean memory, without a unit."""
        behind, before = (
            r"[ :=]{0,3}(\d{1,4})(?:$|[^0-9a-z.,/%]|[.,](?:\s|$))",
            r"(?:^|[^0-9.,x])(\d{1,4}) (?:di |de |of |von |do )?",
        )
        return {
            kind: re2.compile(rf"{word}{behind}|{before}{word}")
            for kind, words in self._file.unitless.items()
            for word in [_whole(words)]
        }

    @cached_property
    def cut_after(self) -> re.Pattern[str]:
        """Up to where the words behind a size are about it."""
        return re.compile(rf"[,;:\n/|)\]+{_CJK_STOPS}]|->|\d|[.?!](?:\s|$)|\s{self._joins}\s")

    @cached_property
    def cut_before(self) -> re.Pattern[str]:
        """From where on the words in front of a size are about it."""
        return re.compile(rf"[,;\n|(\[+{_CJK_STOPS}]|->|\d|[.?!]\s|\s{self._joins}\s")

    @cached_property
    def card_fine(self) -> "re2._Regexp":
        """That a card runs; group 1 or 2 where a word beside it denies that."""
        fine, denied = _whole(self._file.card_fine), _whole(self._file.not_words)
        return re2.compile(rf"({denied})?\s?{fine}\s?({denied})?")

    @cached_property
    def card_trouble(self) -> "re2._Regexp":
        """That a card is the one that fails."""
        return re2.compile(_whole(self._file.card_trouble))

    @cached_property
    def card_of_others(self) -> "re2._Regexp":
        """In front of a card: it is another's, or was given up."""
        return re2.compile(rf"{_whole(self._file.card_of_others)}\W*(?:rtx |gtx |nvidia |geforce )*$")

    @cached_property
    def card_people(self) -> "re2._Regexp":
        """Other people and what one reads or watches: the card named next is theirs."""
        return re2.compile(_whole(self._file.card_people))

    @cached_property
    def card_own(self) -> "re2._Regexp":
        """Words that come back to oneself: `I have`, `mine`, `here`."""
        return re2.compile(_whole(self._file.card_own))

    @cached_property
    def card_idle(self) -> "re2._Regexp":
        """Right behind a card that only drives the screens."""
        return re2.compile(rf"^\W{{0,3}}{_whole(self._file.card_idle)}")

    @cached_property
    def choice(self) -> "re2._Regexp":
        """All that stands between two cards of which one is to be chosen: `or a`, `vs my used`."""
        return re2.compile(
            rf"^\W{{0,3}}(?:\d{{1,2}} ?gb\W{{0,3}})?{_whole(self._file.choice)}(?: \w{{1,8}}){{0,3}}\W{{0,2}}$"
        )

    @cached_property
    def contrast(self) -> "re2._Regexp":
        """Words that begin another thought in the same sentence."""
        return re2.compile(_whole(self._file.contrast))


@lru_cache(maxsize=2)
def hosts_of(knowledge: "DataFolder") -> Hosts:
    """Read and check hosts.yaml. Raises pydantic.ValidationError."""
    return Hosts(read_as(_File, knowledge.read("hosts.yaml")))
