"""Repairs within a line of YAML or JSON: quotes, Windows paths, bare text, a blank that is missing."""

import json
import re
from collections.abc import Iterator

from bot.intake.repair.change import JSON_MEMBER, Change, Entry, Trouble, entry, indent_of, is_content
from bot.intake.repair.nesting import nesting

_WINDOWS = re.compile(r'"((?:[A-Za-z]:|\\\\)[^"\n]*\\[^"\n]*|[A-Za-z]:\\)"')
_BACKSLASHED = re.compile(r'"([^"\n]*\\[^"\n]*)"')
_GLUED = re.compile(r"(?P<lead>[ \t]*(?:-[ \t]+)*)(?P<key>[A-Za-z_]\w{0,80}):(?P<value>[^\s/\\:].*)\Z")
_JSON_KEY_OPEN = re.compile(r'\A(?P<lead>[\s{]*)"(?P<key>[A-Za-z_]\w{0,80})\s*:(?P<rest>\s.*)\Z')
_JSON_KEY_CLOSED = re.compile(r'\A(?P<lead>[\s{]*)(?P<key>[A-Za-z_]\w{0,80})"\s*:(?P<rest>\s.*)\Z')
_JSON_KEY = r'\g<lead>"\g<key>":\g<rest>'
_LOOK_BACK = 100  # lines in which a list or mapping without its bracket may have begun
_STRAY = frozenset("\\,;`\"'")
_ALIAS = re.compile(r"\*[A-Za-z_][\w-]{0,40}")
_NEVER_BARE = frozenset("@`%[]{}*&!|>?,\"'")
_DOTS = ("...", "\u2026", "[...]", "{...}", "(...)", "[\u2026]", "<...>", "//...", "--")


def line_changes(trouble: Trouble) -> Iterator[Change]:
    """Every repair within one line, the likeliest lines first."""
    for index in trouble.suspects():
        line = trouble.lines[index]
        for kind, new in _changes(line, trouble, at_edge=index in {trouble.first(), trouble.last()}):
            if new != line:
                yield Change(kind, index, {index: new})
    yield from _broken_comments(trouble)
    yield from _earlier_quotes(trouble)
    if not trouble.is_json:
        yield from _lost_dashes(trouble)
    if trouble.is_json:
        yield from _missing_opener(trouble)
    if "','" in trouble.error.problem:
        yield from _missing_comma(trouble)


def _broken_comments(trouble: Trouble) -> Iterator[Change]:
    """A row that is the rest of the comment above it, broken where the line was full."""
    for index in trouble.suspects():
        if (
            index
            and "#" in trouble.lines[index - 1]
            and not entry(trouble.lines[index])
            and is_content(trouble.lines[index])
        ):
            yield Change("broken-comment", index, {index: f"# {trouble.lines[index].lstrip()}"})


def closed_keys(lines: list[str]) -> Change | None:
    """Keys of JSON that have their closing quote only: a parser takes that for a letter of the key."""
    changed = {
        at: _JSON_KEY_CLOSED.sub(_JSON_KEY, line) for at, line in enumerate(lines) if _JSON_KEY_CLOSED.match(line)
    }
    return Change("open-quote", min(changed), changed) if changed else None


def _changes(line: str, trouble: Trouble, *, at_edge: bool) -> Iterator[tuple[str, str]]:
    yield from _stray_lines(line, as_json=trouble.is_json, at_edge=at_edge)
    yield "windows-path", _path_mended(line, _WINDOWS, as_json=trouble.is_json)
    if trouble.is_json:
        yield "open-quote", _JSON_KEY_OPEN.sub(_JSON_KEY, line)
        yield "open-quote", _JSON_KEY_CLOSED.sub(_JSON_KEY, line)
    parts = entry(line)
    if parts and parts.value:
        yield from _value_changes(parts, as_json=trouble.is_json)
    yield "windows-path", _path_mended(line, _BACKSLASHED, as_json=trouble.is_json)
    glued = _GLUED.match(line)
    if glued and glued["key"] in nesting().known:
        yield "missing-blank", f"{glued['lead']}{glued['key']}: {glued['value']}"


def _stray_lines(line: str, *, as_json: bool, at_edge: bool) -> Iterator[tuple[str, str]]:
    """Code fences, and dots that stand for what was left out: the line stays, empty or as a comment."""
    stripped = line.strip()
    if stripped.startswith(("```", "~~~")) or stripped == "`":
        yield "code-fence", ""
    elif at_edge and stripped.startswith("`"):
        yield "code-fence", line.replace("`", "", 1)
    elif at_edge and stripped.endswith("`"):
        yield "code-fence", line.rstrip().rstrip("`")
    if stripped.startswith(_DOTS) and stripped.strip("-"):
        yield "placeholder", "" if as_json else f"{line[: len(line) - len(line.lstrip())]}# {stripped}"


