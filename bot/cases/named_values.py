"""Where in a paste the values of given keys stand: in YAML, JSON, TOML or on a command line, whole or torn.

A paste is often no document that a parser takes, so this goes by the text alone: a key where a key can be, then the
value in the notation that it begins with. Each character is looked at a few times at most.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

# Characters of one value looked at.
_LONGEST: Final = 20_000
_QUOTED: Final = {
    '"': re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL),
    "'": re.compile(r"'((?:[^']|'')*)'"),
    "\u201c": re.compile("\u201c([^\u201d\n]*)\u201d"),
    "\u2018": re.compile("\u2018([^\u2019\n]*)\u2019"),
}
QUOTES: Final = frozenset("\"'\u201c\u201d\u2018\u2019")
_BLOCK: Final = re.compile(r"[|>][-+0-9]{0,3}[ \t]*(?:#[^\n]*)?(?:\n|$)")
_EMPTY: Final = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|$)")
_PLAIN: Final = re.compile(r"[^\n]+?(?=[ \t]*(?:[ \t]#[^\n]*)?(?:\n|$))")
_IN_FLOW: Final = re.compile(r"[^\n,\[\]{}]+")
_WORD: Final = re.compile(r"\S+")
_ITEM: Final = re.compile(r"([ \t]*)-[ \t]+")
_LINE: Final = re.compile(r"([ \t]*)([^\n]*)(?:\n|$)")
_MAPPING: Final = re.compile(r"""["']?[A-Za-z_]\w{0,60}["']?[ \t]*:(?:[ \t]|$)""")
_COMMENT: Final = re.compile(r"[ \t]*#[^\n]*")


@dataclass(frozen=True, slots=True)
class Value:
    """The span of one value, without its quotes, and what stands in front of it."""

    key: str
    start: int
    end: int


def values(text: str, keys: Iterable[str]) -> list[Value]:
    """The values of these keys, in their order; of a list each item."""
    names = "|".join(sorted(map(re.escape, keys), key=len, reverse=True))
    key = re.compile(
        rf"""(?:(?:^|(?<=\n))[ \t]*(?:\#[ \t]*)?(?:-[ \t]+)*|(?<=[{{\[,])\s*|(?<![\w-])(?P<option>--))"""
        rf"""["']?(?P<key>{names})["']?(?:[ \t]*(?P<sign>[:=])[ \t]*|(?P<gap>[ \t]+))"""
    )
    found: list[Value] = []
    at = 0
    while match := key.search(text, at):
        at = match.end()
        if match["sign"] or (match["option"] and match["gap"]):
            for start, end in _after(text, match):
                found.append(Value(match["key"], start, end))
                at = max(at, end)
    return found


def comment_end(text: str, end: int) -> int:
    """Where the line's comment ends that follows a value; the value's own end where there is none."""
    after = end + 1 if text[end : end + 1] in QUOTES else end
    comment = _COMMENT.match(text, after)
    return comment.end() if comment else after


def _after(text: str, match: re.Match[str]) -> Iterator[tuple[int, int]]:
    at = match.end()
    if match["option"]:
        yield from _scalar(text, at, _WORD)
        return
    column = match.start("key") - (text.rfind("\n", 0, match.start("key")) + 1)
    if text[at : at + 1] == "[":
        yield from _flow_items(text, at + 1)
    elif block := _BLOCK.match(text, at):
        yield from _indented(text, block.end(), column)
    elif (empty := _EMPTY.match(text, at)) and empty.end() > at:
        yield from _block_items(text, empty.end(), column)
    elif text[at : at + 1] != "{":
        # A key in quotes is JSON's, whose values end at a comma.
        flow = text[match.start("key") - 1] in _QUOTED or _opened(text[text.rfind("\n", 0, at) + 1 : at]) > 0
        yield from _scalar(text, at, _IN_FLOW if flow else _PLAIN)


def _scalar(text: str, at: int, plain: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    quoted = _QUOTED.get(text[at : at + 1])
    found = quoted.match(text, at, at + _LONGEST) if quoted else None
    if found:
        yield found.span(1)
    elif bare := plain.match(text, at):
        yield bare.start(), bare.start() + len(bare[0].rstrip())


def _flow_items(text: str, at: int) -> Iterator[tuple[int, int]]:
    """The items of `[…]`, over as many lines as it takes."""
    limit = min(len(text), at + _LONGEST)
    while at < limit and text[at] not in "]{":
        quoted = text[at] in _QUOTED
        spans = [] if text[at] in " \t\n,[" else list(_scalar(text, at, _IN_FLOW))
        yield from spans
        at = spans[0][1] + quoted if spans else at + 1


def _indented(text: str, at: int, column: int) -> Iterator[tuple[int, int]]:
    """The lines of a block that stand deeper than their key."""
    start: int | None = None
    end = at
    while (line := _LINE.match(text, at)) and line.end() > at and (not line[2] or len(line[1]) > column):
        if line[2]:
            start = line.start(2) if start is None else start
            end = line.end(2)
        at = line.end()
    if start is not None:
        yield start, end


def _block_items(text: str, at: int, column: int) -> Iterator[tuple[int, int]]:
    """The items of a list of `- …` under a key, none of them a mapping."""
    while (item := _ITEM.match(text, at)) and len(item[1]) >= column:
        start = item.end()
        if block := _BLOCK.match(text, start):
            spans = list(_indented(text, block.end(), len(item[1])))
        elif _MAPPING.match(text, start):
            return
        else:
            spans = list(_scalar(text, start, _PLAIN))
        yield from spans
        at = _next_line(text, max([start, *(end for _, end in spans)]))
        while (line := _LINE.match(text, at)) and line.end() > at and (not line[2] or len(line[1]) > len(item[1])):
            at = line.end()


def _next_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _opened(line: str) -> int:
    """Brackets that a line has open; those in quotes are taken for what they look like."""
    return sum(line.count(sign) for sign in "{[") - sum(line.count(sign) for sign in "}]")
