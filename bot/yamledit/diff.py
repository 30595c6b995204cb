"""A unified diff with little context."""

from collections.abc import Callable, Iterable
from difflib import SequenceMatcher

Opcode = tuple[str, int, int, int, int]
_CONTEXT = 2  # lines around a change
_NO_NEWLINE = "\n\\ No newline at end of file"


def unified_diff(before: str, after: str, name: str, *, line_at: Callable[[int], int] = (1).__add__) -> str:
    r"""`--- name`/`+++ name` and the hunks, lines ended by `\n`; an empty text where nothing differs.

    Windows line ends are shown as plain ones: they are the same before and after. `line_at` gives the number by which
    the reader knows a row of `before` (from 0), for a text that was cut out of a longer one; a hunk is numbered so that
    its first change stands where it says.
    """
    old, new = _lines(before), _lines(after)
    if old == new:
        return ""
    head, tail = alike(old, new)
    lead, trail = min(head, _CONTEXT), min(tail, _CONTEXT)
    made = [f"--- {name}", f"+++ {name}"]
    head -= lead
    for group in _hunks(old[head : len(old) - tail + trail], new[head : len(new) - tail + trail], lead, trail):
        (_, first_old, _, first_new, _), (_, _, end_old, _, end_new) = group[0], group[-1]
        above = group[0][2] - first_old if group[0][0] == "equal" else 0
        line = max(line_at(head + first_old + above) - above, 1)
        spans = _span(line, end_old - first_old), _span(line + first_new - first_old, end_new - first_new)
        made.append(f"@@ -{spans[0]} +{spans[1]} @@")
        for tag, from_old, to_old, from_new, to_new in group:
            if tag == "equal":
                made += [f" {line}" for line in old[head + from_old : head + to_old]]
                continue
            made += [f"-{line}" for line in old[head + from_old : head + to_old]]
            made += [f"+{line}" for line in new[head + from_new : head + to_new]]
    return "\n".join(made) + "\n"


def alike(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many lines stand before the first difference and behind the last."""
    least = min(len(old), len(new))
    head = next((at for at in range(least) if old[at] != new[at]), least)
    tail = next((at for at in range(least - head) if old[-1 - at] != new[-1 - at]), least - head)
    return head, tail


def _hunks(old: list[str], new: list[str], lead: int, trail: int) -> Iterable[list[Opcode]]:
    """The lines between the first and the last difference, matched; `lead` and `trail` lines around them are context.

    Where no line is on both sides there is nothing to match, and a patch mostly is of that kind.
    """
    end_old, end_new = len(old) - trail, len(new) - trail
    if set(old[lead:end_old]).isdisjoint(new[lead:end_new]):
        around = ("equal", 0, lead, 0, lead), ("equal", end_old, len(old), end_new, len(new))
        return [[around[0], ("replace", lead, end_old, lead, end_new), around[1]]]
    return SequenceMatcher(None, old, new).get_grouped_opcodes(_CONTEXT)


def _span(line: int, length: int) -> str:
    """Lines as a hunk's head names them: the first one and how many; an empty span stands behind the line before it."""
    return f"{line}" if length == 1 else f"{line - (not length)},{length}"


def _lines(text: str) -> list[str]:
    lines = text.replace("\r\n", "\n").split("\n")
    last = lines.pop()
    return [*lines, last + _NO_NEWLINE] if last else lines
