"""Repairs of brackets that do not pair up: JSON cut at either end, a member on its own, one bracket too many or few."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.intake.mending import Change, Trouble, indent_of
from bot.intake.nesting import nesting

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|[{}\[\],:\n]')
_PAIRS = {"{": "}", "[": "]"}
_OPENER = {close: opener for opener, close in _PAIRS.items()}


@dataclass(slots=True)
class _Open:
    """An open bracket: its offset, the indentation of its line, and of the first line inside once there is one."""

    at: int
    bracket: str
    line: int
    indent: int
    inside: int | None = None


@dataclass(slots=True)
class _Scan:
    """What a walk over the tokens finds: splices to make, closers with no opener, openers with no closer."""

    splices: list[tuple[int, int, str]] = field(default_factory=list)
    unopened: list[tuple[int, str, tuple[str, ...]]] = field(default_factory=list)
    stack: list[_Open] = field(default_factory=list)
    # Keys met outside any bracket since the last closer that had no opener.
    keys: list[str] = field(default_factory=list)
    last: int = 0  # end of the last token that is not a line break
    structure: int = 0  # end of the last bracket or comma
    string_open: bool = False
    mended_at: int | None = None
    outside: bool = False  # a comma or a key stands outside every bracket


def bracket_changes(trouble: Trouble) -> Iterator[Change]:
    """One change that pairs up all brackets, if the text is JSON or lists and mappings in brackets."""
    text = "\n".join(trouble.lines)
    if "{" not in text and "[" not in text and "}" not in text:
        return
    scan = _scan(text)
    if not trouble.is_json:
        yield from _flow_end(trouble, text, scan)
        return
    yield from _surplus(trouble, text, scan)
    yield from _paired(trouble, text, scan)


def _scan(text: str) -> _Scan:
    scan = _Scan()
    line = 0
    indent = indent_of(text)
    fresh = True  # nothing of this line was read yet
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token == "\n":
            line += 1
            rest = text[found.end() : found.end() + 200]
            indent, fresh = indent_of(rest), True
            continue
        if token.startswith("//"):
            continue
        if fresh and scan.stack and token not in _OPENER:
            _close_by_indentation(scan, text, line, indent)
        fresh = False
        _take(scan, token, found, line, indent)
    return scan


def _take(scan: _Scan, token: str, found: re.Match[str], line: int, indent: int) -> None:
    if token[0] == '"':
        scan.string_open = len(token) < 2 or not token.endswith('"') or token.endswith('\\"')
        if not scan.stack and found.string[found.end() : found.end() + 3].lstrip()[:1] == ":":
            scan.keys.append(token.strip('"'))
            scan.outside = True
    elif token in _PAIRS:
        scan.stack.append(_Open(found.start(), token, line, indent))
    elif token in _OPENER:
        _close(scan, token, found.start())
    elif token == "," and not scan.stack:
        scan.outside = True
    scan.last = found.end()
    if token in "{}[],":
        scan.structure = found.end()


def _close_by_indentation(scan: _Scan, text: str, line: int, indent: int) -> None:
    """In indented JSON, a line that stands no further in than the bracket's own line is outside the bracket."""
    while scan.stack and (top := scan.stack[-1]).line < line:
        if top.inside is None:
            top.inside = indent
        if top.inside <= top.indent or indent > top.indent or len(scan.stack) == 1:
            return
        scan.stack.pop()
        end = scan.last - (text[scan.last - 1] == ",")
        scan.splices.append((end, end, _PAIRS[top.bracket]))
        scan.mended_at = end if scan.mended_at is None else scan.mended_at


def _close(scan: _Scan, token: str, at: int) -> None:
    wanted = _OPENER[token]
    if not any(top.bracket == wanted for top in scan.stack):
        if scan.stack:  # of the other kind: one bracket too many
            scan.splices.append((at, at + 1, ""))
            scan.mended_at = at if scan.mended_at is None else scan.mended_at
            return
        scan.unopened.append((at, wanted, tuple(scan.keys)))
        scan.keys.clear()
        scan.outside = False
        return
    while scan.stack[-1].bracket != wanted:
        scan.splices.append((at, at, _PAIRS[scan.stack.pop().bracket]))
        scan.mended_at = at if scan.mended_at is None else scan.mended_at
    scan.stack.pop()


