"""A config as Python writes it: the ordered dicts of pairs in the toolkit's notebooks, and what `print` and `pprint` show."""

import re

from bot.intake.text.rows import Row

OPENS = "OrderedDict(["
_PAIR = re.compile(r"""([ \t]*)\([ \t]*["']([A-Za-z_]\w{0,60})["'][ \t]*,[ \t]*(.*)$""")
_SCALAR = re.compile(r"""("[^"]*"|'[^']*'|\[[^\]]*\]|[^\s()\[\]#,][^()\[\]#,]*)[ \t]*\)?[ \t]*,?[ \t]*(#.*)?$""")
_CLOSES = re.compile(r"[ \t]*[\])][\]), \t]*(?:#.*)?$")
_TEXT = re.compile(r"""([ \t]*)("[^"]*"|'[^']*')[ \t]*,?[ \t]*(?:#.*)?$""")


_MAPPINGS = re.compile(r"OrderedDict\((\{)|(\})\)")
_PIECE = re.compile(r"""[ \t]*('[^'\\\n]*'|"[^"\\\n]*")([ \t]*[,\]})]*)[ \t]*$""")


def without_calls(rows: list[Row]) -> list[Row]:
    """The rows with `OrderedDict({…})` as the mapping in it."""
    return [(_MAPPINGS.sub(r"\1\2", row), number) for row, number in rows]


def in_one_piece(rows: list[Row]) -> list[Row]:
    """The rows with text that Python would put together again in one row; the others of it are blank."""
    made = list(rows)
    at = 0
    for below in range(1, len(rows)):
        row, found = made[at][0].rstrip(), _PIECE.match(made[below][0])
        if found and row[-1:] in {"'", '"'} and row[-1] not in found[1][1:-1]:
            made[at] = (f"{row[:-1]}{found[1][1:-1]}{row[-1]}{found[2]}", made[at][1])
            made[below] = ("", made[below][1])
        else:
            at = below
    return made


def without_pairs(rows: list[Row]) -> list[Row]:
    """The rows with every pair as `key: value`, every item of a list with its dash; closing brackets are blank."""
    made: list[Row] = []
    depth = 0
    for row, number in rows:
        if not depth and OPENS not in row:
            made.append((row, number))
            continue
        depth += row.count("(") + row.count("[") - row.count(")") - row.count("]")
        made.append((_as_yaml(row), number))
        depth = max(depth, 0)
    return made


def _as_yaml(row: str) -> str:
    pair = _PAIR.match(row)
    if pair is not None:
        lead, key, rest = pair[1], pair[2], pair[3].rstrip()
        if OPENS in rest or rest.split("#")[0].rstrip() == "[":
            return f"{lead}{key}:"
        scalar = _SCALAR.match(rest)
        if scalar is None:  # computed elsewhere in the script: not known from here
            return f"{lead}{key}: '{rest.rstrip('), ').replace(chr(39), '')}'"
        return f"{lead}{key}: {scalar[1].rstrip()}" + (f"  {scalar[2]}" if scalar[2] else "")
    bare = row.strip()
    if _CLOSES.match(row) or ("=" in row and bare.endswith(OPENS)):
        return ""
    text = _TEXT.match(row)
    if text is not None:
        return f"{text[1]}- {text[2]}"
    return row.replace(OPENS, "-") if bare == OPENS else row
