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

    filters = {"wrapped": wrapped, "indented": lambda code: textwrap.indent(printable(code.rstrip("\n")), "    ")}
    return fill("text", filters, reply=reply)
