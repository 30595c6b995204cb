"""Messages in threads that were archived meanwhile: Discord takes no change of them until the thread is open again."""

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

import discord

log = logging.getLogger(__name__)
ARCHIVED = 50083
T = TypeVar("T")


async def opening(client: discord.Client, channel: int, change: Callable[[], Awaitable[T]]) -> T:
    """Change a message. An archived thread that it stands in is opened for that, where the bot may.

    `change` is called anew after that. Raises HTTPException with code 50083 where the thread stays as it is.
    """
    try:
        return await change()
    except discord.HTTPException as error:
        if error.code != ARCHIVED or not await _opened(client, channel):
            raise
    return await change()


async def _opened(client: discord.Client, channel: int) -> bool:
    try:
        thread = client.get_channel(channel) or await client.fetch_channel(channel)
        if not isinstance(thread, discord.Thread):
            return False
        await thread.edit(archived=False)
    except discord.HTTPException as error:
        log.info("thread %s stays archived (%s)", channel, error.code)
        return False
    return True
