"""A reply as typed blocks of words. Each face (terminal, markdown, Discord) lays the same blocks out in its own way."""

from typing import Literal, NamedTuple

Kind = Literal[
    "cause", "change", "diff", "snippet", "rerun", "memory", "next", "speed", "skipped", "findings", "tool", "notes",
]  # fmt: skip


class Block(NamedTuple):
    """One part of a reply.

    `paragraphs` and `items` are sentences in which back-ticks mark code; they hold no other markup, and no value of the
    paste can bring one in. `closing` are the paragraphs after the items. `code` is text to be shown as it is, `language` names it (`diff`, `yaml`).
    """

    kind: Kind
    title: str = ""
    paragraphs: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    numbered: bool = False
    code: str = ""
    language: str = ""
    closing: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.paragraphs or self.items or self.code)


class Reply(NamedTuple):
    """A whole reply: one line that sums it up, then the blocks in reading order. Empty blocks are left out."""

    locale: str
    title: str
    blocks: tuple[Block, ...]

    def block(self, kind: Kind) -> Block | None:
        """The first block of a kind, or None."""
        return next((block for block in self.blocks if block.kind == kind), None)

    def of(self, *kinds: Kind) -> tuple[Block, ...]:
        """The blocks of these kinds, in reading order."""
        return tuple(block for block in self.blocks if block.kind in kinds)
