"""Symbolic patches by path, applied as splices."""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from bot.yamledit.expect import as_splices, patched, same, value_at
from bot.yamledit.limits import PATCHED, EditError
from bot.yamledit.page import Edit, Page
from bot.yamledit.parse import LimitError, Parsed, ParseError, parse
from bot.yamledit.path import Path, format_path
from bot.yamledit.section import reread

__all__ = ["Edit", "EditError", "Edited", "Patch", "apply"]


class Patch(NamedTuple):
    """One change. `add` makes the last key (and missing mappings on the way); `replace` on an absent key is an error.

    `append` and `remove_item` work on the list at `path` (`remove_item` by value). What is so already is no change:
    `add` of a key with that value, `append` of an item that is there, `remove` and `remove_item` of what is not.
    """

    op: Literal["replace", "add", "remove", "append", "remove_item"]
    path: Path
    value: Any = None


class Edited(NamedTuple):
    """The text after, parsed again, with the splices (offsets in the text before, ascending)."""

    parsed: Parsed
    edits: tuple[Edit, ...]


def apply(parsed: Parsed, patches: tuple[Patch, ...]) -> Edited:
    """Apply patches in order; the result differs in the patched paths alone. Raises EditError.

    All at once where they do not meet, which costs one parse; else one after the other.
    """
    try:
        return _apply_together(parsed, patches)
    except EditError:
        if len(patches) < 2:
            raise
    pieces: list[Edit | tuple[int, int]] = [(0, len(parsed.text))]
    now = parsed
    for patch in patches:
        done = _apply_together(now, (patch,))
        pieces = _spliced(pieces, done.edits)
        now = done.parsed
    edits = _edits(pieces, len(parsed.text))
    return Edited(now, tuple(edit for edit in edits if parsed.text[edit.start : edit.end] != edit.new))


def _apply_together(parsed: Parsed, patches: tuple[Patch, ...]) -> Edited:
    page = Page(parsed)
    expected = parsed.data
    edits: list[Edit] = []
    for patch in patches:
        wanted = patched(expected, patch.op, patch.path, patch.value)
        if not same(wanted, expected):
            edits.extend(as_splices(page, patch.op, patch.path, patch.value))
        expected = wanted
    if not edits:
        return Edited(parsed, ())
    edits = _in_order(edits, patches[0].path)
    text = _text_after(parsed.text, edits)
    result = reread(parsed, edits, [patch.path for patch in patches], text, expected)
    if result is not None:
        return Edited(result, tuple(edits))
    try:
        result = parse(text, PATCHED)
    except (ParseError, LimitError) as error:
        raise EditError("result", patches[0].path, f"the result would not parse: {error}") from error
    if not _agrees(result.data, expected, patches):
        reason = "anchor" if "&" in parsed.text and "*" in parsed.text else "result"
        where = format_path(patches[0].path)
        raise EditError(reason, patches[0].path, f"a change of {where} would change something else too")
    return Edited(result, tuple(edits))


def _agrees(data: Any, expected: Any, patches: tuple[Patch, ...]) -> bool:
    """Whether the values are as expected. Only what was written anew can differ in type alone (`1` and `true`)."""
    return data == expected and all(
        same(value_at(data, path), value_at(expected, path))
        for path in (patch.path[:-1] if patch.op == "remove" else patch.path for patch in patches)
    )


def _in_order(edits: Iterable[Edit], path: Path) -> list[Edit]:
    made: list[Edit] = []
    for edit in sorted(
        (edit for edit in edits if edit.new or edit.end > edit.start), key=lambda edit: (edit.start, edit.end)
    ):
        if made and edit.start < made[-1].end:
            raise EditError("overlap", path, f"changes at {format_path(path)} meet in the text")
        if made and edit.start == edit.end == made[-1].end:
            made[-1] = Edit(made[-1].start, edit.end, made[-1].new + edit.new)
        else:
            made.append(edit)
    return made


def _text_after(text: str, edits: Iterable[Edit]) -> str:
    made: list[str] = []
    at = 0
    for edit in edits:
        made += text[at : edit.start], edit.new
        at = edit.end
    return "".join(made) + text[at:]


def _spliced(pieces: list[Edit | tuple[int, int]], edits: tuple[Edit, ...]) -> list[Edit | tuple[int, int]]:
    """The pieces of a text (spans of the first text, and new text) after further edits of it."""
    made: list[Edit | tuple[int, int]] = []
    waiting = list(edits)
    at = 0
    for piece in pieces:
        length = len(piece.new) if isinstance(piece, Edit) else piece[1] - piece[0]
        done = 0
        while waiting and waiting[0].start <= at + length:
            edit = waiting[0]
            made.append(_part(piece, done, max(edit.start - at, done)))
            if edit.new:
                made.append(Edit(0, 0, edit.new))
            done = min(max(edit.end - at, done), length)
            if edit.end > at + length:
                waiting[0] = Edit(at + length, edit.end, "")
                break
            waiting.pop(0)
        made.append(_part(piece, done, length))
        at += length
    return [piece for piece in made if (piece.new if isinstance(piece, Edit) else piece[0] < piece[1])]


def _part(piece: Edit | tuple[int, int], start: int, end: int) -> Edit | tuple[int, int]:
    if isinstance(piece, Edit):
        return Edit(0, 0, piece.new[start:end])
    return piece[0] + start, piece[0] + end


def _edits(pieces: list[Edit | tuple[int, int]], length: int) -> Iterable[Edit]:
    """What lies between the spans that were kept."""
    at, new = 0, ""
    for piece in [*pieces, (length, length)]:
        if isinstance(piece, Edit):
            new += piece.new
            continue
        if new or piece[0] > at:
            yield Edit(at, piece[0], new)
        at, new = piece[1], ""
