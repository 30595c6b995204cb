"""Repairs of indentation: tabs, odd blanks, a line that lost its place, a head that was not copied."""

import re
from collections.abc import Iterator

from bot.intake.repair.change import Change, Trouble, entry, indent_of, is_content
from bot.intake.repair.nesting import nesting
from bot.intake.repair.suspicion import ODD, ODD_BLANKS

_LEAD = re.compile(r"[ \t]*")
_OPENS = re.compile(r":[ \t]*(?:#.*)?\Z")
_DASHES = re.compile(r" *(?:- +)*")
_SMART = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f", '"') | dict.fromkeys("\u2018\u2019", "'"))
_SMART_DELIMITER = re.compile(r"(?:^|[:\[{,-])\s*[\u201c\u201d\u201e\u201f\u2018\u2019]")


def whole_text_changes(trouble: Trouble) -> Iterator[Change]:
    """Repairs that are made all over the text at once."""
    yield from _everywhere("odd-blanks", trouble.lines, {
        at: ODD.sub(lambda found: " " if found[0] in ODD_BLANKS else "", line)
        for at, line in enumerate(trouble.lines) if ODD.search(line)
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


def _everywhere(kind: str, lines: list[str], changed: dict[int, str]) -> Iterator[Change]:
    changed = {at: new for at, new in changed.items() if new != lines[at]}
    if changed:
        yield Change(kind, min(changed), changed)


def _lead(line: str) -> str:
    found = _LEAD.match(line)
    return found[0] if found else ""


def _tab_widths(lines: list[str]) -> list[int]:
    """How many blanks a tab may stand for, the number first with which the fewest lines stand where none can.

    An editor that saves tabs leaves fewer blanks behind them than a tab is wide.
    """
    content = [line for line in lines if is_content(line)]
    blanks = max((_lead(line).count(" ") for line in content), default=0)

    def unlikely(width: int) -> tuple[int, bool]:
        expanded = [_lead(line).expandtabs(width) + line.lstrip() for line in content]
        return _misplaced(expanded) + _astray(expanded), width <= blanks < 8

    return sorted((2, 4, 8), key=unlikely)


def _misplaced(lines: list[str]) -> int:
    """How many lines stand further in without a reason, between two levels, or beside what they should be under."""
    count = 0
    columns = [0]
    opens = True
    top = True
    for line in lines:
        column = indent_of(line)
        above = columns[-1]
        while len(columns) > 1 and columns[-1] > column:
            columns.pop()
        if columns[-1] != column:
            count += above > column or not opens
            columns.append(column)
        elif opens and not top and above == column and not line.lstrip().startswith("-"):
            count += 1
        top = False
        inner = _inner_column(line)
        if inner > column:
            columns.append(inner)
        opens = bool(_OPENS.search(line))
    return count


def _astray(lines: list[str]) -> int:
    """How many sections stand in another section than theirs."""
    containers = nesting().containers
    count = 0
    levels: list[tuple[int, str]] = []
    opened = ""
    for line in lines:
        levels = _level_of(line, levels, opened)
        parts = entry(line)
        key = parts.key if parts else ""
        inside = levels[-1][1]
        count += key in containers and inside in containers and containers[key].inside != inside
        opened = key if parts and not parts.value else ""
    return count


def place_changes(trouble: Trouble) -> Iterator[Change]:
    """Lines moved to where their neighbours stand: the one the parser stopped at, or those just above."""
    lines, at = trouble.lines, trouble.at
    above = trouble.before(at)
    if above is None:
        return
    first = trouble.first()
    yield from _in_section(trouble)
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
    """A line whose neighbours stand in one column, and it alone does not; or one that stands left of both."""
    lines = trouble.lines
    for index in (trouble.before(trouble.at), trouble.at):
        above = trouble.before(index) if index is not None else None
        below = trouble.after(index) if index is not None else None
        if index is None or above is None or below is None or _OPENS.search(lines[index]):
            continue
        column, here, under = _places_below(lines[above])[0], indent_of(lines[index]), indent_of(lines[below])
        if (column == under != here or here < min(column, under)) and entry(lines[index]):
            yield _moved(lines, index, index + 1, column)


def _in_section(trouble: Trouble) -> Iterator[Change]:
    """A line moved into the section, of those open above it, that its key belongs to."""
    for index in (trouble.before(trouble.at), trouble.at):
        parts = entry(trouble.lines[index]) if index is not None else None
        if index is None or not parts or not parts.key or _OPENS.search(trouble.lines[index]):
            continue
        containers = nesting().containers
        for column, name in reversed(_levels(trouble.lines, index)):
            if name in containers and parts.key in containers[name].keys:
                yield _moved(trouble.lines, index, index + 1, column)
                break


def _levels(lines: list[str], end: int) -> list[tuple[int, str]]:
    """The columns that are open before a line, outermost first, each with the section that stands in it."""
    levels: list[tuple[int, str]] = []
    opened = ""
    for line in filter(is_content, lines[:end]):
        levels = _level_of(line, levels, opened)
        parts = entry(line)
        opened = parts.key if parts and not parts.value else ""
    return levels


def _level_of(line: str, levels: list[tuple[int, str]], opened: str) -> list[tuple[int, str]]:
    """The levels that a line stands in, after a line that has opened a section or none (an empty name)."""
    column, inner = indent_of(line), _inner_column(line)
    kept = [level for level in levels if level[0] <= column]
    if not kept or kept[-1][0] < column:
        kept.append((column, opened))
    if inner > column:
        kept.append((inner, kept[-1][1]))
    return kept


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
    column = _inner_column(line)
    return [column + 2, indent_of(line)] if _OPENS.search(line) else [column]


def _inner_column(line: str) -> int:
    """The column of what a line says, behind its dashes."""
    dashes = _DASHES.match(line)
    return len(dashes[0]) if dashes else 0


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
    keys = [
        parts.key
        for index in content
        if indent_of(lines[index]) == inner and (parts := entry(lines[index])) and parts.key
    ]
    name = nesting().likeliest(keys) if keys else None
    if name is None or inner < column + 2:
        return
    if not nesting().containers[name].is_list:
        yield Change("head-missing", content[0], {}, above=f"{' ' * column}{name}:")
        return
    if "-" in lines[at][: column + 1]:  # the next item: the head stood further out, where what follows the list does
        outer = (indent_of(line) for line in lines[at:] if is_content(line) and indent_of(line) < column)
        column = next(outer, max(column - 2, 0))
    dashed = (
        {}
        if "-" in lines[content[0]][: inner + 1]
        else {content[0]: f"{' ' * (inner - 2)}- {lines[content[0]].lstrip()}"}
    )
    yield Change("head-missing", content[0], dashed, above=f"{' ' * column}{name}:")
