"""The configs inside a paste, and the lines that are none."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from bot.evidence import ConfigDocument
from bot.intake.documents.fragments import join_fragments
from bot.intake.documents.page import Page, make_page
from bot.intake.documents.reading import Piece, read_piece
from bot.intake.documents.yaml_spans import is_setting, whole_job, words, yaml_spans
from bot.intake.text.clean import Line
from bot.intake.text.decode import Notice

MOST = 20  # documents read of one source


class Found(NamedTuple):
    """Configs of ai-toolkit in order; the content of every object read, ours or not; the lines outside of configs.

    `paths` are lines of configs that hold a path, without the comments.
    """

    documents: tuple[ConfigDocument, ...] = ()
    data: tuple[Mapping[str, Any], ...] = ()
    rest: tuple[Line, ...] = ()
    paths: tuple[Line, ...] = ()
    notices: tuple[Notice, ...] = ()


def find_documents(page: Page) -> Found:
    """Separate one source. Reads at most MOST documents of it."""
    documents: list[ConfigDocument] = []
    data: list[Mapping[str, Any]] = []
    notices: list[Notice] = []
    taken: list[Piece] = []
    for piece in _pieces(page):
        if isinstance(piece.data, Mapping) and not is_ours(piece.data):
            data.append(piece.data)
            documents += _written_out(page, piece)
            continue
        if len(documents) >= MOST:
            notices.append(("too-many-documents", {"most": MOST}))
            break
        read = [made for made in read_piece(page, piece, notices) if is_ours(made.parsed.data)]
        if read:
            documents += read
            taken.append(piece)
            data += [made.parsed.data for made in read if isinstance(made.parsed.data, Mapping)]
    return Found(tuple(join_fragments(documents)), tuple(data), _rest(page, taken), _paths(page, taken), tuple(notices))


def _written_out(page: Page, piece: Piece) -> list[ConfigDocument]:
    """The job that a record of the toolkit's job table holds as one string."""
    value = piece.data.get("job_config")
    if not isinstance(value, str):
        return []
    number = page.lines[page.row_at(piece.start)].number
    inner = make_page(page.source, value, tuple(Line(row, number) for row in value.split("\n")))
    return [replace(made, start=0, end=0, verbatim=False) for made in find_documents(inner).documents]


def is_ours(data: Any) -> bool:
    """Whether the keys are those of ai-toolkit: a section with content, two keys it knows, or one with a plain value."""
    if isinstance(data, list):
        return any(isinstance(item, Mapping) and is_ours(item) for item in data[:3])
    if not isinstance(data, Mapping):
        return False
    if isinstance(data.get("job_config"), Mapping):
        return is_ours(data["job_config"])
    known = words()
    if len(data) == 1:
        key, value = next(iter(data.items()))
        if isinstance(key, str) and isinstance(value, bool | int | str) and is_setting(key, str(value)):
            return True
    return sum(key in known.keys for key in data) > 1 or any(
        isinstance(value, dict | list) and key in known.sections for key, value in data.items()
    )


def _pieces(page: Page) -> list[Piece]:
    """Every span that may be a config, first to last. One with nothing but comments around it is the whole text."""
    whole = whole_job(page)
    if whole is not None:
        inner = (page.starts[whole.first], page.starts[whole.last] + len(page.rows[whole.last]))
        return [Piece(0, len(page.joined), "yaml", inner=inner)]
    from bot.intake.documents.json_spans import json_spans

    found: list[Piece] = []
    rows: set[int] = set()
    for span in json_spans(page):
        if span.data is None or isinstance(span.data, Mapping) or is_ours(span.data):
            found.append(Piece(span.start, span.end, "json", bare=span.pairs, cut=span.cut, data=span.data))
            rows.update(range(page.row_at(span.start), page.row_at(span.end - 1) + 1))
    for block in yaml_spans(page, frozenset(rows)):
        end = page.starts[block.last] + len(page.rows[block.last])
        found.append(Piece(page.starts[block.first], end, "yaml", cut=bool(block.elided)))
    if len(found) == 1 and not found[0].bare:
        piece = found[0]
        outside = (page.joined[: piece.start] + page.joined[piece.end :]).split("\n")
        if all(row[:3] == "---" or row.lstrip()[:1] in {"", "#"} for row in outside):
            return [
                Piece(0, len(page.joined), piece.format, cut=piece.cut, data=piece.data, inner=(piece.start, piece.end))
            ]
    return sorted(found)


def _paths(page: Page, taken: list[Piece]) -> tuple[Line, ...]:
    spans = [slice(page.row_at(piece.start), page.row_at(piece.end) + 1) for piece in taken]
    return tuple(
        Line(page.rows[at], page.lines[at].number)
        for span in spans
        for at, row in enumerate(page.rows[span], span.start)
        if ("/" in row or "\\" in row) and row.lstrip()[:1] != "#"
    )


def _rest(page: Page, taken: list[Piece]) -> tuple[Line, ...]:
    """The lines outside of configs; comments right above and below a config are read as what they say."""
    if not taken:
        return tuple(Line(row, line.number) for row, line in zip(page.rows, page.lines, strict=True))
    made: list[Line] = []
    at = 0
    for piece in taken:
        start, end = piece.inner or (piece.start, piece.end)
        first, last = page.row_at(start), page.row_at(end - 1)
        made += _said(page, at, first, below=at > 0)
        before = page.rows[first][: start - page.starts[first]]
        after = page.rows[last][end - page.starts[last] :]
        made += [
            Line(part, page.lines[row].number) for part, row in ((before, first), (after, last)) if part.strip("` ,\t")
        ]
        at = last + 1
    made += _said(page, at, len(page.rows), below=True, above=False)
    return tuple(made)


def _said(page: Page, start: int, stop: int, *, below: bool, above: bool = True) -> Iterator[Line]:
    """The rows between two configs. `below` and `above`: whether one ends right before them, or begins right after."""
    rows = page.rows
    head, tail = start, stop
    while below and head < stop and _is_remark(rows[head]):
        head += 1
    while above and tail > head and _is_remark(rows[tail - 1]):
        tail -= 1
    for at in range(start, stop):
        row = rows[at]
        if at < head or at >= tail:
            row = row.lstrip().removeprefix("#").removeprefix(" ") if row.strip() != "---" else ""
        yield Line(row, page.lines[at].number)


def _is_remark(row: str) -> bool:
    bare = row.strip()
    return not bare or bare == "---" or (bare[0] == "#" and not bare.startswith("###") and bare[-1] != "#")
