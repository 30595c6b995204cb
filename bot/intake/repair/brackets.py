"""Repairs of brackets that do not pair up: JSON cut at either end, a member on its own, one bracket too many or few."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.intake.repair.change import Change, Trouble, indent_of
from bot.intake.repair.nesting import nesting

_SIGN = re.compile(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|[{}\[\],:\n]')
# The rest of a string, with the value that it is the key of, up to the comma.
_TORN = re.compile(
    r'[^"\n{}\[\]]{0,300}"\s{0,9}(?::\s{0,9}(?:"(?:[^"\\\n]|\\.)*"|[^,{}\[\]"\s][^,{}\[\]"\n]{0,80})?)?\s{0,9},(?=\s)'
)
_DEEPEST = 60  # brackets inside one another: as many as are read at all
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
    torn = _TORN.match(text) if trouble.is_json else None
    if torn:  # begins in the middle of something: blank, so that every offset stays
        text = " " * torn.end() + text[torn.end() :]
    scan = _scan(text)
    if len(scan.unopened) > _DEEPEST or len(scan.stack) > _DEEPEST:
        return
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
    for found in _SIGN.finditer(text):
        sign = found[0]
        if sign == "\n":
            line += 1
            rest = text[found.end() : found.end() + 200]
            indent, fresh = indent_of(rest), True
            continue
        if sign.startswith("//"):
            continue
        if fresh and scan.stack and sign not in _OPENER:
            _close_by_indentation(scan, text, line, indent)
        if not (fresh and _is_surplus(scan, sign, found, indent)):
            _take(scan, sign, found, line, indent)
        fresh = False
    return scan


def _take(scan: _Scan, sign: str, found: re.Match[str], line: int, indent: int) -> None:
    if sign[0] == '"':
        scan.string_open = len(sign) < 2 or not sign.endswith('"') or sign.endswith('\\"')
        if not scan.stack and found.string[found.end() : found.end() + 3].lstrip()[:1] == ":":
            scan.keys.append(sign.strip('"'))
            scan.outside = True
    elif sign in _PAIRS:
        scan.stack.append(_Open(found.start(), sign, line, indent))
    elif sign in _OPENER:
        _close(scan, sign, found.start())
    elif sign == "," and not scan.stack:
        scan.outside = True
    scan.last = found.end()
    if sign in "{}[],":
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


def _is_surplus(scan: _Scan, sign: str, found: re.Match[str], indent: int) -> bool:
    """In indented JSON, a closer that begins a line further in than its opener's line closes nothing."""
    top = scan.stack[-1] if scan.stack else None
    if sign not in _OPENER or top is None or top.inside is None or not top.indent < top.inside == indent:
        return False
    at, end = found.start(), found.end()
    scan.splices.append((at, end + (found.string[end : end + 1] == ","), ""))
    scan.mended_at = at if scan.mended_at is None else scan.mended_at
    return True


def _close(scan: _Scan, sign: str, at: int) -> None:
    wanted = _OPENER[sign]
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
    """Closing brackets or a comma behind a whole document, and nothing else behind it."""
    end = len(text.rstrip())
    if not scan.unopened and not scan.stack and scan.structure == end and text[end - 1] == ",":
        yield Change("stray-character", _line(text, end), _changed(trouble, text, [*scan.splices, (end - 1, end, "")]))
    if not scan.unopened or scan.stack or scan.outside or text.lstrip()[:1] not in _PAIRS:
        return
    first = scan.unopened[0][0]
    if not text[first:].strip("}] \n\r\t,"):
        splices = [*scan.splices, (first, end, "")]
        yield Change("bracket-surplus", _line(text, first), _changed(trouble, text, splices))


def _paired(trouble: Trouble, text: str, scan: _Scan) -> Iterator[Change]:
    splices = list(scan.splices)
    kind, at, cut = "bracket-missing", scan.mended_at, False
    before, behind = _head(scan)
    if before:
        splices.append((0, 0, before))
        kind, at, cut = ("head-missing", 0, True) if scan.unopened else ("braces-missing", 0, False)
    closers = "".join(_PAIRS[top.bracket] for top in reversed(scan.stack)) + behind
    if scan.stack:
        kind, cut = "cut-end", True
        end = _whole_end(text, scan)
        splices.append((end, len(text), closers))
        at = end if at is None else at
    elif closers:
        end = len(text.rstrip())
        splices.append((end, end, closers))
    if splices:
        yield Change(kind, _line(text, at or 0), _changed(trouble, text, splices), cut=cut)


def _whole_end(text: str, scan: _Scan) -> int:
    """Where what is whole ends: a value that is not followed by anything may be cut in the middle."""
    tail = text[scan.structure :]
    whole = text.endswith("\n") and not scan.string_open and ":" in tail and tail.rstrip()[-1:] != ":"
    return len(text.rstrip()) if whole or not tail.strip() else scan.structure


def _head(scan: _Scan) -> tuple[str, str]:
    """What to put before and behind so that every closer has an opener and every member a mapping around it."""
    made, listed = "", None
    for number, (_, bracket, keys) in enumerate(scan.unopened, 1):
        in_list = number < len(scan.unopened) and scan.unopened[number][1] == "["
        name = nesting().likeliest(keys, is_list=in_list) if bracket == "{" and keys else None
        made = bracket + made
        if bracket == "{" and in_list:
            listed = name
            continue
        if bracket == "[":
            name, listed = listed, None
        if number < len(scan.unopened) or scan.outside:
            made = f'"{name or "..."}": {made}'
    return ("{" + made, "}") if scan.outside else (made, "")


def _flow_end(trouble: Trouble, text: str, scan: _Scan) -> Iterator[Change]:
    """YAML that ends inside a list in brackets."""
    if not scan.stack or scan.unopened:
        return
    end = scan.structure if text[scan.structure :].strip() and not text.endswith("\n") else len(text.rstrip())
    closers = "".join(_PAIRS[top.bracket] for top in reversed(scan.stack))
    end -= text[:end].endswith(",")
    yield Change("cut-end", _line(text, end), _changed(trouble, text, [(end, len(text), closers)]), cut=True)


def _changed(trouble: Trouble, text: str, splices: list[tuple[int, int, str]]) -> dict[int, str]:
    """The lines that splices change; what is cut away leaves its line breaks."""
    made: list[str] = []
    at = 0
    for start, end, new in sorted(splices):
        made += text[at:start], new, "\n" * text.count("\n", start, end)
        at = max(end, at)
    lines = ("".join(made) + text[at:]).split("\n")
    return {index: line for index, line in enumerate(lines) if line != trouble.lines[index]}


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at)
