"""Repairs of indentation: tabs, odd blanks, a line that lost its place, a head that was not copied."""

import re
from collections.abc import Iterator
from itertools import pairwise

from bot.intake.mending import Change, Trouble, entry, indent_of, is_content
from bot.intake.nesting import nesting

# Blanks that are none to a parser, and marks with no width, as chat and web pages put them in.
_ODD_BLANKS = "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000"
_NO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff"
_ODD = re.compile(f"[{_ODD_BLANKS}{_NO_WIDTH}]")
_LEAD = re.compile(r"[ \t]*")
_OPENS = re.compile(r":[ \t]*(?:#.*)?\Z")
_DASHES = re.compile(r" *(?:- +)*")
_SMART = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f", '"') | dict.fromkeys("\u2018\u2019", "'"))
_SMART_DELIMITER = re.compile(r"(?:^|[:\[{,-])\s*[\u201c\u201d\u201e\u201f\u2018\u2019]")


def whole_text_changes(trouble: Trouble) -> Iterator[Change]:
    """Repairs that are made all over the text at once."""
    yield from _everywhere("odd-blanks", trouble.lines, {
        at: _ODD.sub(lambda found: " " if found[0] in _ODD_BLANKS else "", line)
        for at, line in enumerate(trouble.lines) if _ODD.search(line)
    })  # fmt: skip
    yield from _everywhere("smart-quotes", trouble.lines, {
        at: line.translate(_SMART) for at, line in enumerate(trouble.lines) if _SMART_DELIMITER.search(line)
    })  # fmt: skip
    if any("\t" in line for line in trouble.lines):
        for width in _tab_widths(trouble.lines):
            yield from _everywhere("tab", trouble.lines, {
                at: lead.expandtabs(width) + line[len(lead) :].replace("\t", " ") for at, line in enumerate(trouble.lines)
                if "\t" in line and (lead := _lead(line)) is not None
            })  # fmt: skip


def has_odd_blanks(text: str) -> bool:
    """Whether a text has blanks that a parser takes for letters."""
    return not text.isascii() and _ODD.search(text) is not None


def _everywhere(kind: str, lines: list[str], changed: dict[int, str]) -> Iterator[Change]:
    changed = {at: new for at, new in changed.items() if new != lines[at]}
    if changed:
        yield Change(kind, min(changed), changed)


def _lead(line: str) -> str:
    found = _LEAD.match(line)
    return found[0] if found else ""


def _tab_widths(lines: list[str]) -> list[int]:
    """How many blanks a tab may stand for: first the number with which most tabbed lines fit their neighbours."""
    steps = sorted({indent_of(line) for line in lines if is_content(line) and "\t" not in _lead(line)} - {0})
    first = steps[0] if steps else 2

    def fits(width: int) -> int:
        leads = [(len(_lead(line).expandtabs(width)), "\t" in _lead(line)) for line in lines if is_content(line)]
        return sum(a[0] == b[0] and a[1] != b[1] for a, b in pairwise(leads))

    return sorted(dict.fromkeys((first, 2, 4, 8)), key=fits, reverse=True)


def place_changes(trouble: Trouble) -> Iterator[Change]:
    """Lines moved to where their neighbours stand: the one the parser stopped at, or those just above."""
    lines, at = trouble.lines, trouble.at
    above = trouble.before(at)
    if above is None:
        return
    first = trouble.first()
    yield from _odd_ones(trouble)
    yield from _first_line(trouble, first)
    for target in dict.fromkeys(_places_below(lines[above])):
        yield _moved(lines, at, _run_down(lines, at), target)
    start = _run_up(lines, above)
    if start == first:
        return
    before = trouble.before(start)
    targets = [indent_of(lines[at]), *(_places_below(lines[before]) if before is not None else [])]
    for target in dict.fromkeys(targets):
        yield _moved(lines, start, above + 1, target)


def _odd_ones(trouble: Trouble) -> Iterator[Change]:
    """A line whose neighbours stand in one column, and it alone does not."""
    lines = trouble.lines
    for index in (trouble.before(trouble.at), trouble.at):
        above = trouble.before(index) if index is not None else None
        below = trouble.after(index) if index is not None else None
        if index is None or above is None or below is None or _OPENS.search(lines[index]):
            continue
        column = _places_below(lines[above])[0]
        if column == indent_of(lines[below]) != indent_of(lines[index]) and entry(lines[index]):
            yield _moved(lines, index, index + 1, column)


def _first_line(trouble: Trouble, first: int) -> Iterator[Change]:
    """Chat trims what it is sent: the first line loses the blanks that the others keep."""
    others = [indent_of(line) for line in trouble.lines[first + 1 :] if is_content(line)]
    if not others or indent_of(trouble.lines[first]) >= min(others):
        return
    below = next(index for index in range(first + 1, len(trouble.lines)) if is_content(trouble.lines[index]))
    for target in dict.fromkeys((min(others), indent_of(trouble.lines[below]))):
        yield Change("first-line-indentation", first, {first: " " * target + trouble.lines[first].lstrip()})


def _places_below(line: str) -> list[int]:
    """Where the line after this one may stand: under its key, beside it, and beside its dash."""
    dashes = _DASHES.match(line)
    column = len(dashes[0]) if dashes else 0
    return [column + 2, indent_of(line)] if _OPENS.search(line) else [column]


def _run_down(lines: list[str], at: int) -> int:
    """The end of the lines from here on that stand no further left than this one."""
    end = at + 1
    while end < len(lines) and (not is_content(lines[end]) or indent_of(lines[end]) > indent_of(lines[at])):
        end += 1
    return end


def _run_up(lines: list[str], at: int) -> int:
    """The first of the lines up to here that stand in the same column."""
    start = at
    while start and is_content(lines[start - 1]) and indent_of(lines[start - 1]) == indent_of(lines[at]):
        start -= 1
    return start


def _moved(lines: list[str], start: int, end: int, target: int) -> Change:
    by = target - indent_of(lines[start])
    moved = {
        index: " " * max(indent_of(lines[index]) + by, 0) + lines[index].lstrip(" ")
        for index in range(start, end)
        if lines[index].strip()
    }
    return Change("indentation", start, moved)


def head_changes(trouble: Trouble) -> Iterator[Change]:
    """A text whose first lines stand further right than a later one: their section's own line was not copied."""
    lines, at = trouble.lines, trouble.at
    content = [index for index in range(at) if is_content(lines[index])]
    if not content or trouble.is_json:
        return
    column = indent_of(lines[at])
    inner = min(indent_of(lines[index]) for index in content)
    keys = [parts.key for index in content if indent_of(lines[index]) == inner and (parts := entry(lines[index])) and parts.key]
    name = nesting().likeliest(keys) if keys else None
    if name is None or inner < column + 2:
        return
    head = " " * column + f"{name}:"
    if not nesting().containers[name].is_list:
        yield Change("head-missing", content[0], {}, above=head)
    elif "-" not in lines[content[0]][:inner + 1]:
        dashed = " " * (inner - 2) + "- " + lines[content[0]].lstrip()
        yield Change("head-missing", content[0], {content[0]: dashed}, above=head)
    else:
        yield Change("head-missing", content[0], {}, above=head)
