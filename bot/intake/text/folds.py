"""Characters that chat and terminals change: typographic quotes and spaces, colour codes, control bytes, entities."""

import re

_CONTROLS = bytes({*range(32), 127} - {*b"\t\n\r"})
_ANSI = re.compile(
    r"\x1b\[[0-?]{0,40}[ -/]{0,4}[@-~]|\x1b\][^\x07\x1b\n]{0,300}(?:\x07|\x1b\\)|\x1b[@-_]?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
)
_COLOUR = re.compile(r"(?:\^\[|\\u001[bB]|\\x1[bB]|\\033|\\e)?\[\d{1,3}(?:;\d{1,3}){0,5}m")
_RESET = re.compile(r"\[(?:0|22|39)m")  # a text with colours has one that ends them
# torch 2.3 prints the number of the card as a character: the code point is the number.
_CARD = re.compile(r"GPU ([\x00-\x09\x0b\x0c\x0e-\x1f]) has")
_ENTITY = re.compile(r"&(?:quot|gt|lt|amp|apos|nbsp|#\d{1,5}|#x[0-9a-fA-F]{1,4});")


def _table() -> dict[str, str]:
    made = dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u275d\u275e", '"')
    made |= dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'")
    made |= dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    made |= dict.fromkeys(
        "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
    )
    made |= dict.fromkeys(
        "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufe0f",
        "",
    )
    made |= dict.fromkeys("\u2028\u2029\u0085", "\r")
    made["\u2026"] = "..."
    # The full-width forms of ASCII, as Chinese and Japanese keyboards type them.
    return made | {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}


_TABLE = _table()
_ODD = re.compile("[" + "".join(map(re.escape, _TABLE)) + "]")
_FLAG = re.compile("(?<!\\S)\u2014(?=[a-z])")
# Markdown of Reddit and GitHub: `batch\_size: 4`. Told by a key, for `\_` may stand in a Windows path too.
ESCAPED_KEY = re.compile(r"(?m)^[ \t>-]{0,40}[\"']?[a-z]{1,30}(?:\\_[a-z0-9]{1,30}){1,6}[\"']?[ \t]*:")
_RULE = re.compile("(?m)^[ \t]*[\u2014\u2013-]{1,3}[ \t]*$")
# As quotation marks around a whole value: within one they belong to the text.
_GUILLEMETS = re.compile(
    '(?m)(^[ \t]*(?:-[ \t]+)?(?:[a-z_]+:[ \t]+)?)\u00ab ?([^\u00ab\u00bb"\n]{0,300}?) ?\u00bb(?=[ \t]*(?:#.*)?$)'
)
_BULLET = re.compile("(?m)^([ \t]*)[\u2022\u25e6\u25aa\u2023\u00b7][ \t]")


# `* Batch size - 1`: a list of settings with dashes for colons.
_LISTED = re.compile(r"(?m)^([ \t]{0,8}\* [A-Za-z][A-Za-z0-9_ ]{1,30}?) - (?=\S)")
# A table in Markdown: the row of dashes below its head, and the rows of cells that follow.
_TABLE_RULE = re.compile(r"(?m)^[ \t]{0,8}\|[ \t]*:?-{2,60}:?[ \t]*\|[ \t:|-]{0,200}$")

# A log copied with the markup of the page that showed it: only where a row begins with some.
_MARKED_UP = re.compile(r"(?m)^[ \t]{0,40}<(?:span|div|pre|p|li|td|tr|code|samp)\b[^<>\n]{0,300}>")
_TAG = re.compile(r"</?(?:span|div|pre|p|li|ul|ol|td|tr|th|code|samp|br|b|i|em|strong|font|mark)\b[^<>\n]{0,300}>")


def fold(text: str) -> str:
    """The text with each of these undone. Line feeds keep their number."""
    if not text.isascii():
        text = _fold_typography(text)
    if "GPU " in text:
        text = _CARD.sub(lambda found: f"GPU {ord(found[1])} has", text)
    if "* " in text:
        text = _LISTED.sub(r"\1: ", text)
    if "|" in text and _TABLE_RULE.search(text):
        text = _without_tables(text)
    raw = text.encode("utf-8")
    if len(raw.translate(None, _CONTROLS)) != len(raw):
        text = _ANSI.sub("", text)
    if _RESET.search(text):
        text = _COLOUR.sub("", text)
    if "\\_" in text and ESCAPED_KEY.search(text):
        text = text.replace("\\_", "_")
    if "</" in text and _MARKED_UP.search(text):
        text = _TAG.sub("", text)
    if "&" in text and _ENTITY.search(text):
        text = _unescape(text)
    return text


def _without_tables(text: str) -> str:
    """Each row of a table as `first cell: the others`."""
    lines, inside = text.split("\n"), False
    for at, line in enumerate(lines):
        if _TABLE_RULE.match(line):
            inside, lines[at] = True, ""
        elif inside:
            cells = [cell.strip(" *`\t\r") for cell in line.strip().strip("|").split("|")]
            inside = line.lstrip().startswith("|") and len(cells) > 1
            lines[at] = f"{cells[0]}: {', '.join(cells[1:])}" if inside else line
    return "\n".join(lines)


def _fold_typography(text: str) -> str:
    if "\u2014" in text or "\u2013" in text:
        # Phones turn `--flag` and `---` into dashes.
        text = _RULE.sub(lambda found: "---" if found[0].strip("- \t") else found[0], _FLAG.sub("--", text))
    text = _BULLET.sub(r"\1- ", text)
    if "\u00ab" in text:
        text = _GUILLEMETS.sub(r'\1"\2"', text)
    return _ODD.sub(lambda found: _TABLE[found[0]], text)


def _unescape(text: str) -> str:
    from html import unescape

    return _ENTITY.sub(lambda found: unescape(found[0]), text).replace("\xa0", " ")
