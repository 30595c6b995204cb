"""A reply's blocks within Discord's limits: one embed, and files for what is too long for it.

Every text of a paste passes `inline` or `fenced`, so that markdown, links and mentions in it stay text; lengths are
counted in UTF-16 units, the strictest way Discord may count.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.knowledge.locale import Locale
from bot.reply.blocks import Block, Kind, Reply
from bot.reply.markdown import fenced, inline

TITLE, DESCRIPTION, FOOTER = 256, 4096, 2048
# A diff longer than this is more easily read as a file than scrolled through in a chat.
DIFF_CHARS, DIFF_LINES, LINE_CHARS = 1500, 36, 300
PARAGRAPH = 700
NEXT_STEPS = 5
# What the reply is made of, in reading order; what "Why?" adds.
ANSWER: tuple[Kind, ...] = ("cause", "change", "diff", "snippet", "rerun", "tool", "notes", "speed", "next")
WHY: tuple[Kind, ...] = ("cause", "memory", "findings", "skipped")
# When there is no room for all, these go first, from the left.
DISPENSABLE: tuple[Kind, ...] = ("speed", "notes", "skipped", "findings", "next", "memory", "tool", "rerun")


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file that goes with a message."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Laid:
    """A message ready to be sent: embed title, embed description, files."""

    title: str
    description: str
    files: tuple[TextFile, ...] = ()


def length(text: str) -> int:
    """UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def clipped(text: str, most: int) -> str:
    """The text, cut with an ellipsis where it is longer than `most` units."""
    if length(text) <= most:
        return text
    kept = text.encode("utf-16-le", "surrogatepass")[: 2 * (most - 1)].decode("utf-16-le", "ignore")
    return kept.rstrip() + "…"


def safe(text: str, most: int = PARAGRAPH) -> str:
    """A sentence as markdown within `most` units. Escaping makes it longer, so the plain text is cut until it fits."""
    room = most
    while length(made := inline(clipped(text, room))) > most:
        room = room * 3 // 4
    return made


def cut(markdown: str, most: int) -> str:
    """Markdown within `most` units, cut between lines where they are not too long for that.

    A code block that the cut falls into is closed again.
    """
    if length(markdown) <= most:
        return markdown
    kept = clipped(markdown, most - 6).removesuffix("…").rstrip("`")
    whole = kept.rpartition("\n")[0]
    if 2 * length(whole) > most:
        kept = f"{whole}\n"
    return f"{kept}…\n```" if kept.count("```") % 2 else f"{kept}…"


def lay_out(reply: Reply, locale: Locale, kinds: Sequence[Kind] = ANSWER) -> Laid:
    """Lay out the blocks of these kinds."""
    files: list[TextFile] = []
    blocks = reply.of(*kinds)
    parts = [(block.kind, _block(block, locale, files)) for block in blocks]
    for kind in (None, *DISPENSABLE):
        parts = [(made, text) for made, text in parts if made != kind and text]
        description = "\n\n".join(text for _, text in parts)
        if length(description) <= DESCRIPTION:
            break
    return Laid(safe_title(reply.title), cut(description, DESCRIPTION), tuple(files))


def safe_title(title: str) -> str:
    """A title within its limit; embed titles show markdown too."""
    return safe(title, TITLE)


def _block(block: Block, locale: Locale, files: list[TextFile]) -> str:
    lines = [safe(paragraph) for paragraph in block.paragraphs]
    items = block.items[:NEXT_STEPS] if block.kind == "next" else block.items
    for number, item in enumerate(items, 1):
        lines.append(f"{number}. {safe(item)}" if block.numbered else f"- {safe(item)}")
    if len(block.items) > len(items):
        lines.append(inline(locale.text("discord.reply.more_steps", count=len(block.items) - len(items))))
    lines += [safe(paragraph) for paragraph in block.closing]
    if block.code:
        lines.append(_code(block, locale, files))
    # The cause is what the message begins with; a heading over it would only cost a line.
    heading = f"**{safe(block.title, TITLE)}**\n" if block.title and block.kind != "cause" else ""
    return heading + "\n".join(lines) if lines else ""


def _code(block: Block, locale: Locale, files: list[TextFile]) -> str:
    made = fenced(block.code, block.language)
    lines = block.code.splitlines()
    short = len(lines) <= DIFF_LINES and all(len(line) <= LINE_CHARS for line in lines)
    if short and length(made) <= DIFF_CHARS:
        return made
    name = "changes.diff" if block.kind == "diff" else f"snippet.{block.language or 'txt'}"
    files.append(TextFile(name, block.code.encode("utf-8", "replace")))
    return inline(locale.text("discord.reply.attached", name=name))
