"""A config whose line breaks were lost to blanks: put back where each key begins, where that can be told for certain.

Certain means: every piece is a known key with one value, each finds its section, and the whole reads as a config.
Where it cannot be told the row stays as it is.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import re2

from bot.intake.repair.nesting import nesting
from bot.intake.repair.renest import renested
from bot.intake.text.rows import FOLDED, HEADS, Row
from bot.yamledit import LimitError, ParseError, parse

_LONGEST = 20_000
_FULL = 60  # characters from which on a row may go on in the next one
_FEWEST = 3  # keys, a section's name among them; fewer in a row are a sentence
_MOST = 400  # more than any job has
_KEY = r"[A-Za-z_][A-Za-z0-9_]{1,60}:(?=[ \t]|$)"
# What a break is not looked for in, or the break itself: blanks before a key, its dash, or a comment it stands in.
_TOKEN = re.compile(
    r"""(?<=[:\-\[,] )(?:"[^"\n]*"|'[^'\n]*')|\[[^\[\]\n]*\]"""
    rf"""|(?P<gap>[ \t]{{1,60}})(?=(?:-[ \t]{{1,4}}){{0,2}}(?P<key>{_KEY})|-[ \t]+(?:["']|(?P<number>\d{{1,5}})(?:[ \t]|$)))"""
)
_LISTS_NUMBERS = re.compile(rf"(?:(?:-[ \t]+)*{_KEY}|-[ \t]+\d{{1,5}})[ \t]*$")  # what the item of a list stands behind
_FOLDED = re2.compile(FOLDED)
_ANY_KEY = re.compile(_KEY)
_FLOW = (": {", "[{", "- {")
_HEADED = re.compile(rf"(?:-[ \t]+)*{_KEY}")
_ONE_VALUE = re.compile(
    rf"(?:-[ \t]+)*{_KEY}[ \t]+(?:true|false|\d[\d.e-]*|\"[^\"]*\"|'[^']*')(?P<more>[ \t]+[^\s#].*)?$"
)
_REMARK = re.compile(rf"((?:-[ \t]+)*{_KEY})[ \t]+(#.*)$")


class Unfolded(NamedTuple):
    """The rows, the numbers of those that were taken apart, and of those of which it is not certain how."""

    rows: list[Row]
    restored: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()


def unfolded(rows: list[Row]) -> Unfolded:
    """The rows with each config that stands in one of them, or wrapped in several, taken apart."""
    made: list[Row] = []
    restored: list[int] = []
    lost: list[int] = []
    at = run = 0
    while at < len(rows):
        row, number = rows[at]
        if not _is_folded(row):
            made.append(rows[at])
            at += 1
            continue
        stop = at + 1
        if at >= run:  # else the row belongs to a run that was tried as a whole
            stop = run = _run(rows, at)
        lines = _lines(" ".join(row for row, _ in rows[at:stop]))
        if lines is None and stop > at + 1:
            stop, lines = at + 1, _lines(row)
        if lines is None:
            lost += [number] * _holds_section(row)
            made.append(rows[at])
        else:
            restored.append(number)
            made += [(line, number) for line in lines]
        at = stop
    return Unfolded(made, tuple(restored), tuple(lost))


def _run(rows: list[Row], at: int) -> int:
    """Where the rows end that may be one row, wrapped."""
    stop, length = at + 1, len(rows[at][0])
    while stop < len(rows) and len(rows[stop - 1][0]) >= _FULL and rows[stop][0].strip() and length < _LONGEST:
        length += len(rows[stop][0])
        stop += 1
    while stop > at + 1 and ":" not in rows[stop - 1][0] and rows[stop - 2][0].rstrip()[-1:] != ":":
        stop -= 1  # what follows the config is said in words
    return stop


def _lines(row: str) -> list[str] | None:
    """The lines that a row was, with what stands before and behind the config; None where that is not certain."""
    pieces = _pieces(row)
    before = [] if _HEADED.match(pieces[0][1]) else [pieces.pop(0)[1]]
    if not _FEWEST <= len(pieces) <= _MOST or len(row) > _LONGEST:
        return None
    gap, last = pieces[-1]
    found = _ONE_VALUE.match(last)
    after = [found["more"].strip()] if found and found["more"] else []
    if found and after:
        pieces[-1] = (gap, last[: found.start("more")])
    if any((found := _ONE_VALUE.match(body)) and found["more"] for _, body in pieces):
        return None
    for lines in (_as_indented(pieces), renested([body for _, body in pieces])):
        if lines is not None and _is_config(lines):
            return [*before, *lines, *after]
    return None


def _is_folded(row: str) -> bool:
    """Whether a row may be several: not where keys stand in its comment alone, or where brackets hold a section."""
    return (
        any(head in row for head in HEADS)
        and _FOLDED.search(row) is not None
        and len(_ANY_KEY.findall(f" {row}".split(" #")[0])) > 1
        and not any(opens in row for opens in _FLOW)
    )


def _holds_section(row: str) -> bool:
    """Whether a row holds a section's name with a key of it right behind, and more keys."""
    pieces = _pieces(row)
    return len(pieces) > _FEWEST and any(body.removesuffix(":") in nesting().containers for _, body in pieces[:-1])


def _pieces(row: str) -> list[tuple[int, str]]:
    """How many blanks stand before each piece, and the piece. A key right behind a `#` is a part of its comment."""
    row, known = row.replace("`", " ").strip(" \t"), nesting().known
    made: list[tuple[int, str]] = []
    start = gap = 0
    for token in _TOKEN.finditer(row[:_LONGEST]):
        if token["gap"] is None:
            continue
        piece = row[start : token.start()]
        key = (token["key"] or "")[:-1]
        if token["number"] and not _LISTS_NUMBERS.match(piece):
            continue
        if (key and key not in known) or piece.endswith("#") or not piece.strip("- \t"):
            continue
        made += _parts(gap, piece)
        start, gap = token.end(), len(token["gap"])
    return [*made, *_parts(gap, row[start:])]


def _parts(gap: int, piece: str) -> Iterator[tuple[int, str]]:
    """A section's name and the comment behind it stand in lines of their own."""
    remark = _REMARK.match(piece)
    yield gap, remark[1] if remark else piece
    if remark:
        yield gap, remark[2]


def _as_indented(pieces: list[tuple[int, str]]) -> list[str] | None:
    """The lines where the blanks before each are a line break and its indentation."""
    if len({gap for gap, _ in pieces[1:]}) < 2:
        return None
    return [" " * max(gap - 1, 0) + body for gap, body in pieces]


def _is_config(lines: list[str]) -> bool:
    from bot.intake.documents.find import is_ours

    try:
        parsed = parse("\n".join(lines))
    except (ParseError, LimitError):
        return False
    return not parsed.duplicates and isinstance(parsed.data, dict) and is_ours(parsed.data) and _opens(lines)


def _opens(lines: list[str]) -> bool:
    """Whether a section is opened: pairs alone are what people write in a sentence."""
    containers = nesting().containers
    return any(line.strip().removesuffix(":") in containers for line in lines)
