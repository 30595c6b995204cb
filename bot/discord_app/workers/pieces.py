"""A paste that came in several messages, put together again.

Discord takes 2,000 characters a message, so people cut a config or a traceback in pieces, each in a code block of its
own or in none. Without a code block Discord also takes the blanks at the start of a message away: the indentation of
its first line, which the lines below it tell again.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from bot.intake.read import Pasted

_FENCE = "```"
_LANGUAGE = re.compile(r"[A-Za-z0-9+-]{0,12}[ \t]*\n")
# "part 2", "(2/2)", "rest:" and the like may stand outside of the code blocks.
_ASIDE = 60
_KEY = re.compile(r"(?P<dash>(?:- )*)[\"']?(?P<name>[A-Za-z_][\w.-]{0,60})[\"']?:(?:\s|$)")
_ITEM = re.compile(r"- \S")
_TRACE = "Traceback (most recent call last)"
_TRACED = re.compile(r"\s*File \"|\s{2,}\S|[A-Za-z_][\w.]{0,80}(?:Error|Exception|Interrupt)\b")


class _Cut(NamedTuple):
    """A message at a seam: what stands outside of the pasted text, the text, whether a code block is around it."""

    head: str
    body: str
    tail: str
    fenced: bool


def joined(pasted: Sequence[Pasted]) -> tuple[Pasted, ...]:
    """The texts, each that goes on where the one before it breaks off made one with that."""
    made: list[Pasted] = []
    for one in pasted:
        whole = _whole(made[-1], one) if made else None
        if whole is None:
            made.append(one)
        else:
            made[-1] = Pasted(one.name, whole)
    return tuple(made)


def _whole(first: Pasted, second: Pasted) -> str | None:
    if not (isinstance(first.data, str) and isinstance(second.data, str)) or first.name != second.name:
        return None
    before = _end(first.data)
    after = before and _start(second.data, inside=before.fenced and first.data.count(_FENCE) % 2 == 1)
    if before is None or after is None:
        return None
    rest = _continued(before.body, after.body)
    if rest is None:
        return None
    asides = [aside.strip() for aside in (before.tail, after.head, after.tail) if aside.strip()]
    closing = [_FENCE] if before.fenced else []
    return "\n".join([before.head + before.body.rstrip("\n"), rest.rstrip("\n"), *closing, *asides])


def _end(text: str) -> _Cut | None:
    """How a message ends: in a code block, left open or closed, or in plain text."""
    ticks = [found.start() for found in re.finditer(_FENCE, text)]
    if not ticks:
        return _Cut("", text, "", fenced=False)
    opening, closing = (ticks[-1], len(text)) if len(ticks) % 2 else (ticks[-2], ticks[-1])
    tail = text[closing + len(_FENCE) :]
    if len(tail.strip()) > _ASIDE:
        return None
    language = _LANGUAGE.match(text, opening + len(_FENCE))
    start = language.end() if language else opening + len(_FENCE)
    return _Cut(text[:start], text[start:closing], tail, fenced=True)


def _start(text: str, *, inside: bool) -> _Cut | None:
    """How a message begins. `inside`: in the code block that the one before it left open."""
    ticks = [found.start() for found in re.finditer(_FENCE, text)]
    if not ticks or (inside and len(ticks) % 2):
        end = ticks[0] if ticks else len(text)
        return _Cut("", text[:end], text[end + len(_FENCE) :], fenced=bool(ticks))
    if len(text[: ticks[0]].strip()) > _ASIDE:
        return None
    language = _LANGUAGE.match(text, ticks[0] + len(_FENCE))
    start = language.end() if language else ticks[0] + len(_FENCE)
    end = ticks[1] if len(ticks) > 1 else len(text)
    return _Cut(text[: ticks[0]], text[start:end], text[end + len(_FENCE) :], fenced=True)


def _continued(before: str, after: str) -> str | None:
    """The second text as it goes on from the first, or None where it is one of its own."""
    above = [line for line in before.split("\n") if line.strip()]
    below = [line for line in after.strip("\n").split("\n") if line.strip()]
    if not above or not below:
        return None
    if _is_traced(above) and _TRACED.match(below[0]):
        return after.strip("\n")
    if not (_is_line(above[-1]) and _is_line(below[0])):
        return None
    indent = _indent_of_first(above, below)
    if indent is None or not _fits(above, below[0].lstrip(), indent):
        return None
    first, *others = after.strip("\n").split("\n")
    return "\n".join([" " * indent + first.lstrip(), *others])


def _is_traced(lines: Sequence[str]) -> bool:
    """Whether the lines end in a traceback whose error is still to come."""
    last = max((number for number, line in enumerate(lines) if _TRACE in line), default=None)
    return last is not None and all(line.startswith("  ") for line in lines[last + 1 :])


def _is_line(line: str) -> bool:
    bare = line.strip()
    return _KEY.match(bare) is not None or _ITEM.match(bare) is not None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _depth(line: str) -> int:
    """The column in which a line's key stands, behind the dashes of a list."""
    found = _KEY.match(line.lstrip(" "))
    return _indent(line) + (len(found["dash"]) if found else 0)


def _indent_of_first(above: Sequence[str], below: Sequence[str]) -> int | None:
    """The indentation of the line that goes on; None for one that begins something of its own."""
    first = below[0]
    if _indent(first):
        return _indent(first)
    if len(below) == 1 or not _indent(below[1]):
        return None
    last, following = above[-1], _indent(below[1])
    if first.startswith("- "):
        return _indent_of_item(last, below)
    if not first.rstrip().endswith(":"):
        # Beside the line below it, or, where that is the next section, beside the one above.
        beside = _KEY.match(last.lstrip()) is not None and not last.rstrip().endswith(":")
        return max(following, _depth(last) if beside else 0)
    columns = {_depth(line) for line in above}
    step = min((column for column in columns if column), default=following)
    return max((column for column in columns if column < following), default=None) if following > step else None


def _indent_of_item(last: str, below: Sequence[str]) -> int | None:
    """The column of a list's dash."""
    following = _indent(below[1])
    if below[1].lstrip().startswith("- "):
        return following
    if last.lstrip().startswith("- "):
        return _indent(last)
    return following - 2 if following >= 2 else None


def _fits(above: Sequence[str], first: str, indent: int) -> bool:
    """Whether a line can stand below the others: some mapping is open in its column, and does not have its key."""
    last = above[-1]
    found = _KEY.match(first)
    column = indent + (len(found["dash"]) if found else 0)
    if column > _depth(last) and not last.rstrip().endswith(":"):
        return False
    if found is None or found["dash"]:
        return True
    for line in reversed(above):
        if _depth(line) < column:
            return True
        other = _KEY.match(line.lstrip(" "))
        if other and _depth(line) == column:
            if other["name"] == found["name"]:
                return False
            if other["dash"]:
                return True
    return column == 0
