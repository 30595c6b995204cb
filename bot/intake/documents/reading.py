"""A span of a source read as a config: verbatim where it can be, repaired where it must be."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from bot.evidence import ConfigDocument, Repair
from bot.facts import Place
from bot.intake.documents.page import Page
from bot.intake.repair.mend import Mended, mend
from bot.intake.repair.nesting import nesting
from bot.intake.text.decode import Notice
from bot.yamledit import LimitError, ParseError, parse
from bot.yamledit.path import Path

_SHOWN = 160
_WRAPPED = "job_config"  # what a job is under where the UI's server sends or takes it
_SECTION = re.compile(r"""([ \t]*)["']?([a-z_]{2,20})["']?[ \t]*:[ \t]*(?:[{\[#].*)?$""")
_BULLET = re.compile(r"(?m)^([ \t]*)- ")
_QUOTED_KEY = re.compile(r"""["']([a-z][a-z0-9_]{2,60})["'][ \t]{0,8}:""")


class Piece(NamedTuple):
    """A span of a page's joined text that may be a config.

    `bare`: JSON pairs without braces around them. `cut`: something is left out of it. `data`: its content, where it is
    known. `inner`: the config's own span, where the piece takes in the comments around it.
    """

    start: int
    end: int
    format: Literal["yaml", "json"]
    bare: bool = False
    cut: bool = False
    data: Any = None
    inner: tuple[int, int] | None = None


def read_piece(page: Page, piece: Piece, notices: list[Notice]) -> list[ConfigDocument]:
    """The config in a span; its readable sections where the whole cannot be read; else nothing, and a notice."""
    if piece.bare:
        stripped = page.joined[piece.start : piece.end].rstrip(", \t\n")
        piece = piece._replace(end=piece.start + len(stripped))
    origin = page.original(piece.start, piece.end)
    as_pasted = origin is not None and not page.is_odd(*origin)
    text = page.text[slice(*origin)] if origin is not None and as_pasted else page.joined[piece.start : piece.end]
    try:
        document = _document(page, piece, origin, text)
        return [document if as_pasted else _numbered(page, piece, document)]
    except LimitError as error:
        notices.append(("config-too-large", {"limit": error.limit, "allowed": error.allowed}))
        return []
    except ParseError as error:
        trouble = error
    if piece.format == "json" and not _speaks_of_us(text):
        return []
    parts = [part for section in _sections(page, piece) for part in read_piece(page, section, [])]
    first = page.row_at(piece.start)
    row = min(first + trouble.line - 1, page.row_at(piece.end))
    place = {"line": page.lines[row].number, "text": page.rows[row].strip()[:_SHOWN], "problem": trouble.problem}
    notices.append(("config-partly-readable" if parts else "config-unreadable", place))
    return parts


def _document(page: Page, piece: Piece, origin: tuple[int, int] | None, text: str) -> ConfigDocument:
    """Raises ParseError or LimitError."""
    above = 0
    if piece.bare and not _parses(text):
        text, above = "{\n" + text + "\n}", 1
    made = mend(text)
    if made is None:
        parsed = parse(text)  # says where and why, or gives the list that a fragment may be
        made = Mended(text, (), cut=False, parsed=parsed)
    if _is_bulleted(made.parsed.data):
        plain = _BULLET.sub(r"\1", made.text)
        made = Mended(plain, (), cut=False, parsed=parse(plain))
    first = page.row_at(piece.start)
    start, end = origin or (0, 0)
    root = root_of(made.parsed.data)
    return ConfigDocument(
        source=page.source,
        start=start,
        end=end,
        line=page.lines[first].number - above - made.above,
        text=made.text,
        verbatim=origin is not None and page.text[start:end] == made.text,
        format=piece.format,
        parsed=made.parsed,
        root=root,
        repairs=tuple(
            _repair(page, first, kind, line - above) for kind, line in ((m.kind, m.line) for m in made.mends)
        ),
        broken=text if made.mends else None,
        cut=piece.cut or made.cut or _lacks_model(made.parsed.data, root),
        above=made.above,
    )


def _numbered(page: Page, piece: Piece, document: ConfigDocument) -> ConfigDocument:
    """With the line of each row where they do not count up by one: an unfolded text, a diff as the file is now."""
    first, last = page.row_at(piece.start), page.row_at(piece.end - 1)
    numbers = tuple(line.number for line in page.lines[first : last + 1])
    above = numbers[0] - document.line
    below = document.text.count("\n") + 1 - above - len(numbers)
    if numbers[-1] - numbers[0] == last - first or below < 0:
        return document
    return replace(document, numbers=numbers[:1] * above + numbers + numbers[-1:] * below)


def _is_bulleted(data: Any) -> bool:
    """Whether a list is no list but settings behind bullets: one each, and no dataset among them."""
    return (
        isinstance(data, list)
        and len(data) > 1
        and all(isinstance(item, Mapping) and len(item) == 1 for item in data)
        and not any("folder_path" in item or "prompt" in item for item in data)
    )


def _speaks_of_us(text: str) -> bool:
    """Whether a text that cannot be read holds the keys of a config: anything else needs no words."""
    return len({key for key in _QUOTED_KEY.findall(text[:20_000]) if key in nesting().known}) > 1


def _parses(text: str) -> bool:
    """Whether pairs read as YAML as they are: one pair does, of several the commas become part of the values."""
    try:
        data = parse(text).data
    except (ParseError, LimitError):
        return False
    return isinstance(data, dict) and not any(isinstance(value, str) and value.endswith(",") for value in data.values())


def _repair(page: Page, first: int, kind: str, line: int) -> Repair:
    row = min(first + max(line, 1) - 1, len(page.rows) - 1)
    return Repair(kind, Place(page.source, page.lines[row].number, page.rows[row].strip()[:_SHOWN]))


def root_of(data: Any) -> Path:
    """The way from a document's root to the process that trains: () for a dump or a fragment."""
    if isinstance(data, list):
        nested = bool(data) and isinstance(data[0], Mapping) and not nesting().containers.keys().isdisjoint(data[0])
        return (0, *root_of(data[0])) if nested and "folder_path" not in data[0] else ()
    if not isinstance(data, Mapping):
        return ()
    if isinstance(data.get("config"), Mapping):
        return ("config", *_process(data["config"]))
    inner = data.get(_WRAPPED)
    return (_WRAPPED, *root_of(inner)) if isinstance(inner, Mapping) else _process(data)


def _process(data: Mapping[str, Any]) -> Path:
    listed = data.get("process")
    if isinstance(listed, Mapping):
        return ("process",)
    if not isinstance(listed, list) or not listed:
        return ()
    trains = (at for at, item in enumerate(listed) if isinstance(item, Mapping) and "train" in item)
    return ("process", next(trains, 0))


def _lacks_model(data: Any, root: Path) -> bool:
    """A job without its model does not run: the rest of it was not copied."""
    process = data
    for part in root:
        process = process[part]
    return isinstance(process, Mapping) and "model" not in process and bool(root or "type" in process)


def _sections(page: Page, piece: Piece) -> Iterator[Piece]:
    """Each section of a block that does not parse as a whole, down to the next row that is indented no deeper."""
    if piece.format == "json" or (piece.cut and piece.data == "section"):
        return
    first, last = page.row_at(piece.start), page.row_at(piece.end)
    named = {"train", "model", "sample", "network", "datasets", "save"}
    heads = {
        at: len(found[1].expandtabs(4))
        for at in range(first, last + 1)
        if (found := _SECTION.match(page.rows[at])) and found[2] in named
    }
    if len(heads) < 2:
        return
    for head, indent in heads.items():
        stop = head + 1
        while stop <= last and stop not in heads and _deeper(page.rows[stop], indent):
            stop += 1
        end = page.starts[stop - 1] + len(page.rows[stop - 1])
        yield Piece(page.starts[head], end, "yaml", cut=True, data="section")


def _deeper(row: str, indent: int) -> bool:
    bare = row.lstrip()
    return not bare or len(row[: len(row) - len(bare)].expandtabs(4)) > indent or (bare[0] == "-" and bare[:2] != "--")
