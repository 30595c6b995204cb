"""knowledge/gpus.yaml: names people write for graphics cards, and the memory of each."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, Self

import re2

from bot.knowledge.reading import read_as
from bot.knowledge.record import Check, Record
from bot.knowledge.spelling import any_of, name_pattern, squeeze

if TYPE_CHECKING:
    from bot.knowledge.folder import DataFolder

Vendor = Literal["nvidia", "amd", "intel", "apple"]
Sizes = Annotated[tuple[int, ...], Check(lambda value: value if isinstance(value, list) else [value], first=True)]
_MAKERS = re.compile(r"\b(?:rtx|gtx|rx|radeon|arc|instinct)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\s,;()]{1,24}")
_NUMBER_BEFORE = re.compile(r"(\d{1,6})[/.]$")
_NUMBER_AFTER = re.compile(r"[/.](\d{1,6})")
_SIZE = re.compile(r"\b(\d{1,3})\s?(?:gb|gib|g)\b", re.IGNORECASE)
_OFF = 0.07
_BESIDE = 30
_MOST = 100  # names looked at in one text
_COUNT, _PREFIX, _CORE = 1, 2, 3  # groups of the pattern


class _Entry(Record):
    gib: Sizes = ()
    usual: int | None = None
    laptop: Sizes = ()
    unified: bool = False
    names: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


class _File(Record):
    prefixes: tuple[str, ...]
    not_before: tuple[str, ...]
    not_after: tuple[str, ...]
    laptop_words: tuple[str, ...]
    counts: dict[str, int]
    nvidia: dict[str, _Entry]
    amd: dict[str, _Entry]
    intel: dict[str, _Entry]
    apple: dict[str, _Entry]


class Gpu(NamedTuple):
    """A card. `sizes` are all it was sold with (GiB); `gib` the one that is meant when nothing is said, or None."""

    name: str
    vendor: Vendor
    sizes: tuple[int, ...]
    gib: int | None
    unified: bool

    def with_size(self, said: float | None) -> float | None:
        """Memory in GiB: the size said where the card was sold with it, else the one that is meant.

        A size up to 7 % off is one of the card's (tools count 1000s or reserve some).
        """
        if said is not None:
            near = [size for size in self.sizes if abs(size - said) <= _OFF * size]
            if near:
                return float(near[0])
            if self.unified and not self.sizes:
                return said
        return None if self.gib is None else float(self.gib)


@dataclass(frozen=True, slots=True)
class Seen:
    """A card named in a text: the characters of the name, and how many cards (`2x3090`) where it says."""

    gpu: Gpu
    start: int
    end: int
    count: int


class _Card(NamedTuple):
    desktop: Gpu
    laptop: Gpu | None
    needs: tuple[str, ...]


class Gpus:
    """Every card, and the search for their names in linear time."""

    def __init__(self, file: _File) -> None:
        self._cards: dict[str, _Card] = {}
        self.names: tuple[str, ...] = ()
        written: list[str] = []
        vendors: tuple[tuple[Vendor, Mapping[str, _Entry]], ...] = (
            ("nvidia", file.nvidia), ("amd", file.amd), ("intel", file.intel), ("apple", file.apple),
        )  # fmt: skip
        for vendor, entries in vendors:
            for name, entry in entries.items():
                names = entry.names or (_MAKERS.sub("", name).strip().lower(),)
                card = _card(name, vendor, entry)
                self._cards |= {squeeze(one): card for one in names}
                self._cards.setdefault(squeeze(name), card)
                written.extend(names)
                self.names += (name,) if card.laptop is None else (name, card.laptop.name)
        self._laptop_words, self._counts = file.laptop_words, file.counts
        self._not_before = frozenset(word for line in file.not_before for word in line.split())
        self._not_after = frozenset(file.not_after)
        self._pattern = re2.compile(_pattern(written, file.prefixes))

    @classmethod
    def load(cls, knowledge: "DataFolder") -> Self:
        """Read and check gpus.yaml. Raises pydantic.ValidationError."""
        return cls(read_as(_File, knowledge.read("gpus.yaml")))

    def named(self, name: str) -> Gpu | None:
        """The card for a name as a person gives it in an option: `4090`, `RTX 4090 Laptop`."""
        seen = self.search(name) or self.search(f"apple {name}")  # an option needs no word beside it that says `Mac`
        return seen[0].gpu if seen else None

    def told(self, name: str) -> tuple[Gpu | None, float | None]:
        """The card for the name in an option and its memory in GiB: `RTX 4060 Ti 16GB`, `M2 Max 64 GB`, `RTX 3090`.

        A size that stands in the name counts, even one the card was never sold with, and even where no such card is known.
        """
        card, size = self.named(name), _SIZE.search(name)
        said = float(size[1]) if size else None
        if card is None:
            return None, said
        sold = card.with_size(said)
        return card, sold if said is None or (sold is not None and abs(sold - said) <= _OFF * sold) else said

    def search(self, text: str) -> list[Seen]:
        """The cards named in the text, in order, no more than a hundred."""
        found: list[Seen] = []
        lowered = text.lower().replace("_", "-")
        for match in islice(self._pattern.finditer(lowered), _MOST):
            start, end = match.start(_CORE), match.end(_CORE)
            card = self._cards[squeeze(match.group(_CORE))]
            bare = match.group(_CORE).isdigit() and not match.group(_PREFIX) and not match.group(_COUNT)
            if (bare and not self._stands_alone(lowered, start, end)) or not _has_any(lowered, card.needs):
                continue
            gpu = card.laptop if card.laptop is not None and self._is_laptop(lowered, start, end) else card.desktop
            found.append(Seen(gpu, start, end, int(match.group(_COUNT) or 0) or self._counted(lowered, match.start())))
        return found

    def _counted(self, text: str, start: int) -> int:
        words = _WORD.findall(text[max(0, start - _BESIDE) : start])
        return self._counts.get(words[-1], 1) if words else 1

    def _stands_alone(self, text: str, start: int, end: int) -> bool:
        """Whether a bare number is a card's: no count of steps, no port, no line number, no part of a larger number."""
        before, after = text[max(0, start - 1) : start], text[end:]
        if (before and before in ".:#$=_") or after[:1] in {"%", "_"}:
            return False
        neighbours = _NUMBER_BEFORE.search(text[max(0, start - 8) : start]), _NUMBER_AFTER.match(after)
        if any(number is not None and number[1] not in self._cards for number in neighbours):
            return False
        following = _WORD.match(after.removeprefix("s").lstrip(" -*"))
        words = [] if before == "(" else _WORD.findall(text[max(0, start - _BESIDE) : start].rpartition("\n")[2])
        if following and following[0].strip(".:!?") in self._not_before:
            return False
        return not words or words[-1].strip(":#") not in self._not_after

    def _is_laptop(self, text: str, start: int, end: int) -> bool:
        near = text[max(0, text.rfind("\n", 0, start), start - _BESIDE) : end + _BESIDE].split("\n")
        line = next((part for part in near if text[start:end] in part), "")
        return _has_any(line, self._laptop_words)


def _has_any(text: str, words: Sequence[str]) -> bool:
    return not words or any(word in text for word in words)


def _card(name: str, vendor: Vendor, entry: _Entry) -> _Card:
    desktop = Gpu(name, vendor, entry.gib, _meant(entry.gib, entry.usual), entry.unified)
    laptop = Gpu(f"{name} Laptop", vendor, entry.laptop, _meant(entry.laptop, None), False) if entry.laptop else None
    return _Card(desktop, laptop, entry.needs)


def _meant(sizes: tuple[int, ...], usual: int | None) -> int | None:
    if usual is not None and usual not in sizes:
        raise ValueError(f"`usual: {usual}` is not among the sizes {sizes}")
    return usual or (sizes[0] if len(sizes) == 1 else None)


def _pattern(names: Sequence[str], prefixes: Sequence[str]) -> str:
    cores = any_of(names, written=name_pattern)
    maker = "|".join(prefixes)
    return (
        r"(?:\b(\d{1,2}) ?(?:x|\x{d7}|\*|张|块|枚) ?|\b)"
        rf"((?:(?:{maker})[ -]?)*)({cores})s?\b"
    )
