"""Certain repairs of YAML and JSON that does not parse: tabs, open quotes, Windows paths, lost indentation, cut ends.

The parser leads: where it stops, the repairs that fit there are tried, and one is kept only if the parser then gets
further. What is kept must in the end read as a config. Lines keep their number, so that a place in the mended text is
the same place in what was pasted.
"""

import re
from collections.abc import Iterator
from typing import Any

from bot.intake.repair.brackets import bracket_changes
from bot.intake.repair.change import Change, Trouble, entry, is_content
from bot.intake.repair.indent import head_changes, place_changes, whole_text_changes
from bot.intake.repair.lines import closed_keys, line_changes
from bot.intake.repair.lists import dash_change
from bot.intake.repair.nesting import nesting
from bot.intake.repair.renest import is_flat, renested
from bot.intake.repair.result import Mend, Mended, attempt
from bot.yamledit import Parsed, ParseError

_LAST_KEY = "version"  # of a job: nothing follows it in a whole file either
_TRIES = 60
_LISTS = 6  # lists without dashes that are put right in one text
_SHIFTED = 2  # lines moved by themselves in one text; where more are, all of its indentation is in doubt
_WORK = 600_000  # characters parsed in all tries together


class Mender:
    """One text on its way to being readable."""

    def __init__(self, text: str) -> None:
        self._text = text
        rows = text.split("\n")
        self._ends = ["\r" if row.endswith("\r") else "" for row in rows]
        self._lines = [row.removesuffix("\r") for row in rows]
        self._mends: list[Mend] = []
        self._cut = False
        self._above = 0
        self._budget = min(_TRIES, _WORK // (len(text) + 1))

    def run(self, read: Parsed | ParseError | None) -> Mended | None:
        """Repair until it parses or nothing certain helps."""
        if isinstance(read, Parsed):
            return self._finished(self._reread(read))
        if isinstance(read, ParseError) and is_flat(self._lines):
            nested = self._renested()
            if nested is not None:
                return self._finished(nested)
        if isinstance(read, ParseError) and "<document start>" in read.problem:
            read = self._without_second() or read
        while isinstance(read, ParseError):
            read = self._step(read)
        if read is None or sum(mend.kind == "indentation" for mend in self._mends) > _SHIFTED:
            read = self._renested(anyway=True) or read
        return None if read is None else self._finished(self._reread(read))

    def _step(self, error: ParseError) -> Parsed | ParseError | None:
        """Make the first change that lets the parser get further; None where there is none."""
        trouble = Trouble(self._lines, error)
        tried: set[tuple[tuple[int, str], ...]] = set()
        for change in _changes(trouble):
            signature = tuple(sorted(change.lines.items()))
            if signature in tried and not change.above:
                continue
            tried.add(signature)
            if self._budget <= 0:
                return None
            self._budget -= 1
            lines = change.made_in(self._lines)
            read = attempt(self._joined(lines, change))
            if read is not None and _is_further(read, error, lines, trouble, change):
                self._keep(change, lines)
                return read
        return None

    def _keep(self, change: Change, lines: list[str]) -> None:
        if change.above is not None:
            self._above += 1
            self._ends.insert(0, self._ends[0])
        self._lines = lines
        self._cut = self._cut or change.cut
        self._mends.append(Mend(change.kind, max(change.at + 1 - self._above + (change.above is not None), 1)))

    def _joined(self, lines: list[str], change: Change | None = None) -> str:
        ends = self._ends if change is None or change.above is None else [self._ends[0], *self._ends]
        return "\n".join(line + end for line, end in zip(lines, ends, strict=True))

    def _reread(self, parsed: Parsed) -> Parsed:
        """What parses may still not be what was meant."""
        for repair in (self._without_odd_blanks, self._without_dots, self._without_second, self._renested):
            parsed = repair() or parsed
        change = closed_keys(self._lines) if parsed.text.lstrip()[:1] == "{" else None
        if change:
            parsed = self._try(change.kind, change.at, change.made_in(self._lines)) or parsed
        for _ in range(_LISTS):
            change = dash_change(parsed, self._lines)
            read = self._try(change.kind, change.at, change.made_in(self._lines)) if change else None
            if read is None:
                break
            parsed = read
        return parsed

    def _try(self, kind: str, at: int, lines: list[str]) -> Parsed | None:
        read = attempt(self._joined(lines)) if lines != self._lines else None
        if not isinstance(read, Parsed):
            return None
        self._lines = lines
        self._mends.append(Mend(kind, at + 1))
        return read

    def _without_odd_blanks(self) -> Parsed | None:
        trouble = Trouble(self._lines, ParseError("", 1, 1))
        change = next((change for change in whole_text_changes(trouble) if change.kind == "odd-blanks"), None)
        return self._try("odd-blanks", change.at, change.made_in(self._lines)) if change else None

    def _without_dots(self) -> Parsed | None:
        """`...` at the margin ends a document for the parser, where a person means that something is left out."""
        dots = [
            at
            for at, line in enumerate(self._lines[:-1])
            if line.rstrip() == "..." and any(map(is_content, self._lines[at + 1 :]))
        ]
        if not dots:
            return None
        lines = ["# ..." if at in set(dots) else line for at, line in enumerate(self._lines)]
        return self._try("placeholder", dots[0], lines)

    def _without_second(self) -> Parsed | None:
        """The same text pasted twice in a row."""
        content = [at for at, line in enumerate(self._lines) if is_content(line) and line.strip() != "---"]
        half = len(content) // 2
        if half < 3 or len(content) % 2:
            return None
        if any(self._lines[a] != self._lines[b] for a, b in zip(content[:half], content[half:], strict=True)):
            return None
        start = content[half]
        return self._try("pasted-twice", start, [line if at < start else "" for at, line in enumerate(self._lines)])

    def _renested(self, *, anyway: bool = False) -> Parsed | None:
        """Every line back under its section: of a text without indentation, or of one whose indentation says nothing (`anyway`)."""
        if not is_flat([line.strip() for line in self._lines] if anyway else self._lines):
            return None
        lines = renested(self._lines)
        if lines is None:
            return None
        self._mends = [mend for mend in self._mends if mend.kind != "indentation"]
        first = next(at for at, line in enumerate(self._lines) if lines[at] != line) if lines != self._lines else 0
        return self._try("indentation", first, lines)

    def _finished(self, parsed: Parsed) -> Mended | None:
        if not isinstance(parsed.data, dict) or (self._mends and not _is_config(parsed.data)):
            return None
        return Mended(parsed.text, tuple(self._mends), self._cut, parsed, self._above)


def _changes(trouble: Trouble) -> Iterator[Change]:
    """Every repair that fits where the parser stopped, the surest first."""
    yield from whole_text_changes(trouble)
    at_end = trouble.at >= trouble.last()
    if at_end:
        yield from _cut_line(trouble)
        yield from bracket_changes(trouble)
    elif "<document start>" in trouble.error.problem:
        yield from head_changes(trouble)
    yield from line_changes(trouble)
    if not trouble.is_json:
        yield from place_changes(trouble)
        yield from head_changes(trouble)
    if not at_end:
        yield from bracket_changes(trouble)


def _cut_line(trouble: Trouble) -> Iterator[Change]:
    """A last line that stops in the middle of a key, or of quoted text that nothing follows."""
    last = trouble.last()
    if last and re.fullmatch(r"\s*\w+", trouble.lines[last]):
        yield Change("cut-end", last, {last: ""}, cut=True)
    parts = entry(trouble.lines[last])
    if parts and parts.value.count('"') == 1 and parts.value[0] == '"' and parts.key != _LAST_KEY:
        yield Change("cut-end", last, {last: f'{trouble.lines[last]}"'}, cut=True)


def _is_further(
    read: Parsed | ParseError, error: ParseError, lines: list[str], trouble: Trouble, change: Change
) -> bool:
    """Whether the parser got to the end, or past where it stopped before."""
    if isinstance(read, Parsed):
        return True
    line = read.line - (change.above is not None)
    if line != error.line or not 0 < line <= len(trouble.lines):
        return line > error.line
    return len(lines[read.line - 1]) - read.column < len(trouble.lines[error.line - 1]) - error.column


def _is_config(data: dict[str, Any]) -> bool:
    """Whether a key that ai-toolkit knows is among the first two levels."""
    known = nesting().known
    inner = (value for value in data.values() if isinstance(value, dict))
    return any(key in known for part in (data, *inner) for key in part)