def _value_changes(parts: Entry, *, as_json: bool) -> Iterator[tuple[str, str]]:
    value, comma = parts.value, ""
    if as_json:
        value, comma = value.rstrip(" ,"), value[len(value.rstrip(" ,")) :]

    def line(new: str) -> str:
        return f"{parts.prefix}{new}{comma}{parts.tail}"

    quote = value[0] if value[:1] in {'"', "'"} else ""
    if quote and _is_open(value, quote):
        yield "open-quote", line(value + quote)
    elif quote:
        yield from ((kind, line(new)) for kind, new in _requoted(value, quote))
    elif as_json and value.endswith('"'):
        yield "open-quote", line(f'"{value}')
    closing = {"[": "]", "{": "}"}.get(value[0])
    if closing and closing not in value and not as_json:
        yield "bracket-missing", line(value.rstrip(" ,") + closing)
    elif _ALIAS.fullmatch(value):
        return  # of an anchor that was not copied: whatever it stands for is no text
    elif not as_json and (value[0] in _NEVER_BARE or ": " in value or value.endswith(":")):
        yield "unquoted-text", line(_quoted(value))


def _is_open(value: str, quote: str) -> bool:
    if quote == "'":
        return value.count("'") % 2 == 1 and (value == "'" or not value.endswith("'"))
    return "".join(value.split("\\\\")).replace('\\"', "").count('"') == 1


def _requoted(value: str, quote: str) -> Iterator[tuple[str, str]]:
    """Text that its own quotation marks end too early, or with something behind the closing one."""
    closing = value.find(quote, 1)
    behind = value[closing + 1 :].strip()
    if behind and all(character in _STRAY for character in behind):
        yield "stray-character", value[: closing + 1]
    if len(value) > 2 and value.endswith(quote) and quote in value[1:-1]:
        inner = value[1:-1]
        if quote == "'":
            yield "inner-quote", "'" + inner.replace("''", "'").replace("'", "''") + "'"
        else:
            yield "inner-quote", '"' + re.sub(r'(\\.)|"', lambda found: found[1] or '\\"', inner) + '"'


def _quoted(value: str) -> str:
    if '"' not in value and "\\" not in value:
        return f'"{value}"'
    return "'" + value.replace("'", "''") + "'" if value.isprintable() else json.dumps(value, ensure_ascii=False)


def _path_mended(line: str, pattern: re.Pattern[str], *, as_json: bool) -> str:
    """Backslashes in double quotes begin escapes: single quotes in YAML, two of each in JSON."""

    def mended(found: re.Match[str]) -> str:
        content = found[1]
        single = content.replace("\\\\", "")
        if "\\" not in single and not content.endswith("\\"):
            return found[0]
        inner = content.removeprefix("\\\\")
        plain = content[: len(content) - len(inner)] + inner.replace("\\\\", "\\")
        return '"' + plain.replace("\\", "\\\\") + '"' if as_json else "'" + plain.replace("'", "''") + "'"

    return pattern.sub(mended, line) if "\\" in line else line


def _earlier_quotes(trouble: Trouble) -> Iterator[Change]:
    """A quote left open swallows lines until the next quote: look above where the parser stopped, too."""
    found = 0
    for index in range(trouble.at):
        if trouble.is_json and _JSON_KEY_OPEN.match(trouble.lines[index]):
            found += 1
            yield Change("open-quote", index, {index: _JSON_KEY_OPEN.sub(_JSON_KEY, trouble.lines[index])})
            continue
        parts = entry(trouble.lines[index]) if '"' in trouble.lines[index] or "'" in trouble.lines[index] else None
        if not parts or found >= 3:
            continue
        for kind, new in _value_changes(parts, as_json=trouble.is_json) if parts.value else ():
            if kind == "open-quote":
                found += 1
                yield Change(kind, index, {index: new})


def _missing_opener(trouble: Trouble) -> Iterator[Change]:
    """A key at the end of a line whose bracket is not there, with its content further in below."""
    for index in range(trouble.at, max(trouble.at - _LOOK_BACK, -1), -1):
        line, below = trouble.lines[index].rstrip(), trouble.after(index)
        if below is not None and line.endswith(":") and indent_of(trouble.lines[below]) > indent_of(line):
            bracket = "{" if JSON_MEMBER.match(trouble.lines[below]) else "["
            yield Change("bracket-missing", index, {index: f"{line} {bracket}"})
            return


def _missing_comma(trouble: Trouble) -> Iterator[Change]:
    index = trouble.before(trouble.at)
    if index is None:
        return
    line = trouble.lines[index].rstrip()
    if is_content(line) and line[-1] not in ",{[:":
        yield Change("missing-comma", index, {index: f"{line},"})


def _lost_dashes(trouble: Trouble) -> Iterator[Change]:
    """Lines of text one below the other under a key: a list whose dashes chat has eaten."""
    lines = trouble.lines
    above = trouble.before(trouble.at)
    while above is not None and _is_bare(lines[above]):
        above = trouble.before(above)
    if above is None or not lines[above].rstrip().endswith(":"):
        return
    changed = {}
    for index in range(above + 1, len(lines)):
        if is_content(lines[index]):
            if not _is_bare(lines[index]):
                break
            stripped = lines[index].lstrip()
            changed[index] = f"{lines[index][: len(lines[index]) - len(stripped)]}- {stripped}"
    if len(changed) > 1:
        yield Change("lost-dash", above + 1, changed)


def _is_bare(line: str) -> bool:
    return entry(line) is None
