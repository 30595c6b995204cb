"""Markdown that Discord shows as meant: pasted text stays text, nothing pings, no fence can be broken."""

import re

from bot.knowledge.spoken import printable
from bot.reply.blocks import Reply
from bot.reply.layout import fill

_CODE_SPAN = re.compile(r"(`[^`\n]+`)")
_SPECIAL = re.compile(r"([\\*_~|>#\[\]<])")
_ZERO_WIDTH = "\u200b"
_LIVE_AT = re.compile(f"@(?!{_ZERO_WIDTH})")


def inline(text: str) -> str:
    """A sentence: code spans as they are, every other markdown character escaped, mentions and links dead."""
    parts = _CODE_SPAN.split(text)
    made = "".join(part if index % 2 else _escaped(part) for index, part in enumerate(parts))
    # Two spans side by side: what ends the one and what begins the other would be a mark of its own.
    return made.replace("``", f"`{_ZERO_WIDTH}`")


def _escaped(text: str) -> str:
    text = _SPECIAL.sub(r"\\\1", text.replace("`", "'"))
    return _LIVE_AT.sub(f"@{_ZERO_WIDTH}", text).replace("://", f":{_ZERO_WIDTH}//")


def fenced(code: str, language: str = "") -> str:
    """A code block; back-tick runs inside get a zero-width space so that the block cannot end early."""
    safe = printable(code.rstrip("\n")).replace("``", f"`{_ZERO_WIDTH}`")
    return f"```{language}\n{safe}\n```"


def render(reply: Reply) -> str:
    """The whole reply as markdown. Its length is not bounded here: a face with limits lays the blocks out itself."""
    return fill("markdown", {"inline": inline, "fenced": fenced}, reply=reply)
