"""Where JSON stands in a text: objects, and bare `"model": {...},` pairs, whole or cut off."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from bot.intake.documents.page import Page

_MOST_TRIES = 60
_START = re.compile(
    r"""(?m)^[ \t]*(?:(?P<pair>"[A-Za-z_][\w.-]{0,80}"[ \t]*:)|(?P<list>\[)[ \t]*(?:\n[ \t]*)?\{)|(?P<brace>\{)(?=[ \t]*(?:["'}]|\n|$))"""
)
_BLOCK_KEY = re.compile(r"""[ \t]*(?:- )*["']?[\w.-]{1,80}["']?[ \t]*:[ \t]*\Z""")
_BARE_KEY = re.compile(r"\s{0,200}[A-Za-z_]\w{0,80}[ \t]*:")
_ROW = re.compile(
    r"""[ \t]*(?:$|["'{}\[\],]|//|/\*|#|[A-Za-z_]\w{0,80}[ \t]*:[ \t]*\S|(?:-?\d[\d.eE+-]{0,40}|true|false|null|None|True|False|NaN)[ \t]*[,}\]]{0,9}[ \t]*$)"""
)
_YAML_ROW = re.compile(r"""[ \t]*(?:$|#|- |["'][\w.-]{1,80}["'][ \t]*:)""")
_FEWEST = 2
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*(?:"|\\?(?=\n|\Z))|[{}\[\]]')
_DECODER = json.JSONDecoder()


class JsonSpan(NamedTuple):
    """A span of the page's joined text. `pairs`: it has no braces around it. `cut`: it does not end.

    `data` is its content where it is valid JSON.
    """

    start: int
    end: int
    pairs: bool = False
    cut: bool = False
    data: Any = None


def json_spans(page: Page) -> Iterator[JsonSpan]:
    """Every span, first to last, none inside another. Linear in the length of the text."""
    text = page.joined
    if "{" not in text and '":' not in text and '" :' not in text:
        return
    at = tries = 0
    while tries < _MOST_TRIES:
        found = _START.search(text, at)
        if found is None:
            return
        if found["pair"] and (end := _yaml_end(page, found.start("pair"))):
            at = end
            continue
        tries += 1
        span = _span(page, found)
        if span is None:
            at = found.end()
            continue
        yield span
        at = max(span.end, found.end())


def _span(page: Page, found: re.Match[str]) -> JsonSpan | None:
    text = page.joined
    if found["pair"]:
        return _scan(page, found.start("pair"), pairs=True)
    start = found.start("brace") if found["brace"] else found.start("list")
    line_start = text.rfind("\n", 0, start) + 1
    if _BLOCK_KEY.match(text[line_start:start]) and (
        text[start + 1 : start + 2] not in {"\n", ""} or _BARE_KEY.match(text, start + 1)
    ):
        return None  # a flow mapping inside YAML
    try:
        data, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return _scan(page, start, pairs=False)
    return JsonSpan(start, end, data=data)


def _yaml_end(page: Page, start: int) -> int:
    """Where rows of YAML that have their keys in quotes end: a value, or nothing, where JSON has a comma or a bracket; 0 for JSON."""
    first = page.row_at(start)
    last = first
    while last + 1 < len(page.rows) and last + 1 not in page.breaks and _YAML_ROW.match(page.rows[last + 1]):
        last += 1
    rows = [bare for row in page.rows[first : last + 1] if (bare := row.split(" #")[0].strip()) and bare[0] != "#"]
    if len(rows) < _FEWEST or any(row[-1] in "{," or (row[-1] == "[" and row[0] != "-") for row in rows):
        return 0
    return page.starts[last] + len(page.rows[last])


def _scan(page: Page, start: int, *, pairs: bool) -> JsonSpan | None:
    """Count brackets row by row, strings respected, until they close or a row comes that is no JSON."""
    text = page.joined
    depth, end, row = 0, start, page.row_at(start)
    at = start
    while row < len(page.rows):
        stop = page.starts[row] + len(page.rows[row])
        if at > start and (row in page.breaks or not _ROW.match(page.rows[row])):
            break
        for token in _TOKEN.finditer(text, at, stop):
            sign = token[0]
            if sign[0] == '"':
                continue
            depth += 1 if sign in "{[" else -1
            if depth < 0:
                return JsonSpan(start, end, pairs=True) if end > start else None
            if not depth and not pairs:
                return JsonSpan(start, token.end())
        if page.rows[row].strip():
            end = stop
        row += 1
        at = page.starts[row]
    return JsonSpan(start, end, pairs, cut=depth > 0) if end > start else None
