"""The terminal's face: plain lines in a pipe, colour and width on a terminal."""

import textwrap

from bot.knowledge.values import printable
from bot.reply.blocks import Reply
from bot.reply.layout import fill


def render(reply: Reply, width: int | None = None) -> str:
    """The reply as plain text; wrapped where a width is given, else one line a sentence group."""

    def wrapped(text: str, first: str, other: str) -> str:
        if width is None:
            return first + text
        return textwrap.fill(
            text, width, initial_indent=first, subsequent_indent=other, break_long_words=False, break_on_hyphens=False
        )

    return fill("text", {"wrapped": wrapped, "indented": _indented}, reply=reply)


def _indented(code: str) -> str:
    return textwrap.indent(printable(code.rstrip("\n")), "    ")
