"""What the repairs share: a text as lines, a change to try, the parts of a line."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from bot.yamledit import ParseError

KEY = r"""[A-Za-z_][\w.-]{0,80}|"[^"\n]{0,80}"|'[^'\n]{0,80}'"""
_ENTRY = re.compile(rf"(?P<lead>[ \t]*(?:-[ \t]+)*)(?:(?P<key>{KEY})[ \t]*:(?=[ \t]|\Z)[ \t]*)?(?P<value>.*)\Z")

JSON_MEMBER = re.compile(r'\s*"[^"\n]*"\s*:')
_JSON_STARTS = frozenset('{["}]')


@dataclass(frozen=True, slots=True)
class Change:
    """A repair to try: new content for some lines, by 0-based index. No line is added or taken away.

    `above` is a line to put before the first one, the only way to give a headless text its head. `cut` is true where
    something is closed for reading only.
    """

    kind: str
    at: int
    lines: Mapping[int, str]
    above: str | None = None
    cut: bool = False

    def made_in(self, lines: list[str]) -> list[str]:
        """The lines with the change made."""
        made = list(lines)
        for index, line in self.lines.items():
            made[index] = line
        return made if self.above is None else [self.above, *made]


@dataclass(frozen=True, slots=True)
class Trouble:
    """A text that does not parse, as lines without their ends, and where the parser stopped (`at`, 0-based)."""

    lines: list[str]
    error: ParseError
    at: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", min(self.error.line, len(self.lines)) - 1)

    @property
    def is_json(self) -> bool:
        """Whether the text begins as JSON does, or goes on as JSON where its first line is torn."""
        content = list(islice((line.lstrip() for line in self.lines if line.strip()), 4))
        return bool(content) and (content[0][:1] in _JSON_STARTS or any(map(JSON_MEMBER.match, content)))

    def suspects(self) -> Iterator[int]:
        """The lines that an error is likeliest in: where it shows, the one before, where what broke began."""
        seen: set[int] = set()
        began = self.error.began - 1 if self.error.began else self.at
        for index in (self.at, self.before(self.at), began):
            if index is not None and index not in seen and index < len(self.lines):
                seen.add(index)
                yield index

    def before(self, index: int) -> int | None:
        """The closest line above that has content."""
        return next((at for at in range(index - 1, -1, -1) if is_content(self.lines[at])), None)

    def after(self, index: int) -> int | None:
        """The closest line below that has content."""
        return next((at for at in range(index + 1, len(self.lines)) if is_content(self.lines[at])), None)

    def first(self) -> int:
        """The first line with content."""
        return self.after(-1) or 0

    def last(self) -> int:
        """The last line with content."""
        return self.before(len(self.lines)) or 0


@dataclass(frozen=True, slots=True)
class Entry:
    """A line's parts: blanks and dashes with the key and its colon, then the value, then blanks and a comment."""

    prefix: str
    key: str
    value: str
    tail: str


def is_content(line: str) -> bool:
    """Whether a line is neither blank nor a comment."""
    stripped = line.strip()
    return bool(stripped) and not stripped.startswith("#")


def indent_of(line: str) -> int:
    """How many blanks of any kind a line begins with."""
    return len(line) - len(line.lstrip())


def entry(line: str) -> Entry | None:
    """The parts of a line that holds a value of its own, behind a key or a dash."""
    found = _ENTRY.match(line)
    if not found or not is_content(line) or not (found["key"] or "-" in found["lead"]):
        return None
    written = found["value"]
    at = _comment_start(written)
    value = written[:at].rstrip()
    return Entry(line[: found.start("value")], (found["key"] or "").strip("\"'"), value, written[len(value) :])


def _comment_start(value: str) -> int:
    """Where a comment begins: behind the closing quote of quoted text, if that closes."""
    closing = -1
    if value[:1] in {'"', "'"}:
        closing = value.find(value[0], 1)
        while closing > 0 and value[closing - 1] == "\\":
            closing = value.find(value[0], closing + 1)
    at = value.find(" #", max(closing, 0))
    return len(value) if at < 0 else at
