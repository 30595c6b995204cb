"""The plain face, for pipes and files: no colour, and no template either, so that a diagnosis starts fast."""

import textwrap
from collections.abc import Iterator

from bot.knowledge.spoken import printable
from bot.reply.blocks import Block, Reply

_INDENT = "  "
_CODE_INDENT = "    "


def render(reply: Reply, width: int | None = None) -> str:
    """The reply as plain text; wrapped where a width is given, else one line a paragraph."""
    lines = [reply.title]
    for block in reply.blocks:
        lines += ["", block.title, *_lines(block, width)]
    return "\n".join(lines) + "\n"


def _lines(block: Block, width: int | None) -> Iterator[str]:
    yield from (_wrapped(paragraph, _INDENT, _INDENT, width) for paragraph in block.paragraphs)
    for number, item in enumerate(block.items, 1):
        mark = f"{_INDENT}{number}. " if block.numbered else f"{_INDENT}- "
        yield _wrapped(item, mark, " " * len(mark), width)
    if block.code:
        yield textwrap.indent(printable(block.code.rstrip("\n")), _CODE_INDENT)
    yield from (_wrapped(paragraph, _INDENT, _INDENT, width) for paragraph in block.closing)


def _wrapped(text: str, first: str, other: str, width: int | None) -> str:
    if width is None:
        return first + text
    return textwrap.fill(
        text, width, initial_indent=first, subsequent_indent=other, break_long_words=False, break_on_hyphens=False
    )
