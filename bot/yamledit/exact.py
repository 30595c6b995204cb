"""A diff for `patch` and `git apply`: exact lines, their ends too, and no line as context that is not to be shown."""

import re
from collections.abc import Container, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from bot.yamledit.diff import alike

_CONTEXT = 2
_NO_NEWLINE = "\n\\ No newline at end of file\n"


class Exact(NamedTuple):
    """The diff. `loose`: a hunk ends without context before the file does, which `git apply` takes only when told to."""

    text: str
    loose: bool


class _Span(NamedTuple):
    """Rows of a hunk in the text before and after: [start, end), from 0."""

    start: int
    end: int
    new_start: int
    new_end: int


def exact_diff(before: str, after: str, name: str, hidden: Container[int]) -> Exact | None:
    """What changes, against the rows of `before` as they are; None where a changed row (from 0) is `hidden` itself."""
    old, new = _lines_of(before), _lines_of(after)
    head, tail = alike(old, new)
    middle = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False)
    changes = [_Span(*(head + at for at in spans)) for tag, *spans in middle.get_opcodes() if tag != "equal"]
    if any(row in hidden for change in changes for row in range(change.start, change.end)):
        return None
    made = [f"--- {_shown(name)}\n", f"+++ {_shown(name)}\n"]
    loose = False
    for hunk in _hunks(changes, hidden):
        around = _around(hunk, len(old), hidden)
        loose |= around.end == hunk[-1].end < len(old)
        made += _written(hunk, around, old, new)
    return Exact("".join(made), loose)


def _lines_of(text: str) -> list[str]:
    return [line for line in re.split(r"(?<=\n)", text) if line]


def _hunks(changes: Sequence[_Span], hidden: Container[int]) -> list[list[_Span]]:
    """Changes that stand so near each other that their context would meet, together."""
    hunks: list[list[_Span]] = []
    for change in changes:
        gap = range(hunks[-1][-1].end, change.start) if hunks else range(0)
        if hunks and len(gap) <= 2 * _CONTEXT and not any(row in hidden for row in gap):
            hunks[-1].append(change)
        else:
            hunks.append([change])
    return hunks


def _shown(name: str) -> str:
    """A name as both programs read it: one line, and with a tab behind it where it has a blank."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in name)
    return f"{plain}\t" if " " in plain else plain


def _around(hunk: list[_Span], rows: int, hidden: Container[int]) -> _Span:
    """The hunk with its context: at most two rows above and below, up to one that is hidden."""
    start, end = hunk[0].start, hunk[-1].end
    while start > max(hunk[0].start - _CONTEXT, 0) and start - 1 not in hidden:
        start -= 1
    while end < min(hunk[-1].end + _CONTEXT, rows) and end not in hidden:
        end += 1
    lead, trail = hunk[0].start - start, end - hunk[-1].end
    return _Span(start, end, hunk[0].new_start - lead, hunk[-1].new_end + trail)


def _written(hunk: list[_Span], around: _Span, old: list[str], new: list[str]) -> list[str]:
    made = [f"@@ -{_span(around.start, around.end)} +{_span(around.new_start, around.new_end)} @@\n"]
    at = around.start
    for change in hunk:
        made += [_row(" ", line) for line in old[at : change.start]]
        made += [_row("-", line) for line in old[change.start : change.end]]
        made += [_row("+", line) for line in new[change.new_start : change.new_end]]
        at = change.end
    return made + [_row(" ", line) for line in old[at : around.end]]


def _span(start: int, end: int) -> str:
    """As a hunk's head names them; an empty span stands behind the line before it."""
    return f"{start + (end > start)},{end - start}"


def _row(mark: str, line: str) -> str:
    return mark + (line if line.endswith("\n") else line + _NO_NEWLINE)
