"""Messages that are just being dealt with, and those that are gone.

Whoever deletes a message while something is made of it has to wait for that, and what comes of a message that is gone
already is nothing.
"""

import asyncio
from collections.abc import Collection, Iterator
from contextlib import contextmanager

import discord

from bot.discord_app.pasting.pace import Seen


class InHand:
    """One for the bot."""

    def __init__(self) -> None:
        self._busy: dict[asyncio.Event, discord.Message] = {}
        # Ids of messages and of places: both are one of a kind.
        self._gone = Seen()

    def __bool__(self) -> bool:
        return bool(self._busy)

    @contextmanager
    def holding(self, message: discord.Message) -> Iterator[None]:
        """Something is made of a message."""
        done = asyncio.Event()
        self._busy[done] = message
        try:
            yield
        finally:
            del self._busy[done]
            done.set()

    def is_gone(self, message: discord.Message) -> bool:
        """Whether a message was deleted, or the place that it stood in."""
        return message.id in self._gone or message.channel.id in self._gone

    async def let_go(self, gone: Collection[int]) -> None:
        """Messages or places were deleted: return once nothing is made of them any more."""
        for one in gone:
            self._gone.first(one)
        for done in [done for done, message in self._busy.items() if {message.id, message.channel.id} & set(gone)]:
            await done.wait()
