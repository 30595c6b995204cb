"""The life of the bot's process: log in, serve, and end cleanly when told to."""

import asyncio
import logging
import signal
from dataclasses import dataclass

import discord

from bot.cases.book import CaseBook
from bot.cases.store import Store
from bot.discord_app.medic import Medic
from bot.discord_app.permissions import has_content
from bot.settings import Settings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards that this process serves, of how many. None: as many as Discord recommends, all of them."""

    ids: tuple[int, ...]
    count: int


async def serve(settings: Settings, token: str, shards: Shards | None = None) -> None:
    """Serve until SIGTERM or SIGINT. Raises discord.LoginFailure on a bad token."""
    store = Store(settings.database)
    try:
        content = settings.message_content and await _may_read(token)
        if settings.message_content and not content:
            log.warning(
                "the message-content intent is off: pastes in channels are not seen until it is switched on in the "
                "developer portal (Bot, Privileged Gateway Intents); everything else works"
            )
        try:
            await _serve(Medic(settings, CaseBook(store), content=content, **_sharding(shards)), token)
        except discord.PrivilegedIntentsRequired:
            log.warning("Discord refused the message-content intent after all; going on without it")
            await _serve(Medic(settings, CaseBook(store), content=False, **_sharding(shards)), token)
    finally:
        await asyncio.to_thread(store.close)


def _sharding(shards: Shards | None) -> "dict[str, int | list[int]]":
    return {} if shards is None else {"shard_ids": list(shards.ids), "shard_count": shards.count}


async def _may_read(token: str) -> bool:
    """Whether the application may have the message-content intent; asking beforehand saves a refused login."""
    client = discord.Client(intents=discord.Intents(guilds=True))
    try:
        await client.login(token)
        return has_content(client.application_flags)
    finally:
        await client.close()


async def _serve(medic: Medic, token: str) -> None:
    loop = asyncio.get_running_loop()
    closing: list[asyncio.Task[None]] = []
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, lambda: closing.append(asyncio.create_task(medic.close())))
    try:
        await medic.start(token)
    finally:
        await asyncio.gather(*closing)
        await medic.close()
