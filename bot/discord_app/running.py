"""The life of the bot's process: log in, serve, and end cleanly when told to."""

import asyncio
import logging
import signal
from pathlib import Path
from typing import Any

import aiohttp
import discord

from bot.cases.book import CaseBook
from bot.cases.shards import Shards
from bot.cases.store import Store
from bot.discord_app.medic import Medic
from bot.discord_app.operation import Surroundings
from bot.discord_app.permissions import has_content
from bot.knowledge.folder import data_folder
from bot.service.knowledge_copy import Copy, complaints, last_good, remember, take
from bot.service.logs import Counting
from bot.service.notify import Notifier
from bot.settings import Settings

log = logging.getLogger(__name__)
UNREACHABLE = (discord.GatewayNotFound, discord.DiscordServerError, aiohttp.ClientError, TimeoutError)
# Between tries to reach Discord at the start; the last one again and again.
PAUSES_S = (5, 10, 20, 40, 60)


class BadKnowledgeError(Exception):
    """The operator's own knowledge cannot be used; the message says why."""


async def serve(settings: Settings, token: str, shards: Shards | None = None) -> None:
    """Serve until SIGTERM or SIGINT. Raises discord.LoginFailure on a bad token, BadKnowledgeError.

    Without `shards`: as many as Discord recommends, all of them.
    """
    # The bot never speaks; discord.py would warn of the libraries for that at each start.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    notifier, store = Notifier(), Store(settings.database)
    around: Surroundings | None = None
    try:
        around = await surroundings(settings, notifier)
        await _serve_with(settings, token, shards, store, around)
    finally:
        await asyncio.to_thread(store.close)
        if around is not None and around.copy is not None:
            around.copy.delete()


async def surroundings(settings: Settings, notifier: Notifier) -> Surroundings:
    """A copy of the knowledge for this process alone: the shipped one, or the operator's own where it is sound.

    Where it is not, the own one that was in force last. Raises BadKnowledgeError where there never was one.
    """
    if settings.knowledge is None:
        return Surroundings(data_folder(), await asyncio.to_thread(take, data_folder()), notifier=notifier)
    copy, found = await _checked(settings.knowledge)
    if copy is not None:
        await asyncio.to_thread(remember, copy, settings.database)
        return Surroundings(settings.knowledge, copy, notifier=notifier)
    before, _ = await _checked(last_good(settings.database) / "knowledge")
    if before is None:
        raise BadKnowledgeError("\n".join(found[:10]))
    log.error("the knowledge in %s cannot be used, that of last time is in force: %s", settings.knowledge, found[0])
    return Surroundings(settings.knowledge, before, found[0], notifier)


async def _checked(folder: Path) -> tuple[Copy | None, list[str]]:
    """A copy of a folder, or what is wrong with it."""
    try:
        copy = await asyncio.to_thread(take, folder)
    except OSError as error:
        return None, [f"{error.filename or folder}: {error.strerror or error}"]
    found = await complaints(copy.folder)
    if not found:
        return copy, []
    copy.delete()
    return None, found


async def _serve_with(
    settings: Settings, token: str, shards: Shards | None, store: Store, around: Surroundings
) -> None:
    content = await _when_reachable(token, around.notifier) and settings.message_content
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


async def _when_reachable(token: str, notifier: Notifier) -> bool:
    """`_may_read`, as soon as Discord can be reached.

    Ending instead would have systemd start the bot again and again, and give it up after some minutes without a network.
    """
    pauses = iter(PAUSES_S)
    while True:
        try:
            return await _may_read(token)
        except UNREACHABLE as error:
            pause = next(pauses, PAUSES_S[-1])
            log.warning("Discord cannot be reached (%s); trying again in %d s", type(error).__name__, pause)
            notifier.status("waiting for Discord")
            await asyncio.sleep(pause)


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
    counting = Counting(lambda level, part: medic.parts.tally.count("log_lines", level, part))
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
