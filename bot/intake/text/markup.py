"""What markup and haste put into the rows of a config: bold keys, HTML tags, colons without a blank, JSON's commas."""

import re
from collections.abc import Callable

import re2

from bot.intake.repair.nesting import nesting
from bot.intake.text.ordered import OPENS, in_one_piece, without_calls, without_pairs
from bot.intake.text.rows import MARKUP, POINTER, Row

_ANY = re2.compile(MARKUP)
_TAG = re.compile(r"</?(?:pre|code|details|summary|br)\b[^<>\n]{0,80}>")
_BOLD = re.compile(r"^([ \t]*(?:-[ \t]+)?)\*\*([A-Za-z_]\w{0,60})(?:\*\*:|:\*\*)")
_BOLD_ROW = re.compile(r"^([ \t]*(?:-[ \t]+)?)\*\*([A-Za-z_]\w{0,60}:[^*\n]{0,200})\*\*[ \t]*$")
_STRUCK = re.compile(r"~~[^~\n]{1,80}~~[ \t]*")
# Emphasis around a key, around a whole setting, or around the value of a switch or a number.
_SIGNS = r"(\*{1,3}|`{1,3}|\|\||__?)"
_SIGNED_KEY = re.compile(rf"^([ \t]*(?:-[ \t]+)?){_SIGNS}([a-z_][a-z0-9_]{{1,60}})\2[ \t]*:(?=[ \t]|$)")
_SIGNED_ROW = re.compile(rf"^([ \t]*(?:-[ \t]+)?){_SIGNS}([a-z_][a-z0-9_]{{1,60}}:[ \t]+[^*`|\n]{{1,80}}?)\2[ \t]*$")
_SIGNED_VALUE = re.compile(
    rf"^([ \t]*(?:-[ \t]+)?[a-z_][a-z0-9_]{{1,60}}:[ \t]+){_SIGNS}(true|false|\d{{1,6}})\2(?=[ \t]|$)"
)
_POINTED = re.compile(
    r"^[ \t]*(?:-{1,3}>|=+>|>{1,3}|!{1,3}|\u2192|\u27a1|\u279c|\u25ba|\u25b6)\ufe0f?[ \t]*(?=([a-z_][a-z0-9_]{1,60}):(?:[ \t]|$))"
)
_LEAD = r"([ \t]*(?:-[ \t]+)?)([a-z_][a-z0-9_]{1,60})"
_QUOTED_LEAD = r"([ \t]*(?:-[ \t]+)?[\"']?)([a-z_][a-z0-9_]{1,60})"
_GLUED = re.compile(rf"{_LEAD}():(?=[^\s:\\])(?!//)(.*)$")
_EQUALS = re.compile(rf"{_LEAD}()[ \t]*=[ \t]*(?=[^\s=])(.*)$")
_COMMA = re.compile(rf"{_LEAD}(:[ \t]+)([^\s,;{{\[][^,;]*|\"[^\"]*\"|\[[^\]]*\])[,;][ \t]*$")
_STAR = re.compile(r"([ \t]*)\*[ \t]+(?=([a-z_][a-z0-9_]{1,60}):(?:[ \t]|$)|\d{3,4}[ \t]*$)")
_ARROW = re.compile(rf"{_QUOTED_LEAD}([\"']?)[ \t]*:[ \t]*[^\s#]{{1,40}}[ \t]*(?:->|=>|\u2192)[ \t]*([^\s#].*)$")
_REMARK = re.compile(
    rf"{_LEAD}(:[ \t]+(?:true|false|on|off|yes|no|\d{{1,6}}),?)[ \t]+((?:\(|<-|//|[!?]|[^\x00-\x7f]).*)$", re.IGNORECASE
)
_QUOTED_REMARK = re.compile(
    rf"{_QUOTED_LEAD}([\"']:[ \t]+(?:true|false|\d{{1,6}}))[ \t]+((?:\(|<-|[!?]|[^\x00-\x7f]).*)$", re.IGNORECASE
)
_HEAD = re.compile(r"(?m)^[ \t]*(?:train|model|datasets|sample|network|process):[ \t]*$")
_OPENS = re.compile(r"(?m)[{\[][ \t]*$")
_POINTER = re2.compile(POINTER)
_DASHED_HEAD = re.compile(r"(?m)^[ \t]*- (?:train|model|datasets|sample|network|config):")
_DASHED_ROW = re.compile(r"^([ \t]*)- (?=[A-Za-z_]\w{0,60}:)")
_COMMAS = 3  # rows with a comma behind their value; fewer may mean what they say


