"""One word however it is written, and patterns that find any word of a list."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Annotated

from bot.knowledge.record import Check

_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_SQUEEZE = re.compile(r"[\W_]+")
# Letters that Unicode does not take apart.
_STROKED = {"ł": "l", "ø": "o", "đ": "d", "\u0131": "i", "\u0130": "i"}
_NOTHING = r"[^\s\S]"  # no text has it


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


def _all_plain(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(plain, words))


# Words of a knowledge file that are looked for in plain text as they stand.
PlainWords = Annotated[tuple[str, ...], Check(_all_plain)]


def squeeze(text: str) -> str:
    """Lower case without blanks and punctuation: how spellings of one name are told to be one."""
    return _SQUEEZE.sub("", text.lower())


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


def any_of(words: Iterable[str], *, begin: str = "", end: str = "", written: Callable[[str], str] = re.escape) -> str:
    """A group, for RE2 and `re`, of any of the words in plain text; the longest where several begin at one place.

    `begin` and `end` must hold in front of a word and behind it, but only at a Latin letter or a digit: other scripts
    put no blanks between words. `written` gives the pattern of one word. Without words it finds nothing.
    """
    unlike = dict.fromkeys(plain(word.lower()) for word in words)
    longest_first = sorted(unlike, key=lambda word: (len(squeeze(word)), len(word)), reverse=True)
    made = []
    # A bound is written once for all neighbours that need it: it costs more to compile than a word.
    for (latin_begin, latin_end), alike in groupby(
        longest_first, lambda word: (_is_latin(word[0]), _is_latin(word[-1]))
    ):
        group = "|".join(map(written, alike))
        made.append(f"{begin if latin_begin else ''}(?:{group}){end if latin_end else ''}")
    return f"(?:{'|'.join(made) or _NOTHING})"


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()