def _surplus(trouble: Trouble, text: str, scan: _Scan) -> Iterator[Change]:
    """Closing brackets behind a whole document, and nothing else behind it."""
    if not scan.unopened or scan.stack or scan.outside or text.lstrip()[:1] not in _PAIRS:
        return
    first = scan.unopened[0][0]
    if not text[first:].strip("}] \n\r\t,"):
        yield _change("bracket-surplus", trouble, text, [*scan.splices, (first, len(text.rstrip()), "")], first)


def _paired(trouble: Trouble, text: str, scan: _Scan) -> Iterator[Change]:
    splices = list(scan.splices)
    kind, at, cut = "bracket-missing", scan.mended_at, False
    head = _head(scan, text)
    if head is None:
        return
    if head:
        splices.append((0, 0, head[0]))
        kind, at, cut = ("head-missing", 0, True) if scan.unopened else ("braces-missing", 0, False)
    closers = "".join(_PAIRS[top.bracket] for top in reversed(scan.stack)) + (head[1] if head else "")
    if scan.stack:
        kind, cut = "cut-end", True
        end = _whole_end(text, scan)
        splices.append((end, len(text), closers))
        at = end if at is None else at
    elif closers:
        end = len(text.rstrip())
        splices.append((end, end, closers))
    if splices:
        yield _change(kind, trouble, text, splices, at or 0, cut=cut)


def _whole_end(text: str, scan: _Scan) -> int:
    """Where what is whole ends: a value that is not followed by anything may be cut in the middle."""
    tail = text[scan.structure :]
    whole = text.endswith("\n") and not scan.string_open and ":" in tail and tail.rstrip()[-1:] != ":"
    return len(text.rstrip()) if whole or not tail.strip() else scan.structure


def _head(scan: _Scan, text: str) -> tuple[str, str] | tuple[()] | None:
    """What to put before and behind so that every closer has an opener; () for nothing, None where it is not certain."""
    made, after = "", ""
    names = nesting()
    inner: str | None = None
    for _, bracket, keys in scan.unopened:
        if bracket == "[":
            inner = "[" + made
            made, listed = inner, True
        else:
            listed = False
            made = "{" + made
        name = names.likeliest(keys) if bracket == "{" and keys else None
        last = bracket == scan.unopened[-1][1] and keys is scan.unopened[-1][2]
        if not last or scan.outside:
            made = _named(made, name, listed=listed)
    if scan.outside:
        made, after = "{" + made, "}"
    return (made, after) if made else ()


def _named(made: str, name: str | None, *, listed: bool) -> str:
    """An opener as the member of the one around it."""
    if listed or name is None:
        return f'"...": {made}' if not made.startswith('"') else made
    container = nesting().containers[name]
    return made if container.is_list else f'"{name}": {made}'


def _flow_end(trouble: Trouble, text: str, scan: _Scan) -> Iterator[Change]:
    """YAML that ends inside a list in brackets."""
    if not scan.stack or scan.unopened:
        return
    end = scan.structure if text[scan.structure :].strip() and not text.endswith("\n") else len(text.rstrip())
    closers = "".join(_PAIRS[top.bracket] for top in reversed(scan.stack))
    end -= text[:end].endswith(",")
    yield _change("cut-end", trouble, text, [(end, len(text), closers)], end, cut=True)


def _change(kind: str, trouble: Trouble, text: str, splices: list[tuple[int, int, str]], at: int, *, cut: bool = False) -> Change:
    """The splices as changed lines; what is cut away leaves its line breaks."""
    made = text
    for start, end, new in sorted(splices, reverse=True):
        made = made[:start] + new + "\n" * text.count("\n", start, end) + made[end:]
    lines = made.split("\n")
    changed = {index: line for index, line in enumerate(lines) if line != trouble.lines[index]}
    return Change(kind, text.count("\n", 0, at), changed, cut=cut)
