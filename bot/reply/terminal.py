"""The terminal's face with colour and layout; rich is imported only here, only on a terminal."""

import io
import re
import shutil

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bot.knowledge.spoken import printable
from bot.reply.blocks import Block, Reply

MAX_WIDTH = 100
_CODE_INDENT = "    "
_CODE_SPAN = re.compile(r"`([^`\n]*)`")
_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}
_TITLE_STYLES = {"cause": "bold red", "change": "bold green"}


def render(reply: Reply) -> str:
    """The reply as it is written to a terminal: colours as NO_COLOR and the terminal allow."""
    width = min(shutil.get_terminal_size().columns, MAX_WIDTH)
    console = Console(width=width, highlight=False, file=io.StringIO(), force_terminal=True)
    with console.capture() as captured:
        console.print(Panel(Text(reply.title, style="bold"), expand=False))
        for block in reply.blocks:
            console.print(Text(block.title, style=_TITLE_STYLES.get(block.kind, "bold")))
            console.print(_said(block))
            if block.code:
                # In rows as they are, however narrow the terminal: people copy them.
                console.print(_code(block), soft_wrap=True)
            console.print(Group(*map(_paragraph, block.closing), Text()))
    return captured.get()


def _said(block: Block) -> Group:
    """What stands above the code."""
    parts: list[RenderableType] = [_paragraph(paragraph) for paragraph in block.paragraphs]
    return Group(*parts, _items(block)) if block.items else Group(*parts)


def _paragraph(sentence: str) -> Padding:
    return Padding(_words(sentence), (0, 0, 0, 2))


def _items(block: Block) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=4, justify="right", style="dim")
    table.add_column(ratio=1)
    for number, item in enumerate(block.items, 1):
        table.add_row(f"{number}." if block.numbered else "•", _words(item))
    return table


def _words(sentence: str) -> Text:
    """Code spans coloured, their back-ticks left out."""
    text = Text()
    for index, part in enumerate(_CODE_SPAN.split(sentence)):
        text.append(part, style="cyan" if index % 2 else "")
    return text


def _code(block: Block) -> Text:
    text = Text()
    for line in printable(block.code.rstrip("\n")).split("\n"):
        style = _DIFF_STYLES.get(line[:1], "") if block.language == "diff" else ""
        text.append(_CODE_INDENT).append(f"{line}\n", style=style)
    text.rstrip()
    return text
