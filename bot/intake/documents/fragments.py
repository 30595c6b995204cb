"""Several fragments of one config in one paste, brought together so that one diff serves them all."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bot.evidence import ConfigDocument
from bot.intake.repair.nesting import nesting
from bot.yamledit import LimitError, ParseError, parse

_MOST_BLANK = 40  # blank lines that keep line numbers right; beyond, one will do


def join_fragments(documents: Sequence[ConfigDocument]) -> list[ConfigDocument]:
    """The documents, neighbouring fragments of different sections made one. The joined text is no longer verbatim."""
    made: list[ConfigDocument] = []
    for document in documents:
        joined = _joined(made[-1], document) if made else None
        if joined is None:
            made.append(document)
        else:
            made[-1] = joined
    return made


def is_whole(document: ConfigDocument) -> bool:
    """Whether it is a whole job, or a process as the toolkit prints it: nothing but ai-toolkit writes those."""
    data = document.parsed.data
    return document.root[:1] == ("config",) or (isinstance(data, Mapping) and {"type", "train", "model"} <= data.keys())


def is_fragment(document: ConfigDocument) -> bool:
    """Whether a document is one or a few sections of a config, without what is around them."""
    data = document.parsed.data
    if document.root or not isinstance(data, Mapping) or "type" in data:
        return False
    containers = nesting().containers
    return any(key in containers and containers[key].inside == "process" for key in data)


def _joined(first: ConfigDocument, second: ConfigDocument) -> ConfigDocument | None:
    if not (is_fragment(first) and is_fragment(second)) or not (_keeps_rows(first) and _keeps_rows(second)):
        return None
    if first.format != second.format or not first.parsed.data.keys().isdisjoint(second.parsed.data):
        return None
    rows = second.line - first.line
    if first.text.lstrip()[:1] in "{[" or second.text.lstrip()[:1] in "{[":
        return None
    try:
        parsed = parse(_below(first.text, second.text, rows))
    except (ParseError, LimitError):
        return None
    if not isinstance(parsed.data, Mapping) or len(parsed.data) != len(first.parsed.data) + len(second.parsed.data):
        return None
    broken = (
        _below(first.broken or first.text, second.broken or second.text, rows)
        if first.broken or second.broken
        else None
    )
    return replace(
        first, end=max(first.end, second.end), text=parsed.text, verbatim=False, parsed=parsed, broken=broken,
        repairs=(*first.repairs, *second.repairs), cut=first.cut or second.cut,
        numbers=_numbers(first, second, parsed.text.count("\n") + 1),
    )  # fmt: skip


def _numbers(first: ConfigDocument, second: ConfigDocument, rows: int) -> tuple[int, ...]:
    """The line of each row of the joined text."""
    below = second.text.count("\n") + 1
    return (*map(first.line_at, range(rows - below)), *map(second.line_at, range(below)))


def _keeps_rows(document: ConfigDocument) -> bool:
    """Whether the repairs made, if any, left every row its number."""
    return document.broken is None or document.broken.count("\n") == document.text.count("\n")


def _below(first: str, second: str, rows: int) -> str:
    """Both texts, the second as many rows below the start of the first as where they were pasted."""
    head, tail = _flush(first), _flush(second)
    between = rows - head.count("\n")
    return head.rstrip("\n") + "\n" * (between if 0 < between <= _MOST_BLANK else 1) + tail


def _flush(text: str) -> str:
    """Without the indentation that all rows share."""
    rows = text.split("\n")
    indents = [len(row) - len(row.lstrip(" ")) for row in rows if row.strip()]
    return "\n".join(row[min(indents, default=0) :] for row in rows)


def other_sections(main: ConfigDocument, others: Sequence[ConfigDocument]) -> Iterator[ConfigDocument]:
    """Fragments, and loose keys without a parent, that say something which the main fragment does not."""
    have = set(main.parsed.data) if isinstance(main.parsed.data, Mapping) else set()
    for document in others:
        data = document.parsed.data
        if isinstance(data, list):
            yield document
        elif not document.root and "type" not in data and have.isdisjoint(data):
            have.update(data)
            yield document