def without_markup(rows: list[Row]) -> list[Row]:
    """The rows as they stand in a file."""
    text = "\n".join(("", *(row for row, _ in rows), ""))
    if _ANY.search(text) is None:
        return rows
    if OPENS in text:
        rows = without_pairs(rows)
    if "{'" in text:
        rows = in_one_piece(without_calls(rows))
    if _DASHED_HEAD.search(text):
        rows = _without_dashes(rows)
    if "* " in text:
        rows = _with_dashes_for_stars(rows)
    rows = _respelt(rows, _GLUED, lambda found: f"{found[1]}{found[2]}: {found[4]}", 1)
    if "=" in text and _HEAD.search(text):
        rows = _respelt(rows, _EQUALS, lambda found: f"{found[1]}{found[2]}: {found[4]}", 1)
    rows = _without_emphasis(text, rows)
    if "->" in text or "=>" in text or "\u2192" in text:
        rows = _respelt(rows, _ARROW, lambda found: f"{found[1]}{found[2]}{found[3]}: {found[4]}", 1)
    rows = _respelt(rows, _REMARK, lambda found: f"{found[1]}{found[2]}{found[3]}  # {found[4]}", 1)
    if _OPENS.search(text) is None:  # no JSON
        rows = _respelt(rows, _QUOTED_REMARK, lambda found: f"{found[1]}{found[2]}{found[3]}  # {found[4]}", 1)
        rows = _respelt(rows, _COMMA, lambda found: f"{found[1]}{found[2]}{found[3]}{found[4]}", _COMMAS)
    return rows


def _with_dashes_for_stars(rows: list[Row]) -> list[Row]:
    """The rows with a dash for each star that stands before a key or a resolution."""
    known = nesting().known
    stars = [(_STAR.match(row), row, number) for row, number in rows]
    return [
        (f"{star[1]}- {row[star.end() :]}" if star and (star[2] or "resolution") in known else row, number)
        for star, row, number in stars
    ]


def _without_emphasis(text: str, rows: list[Row]) -> list[Row]:
    """The rows without tags, bold and what is struck out."""
    if "</" in text or "<br" in text or "<pre" in text:
        rows = [(_TAG.sub("", row) if "<" in row else row, number) for row, number in rows]
    if "**" in text:
        rows = [(_BOLD.sub(r"\1\2:", _BOLD_ROW.sub(r"\1\2", row)), number) for row, number in rows]
    if _POINTER.search(text):
        rows = _without_pointers(rows)
    if any(sign in text for sign in ("*", "`", "||", "_:", ": _")):
        rows = [(_unsigned(row), number) for row, number in rows]
    if "~~" in text:
        rows = [(_STRUCK.sub("", row), number) for row, number in rows]
    return rows


def _unsigned(row: str) -> str:
    row = _SIGNED_ROW.sub(r"\1\3", _SIGNED_KEY.sub(r"\1\3:", row))
    return _SIGNED_VALUE.sub(r"\1\3", row)


def _without_pointers(rows: list[Row]) -> list[Row]:
    """The rows without an arrow in front of the one that is meant, which then stands where its neighbours do."""
    made: list[Row] = []
    for row, number in rows:
        found = _POINTED.match(row)
        if found and found[1] in nesting().known and "_" in found[1]:
            above = next((line for line, _ in reversed(made) if line.strip()), "")
            deep = (
                len(above) - len(above.lstrip(" ")) + 2 * (above.rstrip().endswith(":") or above.lstrip()[:2] == "- ")
            )
            made.append((" " * deep + row[found.end() :], number))
        else:
            made.append((row, number))
    return made


def _without_dashes(rows: list[Row]) -> list[Row]:
    """The rows without the bullets that a note put before every one: sections are no items of a list."""
    keys = [row for row, _ in rows if ": " in row or row.rstrip().endswith(":")]
    dashed = sum(_DASHED_ROW.match(row) is not None for row in keys)
    return [(_DASHED_ROW.sub(r"\1", row), number) for row, number in rows] if dashed * 4 > len(keys) * 3 else rows


def _respelt(
    rows: list[Row], pattern: re.Pattern[str], spelt: Callable[[re.Match[str]], str], fewest: int
) -> list[Row]:
    """The rows of known keys that match, written anew, if there are so many; one alone must have a key that only a config spells."""
    known = nesting().known
    hits = {at: found for at, (row, _) in enumerate(rows) if (found := pattern.match(row)) and found[2] in known}
    if len(hits) < fewest or (len(hits) == 1 and not any("_" in found[2] for found in hits.values())):
        return rows
    return [(spelt(hits[at]), number) if at in hits else (row, number) for at, (row, number) in enumerate(rows)]
