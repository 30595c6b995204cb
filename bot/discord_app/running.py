"""The life of the bot's process: log in, serve, and end cleanly when told to."""

import asyncio
import logging
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import discord

from bot.cases.book import CaseBook
from bot.cases.shards import Shards
from bot.cases.store import Store
from bot.discord_app.medic import Medic
from bot.discord_app.operation import Surroundings
from bot.discord_app.permissions import has_content
from bot.knowledge.load import data_folder
from bot.service.knowledge_copy import complaints, take
from bot.service.logs import Counting
from bot.service.notify import Notifier
from bot.settings import Settings

log = logging.getLogger(__name__)


class BadKnowledgeError(Exception):
    """The operator's own knowledge cannot be used; the message says why."""


async def serve(settings: Settings, token: str, shards: Shards | None = None) -> None:
    """Serve until SIGTERM or SIGINT. Raises discord.LoginFailure on a bad token, BadKnowledgeError.

    Without `shards`: as many as Discord recommends, all of them.
    """
    # The bot never speaks; discord.py would warn of the libraries for that at each start.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    notifier, store = Notifier(), Store(settings.database)
    try:
        with _knowledge(settings.knowledge, notifier) as around:
            if settings.knowledge is not None and around.copy is not None:
                found = await complaints(around.copy.folder)
                if found:
                    raise BadKnowledgeError("\n".join(found[:10]))
            await _serve_with(settings, token, shards, store, around)
    finally:
        await asyncio.to_thread(store.close)


@contextmanager
def _knowledge(own: Path | None, notifier: Notifier) -> Iterator[Surroundings]:
    """A copy of the knowledge for this process alone, for as long as it lives."""
    source = own or data_folder()
    try:
        copy = take(source)
    except OSError as error:
        raise BadKnowledgeError(f"{error.filename or source}: {error.strerror or error}") from error
    around = Surroundings(source, copy, notifier)
    try:
        yield around
    finally:
        copy.delete()


async def _serve_with(
    settings: Settings, token: str, shards: Shards | None, store: Store, around: Surroundings
) -> None:
    content = settings.message_content and await _may_read(token)
    if settings.message_content and not content:
        log.warning(
            "the message-content intent is off: pastes in channels are not seen until it is switched on in the "
            "developer portal (Bot, Privileged Gateway Intents); everything else works"
        )
    options: dict[str, Any] = {"surroundings": around, **_sharding(shards)}
    try:
        await _serve(Medic(settings, CaseBook(store), content=content, **options), token)
    except discord.PrivilegedIntentsRequired:
        log.warning("Discord refused the message-content intent after all; going on without it")
        await _serve(Medic(settings, CaseBook(store), content=False, **options), token)


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
    loop, serving = asyncio.get_running_loop(), asyncio.create_task(medic.start(token))
    ending: list[asyncio.Task[None]] = []
    reloading: list[asyncio.Task[None]] = []
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, lambda: ending.append(asyncio.create_task(_end(medic, serving))))
    loop.add_signal_handler(signal.SIGHUP, lambda: reloading.append(asyncio.create_task(medic.operation.reload())))
    counting = Counting(lambda level, part: medic.tally.count("log_lines", level, part))
    logging.getLogger().addHandler(counting)
    try:
        await asyncio.wait({serving})
        # Told to end while it is still starting, it fails at whatever it was doing; that is no error.
        if not ending:
            serving.result()
    finally:
        await asyncio.gather(*ending)
        await medic.close()
        for task in reloading:
            task.cancel()
        await asyncio.gather(serving, *reloading, return_exceptions=True)
        logging.getLogger().removeHandler(counting)


async def _end(medic: Medic, serving: "asyncio.Task[None]") -> None:
    await medic.close()
    await asyncio.wait({serving}, timeout=1.0)
    serving.cancel()
