"""Model names as people write them, found in prose and in paths."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import re2

if TYPE_CHECKING:
    from bot.knowledge.architectures import Arch, Family

_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_TELLING = re.compile(r"[\d_:]")
_SQUEEZE = re.compile(r"[\W_]+")
_MOST = 100  # names looked at in one text


class Named(NamedTuple):
    """A model name in a text: its family, the architecture where the name tells it, and the characters it takes."""

    family: "Family"
    arch: "Arch | None"
    start: int
    end: int


def name_pattern(name: str) -> str:
    """RE2 for a name. A blank in it stands for nothing, a blank or one of `-_.:`, but for no blank between digits.

    Where letters and digits touch, a hyphen may come between; the dot of a number may be left out.
    """
    made, before = "", ""
    for word in name.split():
        for index, token in enumerate(_TOKEN.findall(word)):
            digits = before.isdigit() and token.isdigit()
            if before:
                made += "[-_.]?" if digits else "-?" if index else "[-_ .:]?"
            made += re.escape(token)
            before = token
    return made


def squeeze(text: str) -> str:
    """Lower case without blanks and punctuation: how spellings of one name are told to be one."""
    return _SQUEEZE.sub("", text.lower())


# Letters that Unicode does not take apart.
_STROKED = {"ł": "l", "ø": "o", "đ": "d", "\u0131": "i", "\u0130": "i"}


def _accents() -> dict[int, int]:
    """Latin and Cyrillic letters with one accent or stroke, each to its base letter: one character to one."""
    table = {ord(letter): ord(base) for letter, base in _STROKED.items()}
    for code in (*range(0xE0, 0x180), 0x451):
        base = unicodedata.normalize("NFD", chr(code))[0]
        if base != chr(code):
            table[code] = ord(base)
    return table


_ACCENTS = _accents()


def plain(lowered: str) -> str:
    """Small letters without accents, each character in its place: how prose is matched."""
    return lowered if lowered.isascii() else lowered.translate(_ACCENTS)


def one_pattern(names: Iterable[str]) -> str:
    """RE2 that finds any of the names (group 1) as whole words, the longest where several begin at one place.

    For text in which underscores are hyphens: RE2 counts an underscore as a letter.
    """
    made = []
    for name in sorted(names, key=lambda name: len(squeeze(name)), reverse=True):
        before, after = (r"\b" if name[at].isascii() else "" for at in (0, -1))
        made.append(f"{before}{name_pattern(name)}{after}")
    return f"(?i)({'|'.join(made)})"


class NameSearch:
    """Finds the names of families and architectures in a text, in linear time."""

    def __init__(self, families: "Iterable[Family]") -> None:
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
        self._pattern = re2.compile(one_pattern(dict.fromkeys(names)))

    def search(self, text: str) -> list[Named]:
        """The names in the text, in order; overlaps are not given twice, and no more than a hundred."""
        found = []
        for match in islice(self._pattern.finditer(text.replace("_", "-")), _MOST):
            family, arch = self._meant[squeeze(match.group(1))]
            found.append(Named(family, arch, match.start(1), match.end(1)))
        return found
