"""After a start, or a session that could not be resumed: what was missed is made up for.

What was pasted meanwhile is answered all the same: only opted-in channels in which something was written within the
last minutes are asked for it, and only messages that neither belong to a case nor have a reply of the bot's are looked
at. Of the cases of the last day, those whose message was deleted meanwhile go with it.
"""

import asyncio
import logging
from collections.abc import Iterator
from datetime import timedelta

import aiohttp
import discord

from bot.cases.errors import StoreError
from bot.cases.listing import Filters
from bot.cases.model import Scope, stamp
from bot.discord_app.parts import Parts
from bot.discord_app.pasting.follow import Follower
from bot.discord_app.pasting.listener import Listener
from bot.discord_app.trouble import story

log = logging.getLogger(__name__)
Place = discord.TextChannel | discord.Thread
# Who pasted earlier than this has gone on, and a busy channel is not read back for longer than so many messages.
MINUTES, MESSAGES = 10, 200
HOURS, CASES = 24, 100
UNKNOWN_CHANNEL = 10003


async def catch_up(parts: Parts, listener: Listener) -> None:
    """Deal with what was missed in every server of this process."""
    since = discord.utils.utcnow() - timedelta(minutes=MINUTES)
    for guild in list(parts.client.guilds):
        chosen = (await parts.prefs.guild(guild.id)).channels
        for place in list(_places(guild, chosen)):
            if place.last_message_id and discord.utils.snowflake_time(place.last_message_id) > since:
                await _read(parts, listener, place, discord.utils.time_snowflake(since))


def _places(guild: discord.Guild, chosen: tuple[int, ...]) -> Iterator[Place]:
    """Opted-in channels, and the threads and posts in them."""
    yield from (channel for channel in guild.text_channels if channel.id in chosen)
    yield from (thread for thread in guild.threads if thread.id in chosen or thread.parent_id in chosen)


async def _read(parts: Parts, listener: Listener, place: Place, since: int) -> None:
    try:
        found = [one async for one in place.history(after=discord.Object(since), limit=MESSAGES, oldest_first=True)]
        answered = {one.reference.message_id for one in found if one.author == parts.client.user and one.reference}
        for message in found:
            if message.id not in answered and not await _known(parts, message):
                await listener.on_message(message)
    except (discord.HTTPException, aiohttp.ClientError, StoreError, OSError) as error:
        log.warning("channel %s could not be read back: %s", place.id, story(error))


async def follow_missed(parts: Parts, follower: Follower) -> None:
    """Follow what was deleted while nobody looked."""
    since = stamp(discord.utils.utcnow() - timedelta(hours=HOURS))
    try:
        page = await asyncio.wrap_future(parts.book.listed(Scope.operator(), Filters(since=since), size=CASES))
        for case in page.cases:
            if follower.outbox.is_ours(case):
                full = await asyncio.wrap_future(parts.book.find(Scope.operator().of(case.id)))
                for message in full.pastes:
                    await _follow_if_gone(parts, follower, full.places[message], message)
    except (StoreError, LookupError) as error:
        log.warning("deletions could not be followed: %s", error)


async def _follow_if_gone(parts: Parts, follower: Follower, channel: int, message: int) -> None:
    try:
        await parts.client.get_partial_messageable(channel).fetch_message(message)
    except discord.NotFound as error:
        if error.code == UNKNOWN_CHANNEL:
            await follower.on_place_gone(channel)
        else:
            await follower.on_delete((message,))
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.info("message %s was not looked for: %s", message, story(error))


async def _known(parts: Parts, message: discord.Message) -> bool:
    if message.author.bot:
        return True
    return await asyncio.wrap_future(parts.book.by_message(Scope.operator(), message.id)) is not None
