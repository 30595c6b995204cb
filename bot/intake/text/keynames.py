"""Keys whose letters chat, phones and text recognition have changed: eaten underscores, capitals, a 1 read as an l."""

import re
from collections.abc import Callable, Mapping
from functools import cache

from bot.intake.repair.nesting import nesting
from bot.intake.text.rows import Row

_LEAD = r"""^([ \t]*(?:-[ \t]+)?["']?)"""
_KEY = re.compile(_LEAD + r"""([A-Za-z][A-Za-z0-9]*(?:[ _-][A-Za-z0-9]+){0,6})(["']?[ \t]*:(?:[ \t].*)?)$""")
_HEAD = re.compile(r"""(?mi)^[ \t]*(?:- )?["']?(?:train|model|datasets|sample|network|process)["']?[ \t]*:[ \t]*$""")
_COLON = re.compile(_LEAD + r"([a-z]+(?:_[a-z0-9]+)+)[;.][ \t]+((?:true|false)\b.*|[\d\"'\[].*)$")
_NUMBER_KEY = re.compile(
    _LEAD + r"((?:batch_size|steps|width|height|num_frames|linear|rank|resolution|gradient_accumulation|linear_alpha"
    r"|sample_every|save_every|sample_steps|seed|fps)[\"']?[ \t]*:[ \t]*)([\[\]0-9OolI, \t]+)$"
)
_NUMBER_ITEM = re.compile(r"^([ \t]*-[ \t]+)()([0-9OolI]{3,4}[ \t]*)$")
_FALSE = re.compile(_LEAD + r"([a-z]+(?:_[a-z0-9]+)+[\"']?[ \t]*:[ \t]*)(fa1se|faIse|fal5e|fa15e)(?=[ \t]|$)")
_DIGITS = str.maketrans("OolI", "0011")
_FEWEST = 2  # keys with the same damage; one alone is misspelt in the file itself


def restored(rows: list[Row]) -> list[Row]:
    """The rows with such keys, and the numbers and switches behind them, as ai-toolkit spells them.

    A key that stands misspelt among others that are right stays: so it is in the file, and does nothing there.
    """
    text = "\n".join(row for row, _ in rows)
    found = {at: key for at, (row, _) in enumerate(rows) if (key := _KEY.match(row))}
    names = {at: key[2] for at, key in found.items()}
    if _HEAD.search(text):
        for damaged in (_without_case, _with_blanks, _without_underscores):
            meant = damaged(names)
            if len(meant) >= _FEWEST or (meant and damaged is _with_blanks):
                names |= meant
    made = [
        (f"{found[at][1]}{names[at]}{found[at][3]}", number)
        if at in found and names[at] != found[at][2]
        else (row, number)
        for at, (row, number) in enumerate(rows)
    ]
    return [(_read_wrongly(row), number) for row, number in made]


def _without_case(names: Mapping[int, str]) -> dict[int, str]:
    """Keys that a phone began with a capital, or that are all capitals, where none is right."""
    known = nesting().known
    if any("_" in name and name in known for name in names.values()):
        return {}
    return {at: name.lower() for at, name in names.items() if name not in known and name.lower() in known}


def _with_blanks(names: Mapping[int, str]) -> dict[int, str]:
    """Keys with blanks for underscores, which nobody writes among others that are right."""
    return _spelt(names, lambda name: " " in name)


def _without_underscores(names: Mapping[int, str]) -> dict[int, str]:
    """Keys whose underscores are gone, where none has kept one."""
    known = nesting().known
    if any("_" in name and name in known for name in names.values()):
        return {}
    return _spelt(names, lambda name: name.isalnum() and (name.islower() or name.isupper() or name.istitle()))


def _spelt(names: Mapping[int, str], damaged: Callable[[str], bool]) -> dict[int, str]:
    known, plain = nesting().known, _plain()
    return {
        at: key
        for at, name in names.items()
        if name not in known and damaged(name) and (key := plain.get(re.sub("[ _-]", "", name).lower()))
    }


@cache
def _plain() -> Mapping[str, str]:
    """Keys of several words by their letters alone."""
    return {key.replace("_", ""): key for key in sorted(nesting().known) if "_" in key}


def _read_wrongly(row: str) -> str:
    """A row with the slips of text recognition undone: letters in numbers, a digit in `false`, another sign for the colon."""
    colon = _COLON.match(row)
    if colon and colon[2] in nesting().known:
        row = f"{colon[1]}{colon[2]}: {colon[3]}"
    row = _FALSE.sub(r"\1\2false", row)
    number = _NUMBER_KEY.match(row) or _NUMBER_ITEM.match(row)
    return f"{number[1]}{number[2]}{number[3].translate(_DIGITS)}" if number else row
