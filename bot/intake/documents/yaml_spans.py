"""Where block YAML of ai-toolkit stands in a text, between prose and log lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from bot.intake.documents.page import Page
from bot.intake.repair.nesting import nesting

_KEY = re.compile(r"""([ \t]*)((?:-[ \t]+)*)(["']?)([A-Za-z_][\w.-]{0,79}|<<)\3[ \t]*:(?:[ \t]+(.*))?$""")
_ITEM = re.compile(r"([ \t]*)-(?:[ \t]|$)")
_ELIDED = frozenset(("...", "[...]", "(...)", "..", "…", "# ...", "[snip]", "<snip>", "etc", "etc."))
_MOST_ELIDED = 20
_BROKEN = 3  # rows that one comment is broken into, beside its first
_SNAKE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_PLAIN = re.compile(r"""(?i:["']?(?:true|false|on|off|yes|no|\d{1,6})["']?)(?:[ \t]+#.*)?""")
_SETTING = re.compile(r",[ \t]*[A-Za-z_]\w*:[ \t]")


class YamlSpan(NamedTuple):
    """Rows `first` to `last` (inclusive) of a page; `elided` rows stand for something left out."""

    first: int
    last: int
    elided: tuple[int, ...] = ()


class _Row(NamedTuple):
    indent: int
    dashes: int
    key: str
    value: str


class Words(NamedTuple):
    """Every key of ai-toolkit, those that begin a section, and those of a job's root."""

    keys: frozenset[str]
    sections: frozenset[str]
    document: frozenset[str]


@cache
def words() -> Words:
    """The vocabulary, put together once."""
    known = nesting()
    return Words(known.known, known.document.union(known.containers), known.document)


@dataclass(slots=True)
class _Block:
    """A run of rows that may be YAML, while it grows."""

    first: int
    base: int
    keys: list[tuple[str, str]] = field(default_factory=list)
    last: int = 0
    indent: int = 0
    open_value: bool = False
    depth: int = 0
    dashes: set[int] = field(default_factory=set)
    top: set[str] = field(default_factory=set)
    elided: list[int] = field(default_factory=list)
    pending: list[int] = field(default_factory=list)


def whole_job(page: Page) -> YamlSpan | None:
    """The span of a text that is one whole job and nothing else, told by a look at how its rows begin."""
    rows = page.rows
    margin = [row for row in rows if row and row[0] not in " \t#-"]
    names = [row.partition(":")[0].strip("\"'") for row in margin]
    if not {"job", "config"} <= set(names) <= words().document or len(set(names)) != len(names) or page.breaks:
        return None
    content = [at for at, row in enumerate(rows) if (bare := row.lstrip()) and bare[0] != "#" and bare[:3] != "---"]
    plain = all(":" in rows[at] or rows[at].lstrip()[:2] == "- " for at in content)
    return YamlSpan(content[0], content[-1]) if plain and rows[content[0]][0] not in " \t-" else None


def yaml_spans(page: Page, taken: frozenset[int]) -> Iterator[YamlSpan]:
    """Every span, first to last. Rows in `taken` belong to something else."""
    known = words()
    at, rows = 0, page.rows
    while at < len(rows):
        row = None if at in taken else _read(rows[at])
        if row is None or not (row.key in known.keys or _SNAKE.fullmatch(row.key) or row.value[:1] == "&"):
            at += 1
            continue
        block = _Block(at, row.indent, last=at)
        _take(block, at, row)
        at = _grow(page, block, known, taken)
        if _is_config(block, known):
            yield YamlSpan(block.first, block.last, (*block.elided, *block.pending))


def _read(row: str) -> _Row | None:
    if ":" not in row:
        return None
    found = _KEY.match(row)
    if found is None:
        return None
    value = (found[5] or "").strip()
    # A progress bar begins like a key (`my_lora:   2%|`), and prose lists settings on one line.
    if "%|" in value or (value and _SETTING.search(value) and value[0] not in "\"'{["):
        return None
    return _Row(len(found[1].expandtabs(4)), len(found[2]), found[4], value)


def _grow(page: Page, block: _Block, known: Words, taken: frozenset[int]) -> int:
    """Take the rows that go on with the block; the index of the first that does not."""
    rows = page.rows
    at = block.first + 1
    while at < len(rows) and at not in page.breaks and at not in taken:
        row = rows[at]
        bare = row.strip()
        if not bare or bare[0] == "#":
            at += 1
            continue
        if bare in _ELIDED:
            block.pending.append(at)
            if len(block.pending) + len(block.elided) > _MOST_ELIDED:
                break
            at += 1
            continue
        read = _read(row)
        if read is not None and read.indent >= block.base:
            if not _fits(block, read, known):
                break
            _take(block, at, read)
        elif read is not None or not (_goes_on(block, row) or _is_wrapped(rows, at, known)):
            break
        else:
            block.last = at
        at += 1
    return max(at, block.first + 1)


def _fits(block: _Block, row: _Row, known: Words) -> bool:
    if row.indent > block.base:
        # A first row that has its value already and yet stands further out was torn from a line of its own, or chat
        # has trimmed it.
        return len(block.keys) > 1 or block.open_value or bool(block.dashes) or _are_siblings(block.keys[0][0], row.key)
    if row.dashes:
        return block.open_value or row.indent in block.dashes
    if row.key in block.top and row.key in known.sections:
        return False  # the same section again: the next config of this paste
    return row.key in known.keys or bool(_SNAKE.fullmatch(row.key))


def _take(block: _Block, at: int, row: _Row) -> None:
    if block.pending:
        block.elided += block.pending
        block.pending.clear()
    if row.dashes:
        block.dashes.add(row.indent)
    if row.indent == block.base and not row.dashes:
        block.top.add(row.key)
    block.keys.append((row.key, row.value))
    block.last, block.indent = at, row.indent + row.dashes
    block.open_value = not row.value or row.value[0] in "#&|>[{"
    if row.value[-1:] in {"{", "["}:
        block.depth += 1


def _are_siblings(one: str, other: str) -> bool:
    """Whether a section of a job holds both keys."""
    return any(one in section.keys and other in section.keys for section in nesting().containers.values())


def _is_wrapped(rows: Sequence[str], at: int, known: Words) -> bool:
    """Whether a row is the rest of one that was broken: of quoted text, or of a comment above a row of the config."""
    if rows[at].count('"') % 2 and rows[at - 1].count('"') % 2:
        return True
    above = next((row for row in rows[at - 1 : max(at - 1 - _BROKEN, 0) : -1] if "#" in row or _read(row)), "")
    below = next(filter(None, map(_read, rows[at + 1 : at + 1 + _BROKEN])), None)
    return "#" in above and below is not None and below.key in known.keys


def _goes_on(block: _Block, row: str) -> bool:
    """Whether a row without a key is a list item here, with or without its dash, or goes on with the value above it."""
    item = _ITEM.match(row)
    if item is not None:
        indent = len(item[1].expandtabs(4))
        if indent < block.base or not (block.open_value or indent in block.dashes):
            return False
        block.dashes.add(indent)
        return True
    if row.strip()[0] in "]}":
        block.depth -= 1
        return block.open_value or block.depth >= 0
    if block.open_value and block.keys[-1][0] == "resolution" and row.strip().isdigit():
        return True
    indent = len(row) - len(row.lstrip())
    return indent > block.indent or (indent > block.base and block.open_value)


def is_setting(key: str, value: str) -> bool:
    """Whether a lone row is a setting: a key that only a config spells like this, with nothing but its value behind it."""
    return "_" in key and key in words().keys and _PLAIN.fullmatch(value) is not None


def _is_config(block: _Block, known: Words) -> bool:
    """A section with something in it, or two known keys of which one is spelled as only a config spells it."""
    names = [key for key, _ in block.keys if key in known.keys]
    if any(key in known.sections and value[:1] == "{" for key, value in block.keys):
        return True
    if len(block.keys) == 1 and block.last == block.first:
        key, value = block.keys[0]
        return is_setting(key, value)
    sections = any(key in known.sections and (not value or value[0] in "#&[") for key, value in block.keys)
    return sections or (len(names) > 1 and any("_" in key for key in names))
