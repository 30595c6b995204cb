"""A diagnosis in words: `compose` makes the blocks, each face lays them out."""

from bot.reply.blocks import Block, Reply
from bot.reply.compose import compose

__all__ = ["Block", "Reply", "compose"]
