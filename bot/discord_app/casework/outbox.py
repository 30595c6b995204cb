"""Sending public replies: once each, whatever Discord's side does in between.

A reply is recorded before it is sent and carries the pasted message's id as its nonce, so that a send repeated after a
lost answer finds the message that is there. `sweep` takes up what was recorded but not sent when the bot was killed or
Discord was down.
"""

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import aiohttp
import discord

from bot.cases.errors import StoreError
from bot.cases.model import NO_GUILD, Case, FullCase, Scope
from bot.discord_app.casework import history
from bot.discord_app.casework.archived import opening
from bot.discord_app.casework.history import as_the_case, scope_of
from bot.discord_app.casework.replies import Message, case_message
from bot.discord_app.casework.shown import Shown, TextGoneError
from bot.discord_app.locks import Locks
from bot.discord_app.parts import Parts
from bot.discord_app.pasting.pace import Seen
from bot.discord_app.trouble import story
from bot.discord_app.workers.jobs import EngineError

log = logging.getLogger(__name__)
Place = discord.abc.Messageable
# Replies older than this are not sent any more: the person has gone on.
LATE = timedelta(minutes=15)
THREAD_NAME = 100
# A reply stands close behind its paste, but other people write as well.
LOOKED_THROUGH = 200
LOST = (discord.DiscordServerError, aiohttp.ClientError, TimeoutError, OSError)


class Outbox:
    """One for the bot."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self._showing = Locks()
        # Cases whose reply Discord does not take; asking for it again and again would count against the bot.
        self._refused = Seen()

    async def send(self, message: discord.Message, shown: Shown, style: str) -> None:
        """Answer a message with its case. What cannot be sent now is left to the sweep."""
        async with self.showing(shown.case_id or f"message-{message.id}"):
            await self._send(message, shown, style)

    async def _send(self, message: discord.Message, shown: Shown, style: str) -> None:
        case_id = shown.case_id or f"message-{message.id}"
        try:
            place = await self._place(message, shown, style)
            reply = case_message(shown, self.parts.speech.locale(shown.answer.locale))
            sent = await self.say(place, reply, message)
        except LOST as error:
            log.warning("case %s is recorded but not sent yet: %s", case_id, story(error))
            return
        except discord.HTTPException as error:
            log.warning("channel %s: the answer is not taken (%s)", message.channel.id, story(error))
            self._refused.first(case_id)
            return
        if shown.case_id:
            guild = message.guild.id if message.guild else 0
            await self.attach(guild, message.author.id, shown.case_id, sent)

    async def say(self, place: Place, what: Message, to: discord.Message) -> discord.Message:
        """Send one message in answer to another; sent twice it is still one."""
        allowed = _allowed(place)
        arguments = what.new(allowed)
        if getattr(place, "id", None) == to.channel.id and (allowed is None or allowed.read_message_history):
            arguments["reference"] = to.to_reference(fail_if_not_exists=False)
        # What was said to a message before it was edited is another answer.
        version = f"-{int(to.edited_at.timestamp()) % 10**5}" if to.edited_at else ""
        return await place.send(**arguments, nonce=f"{to.id}{version}", mention_author=False)

    async def _place(self, message: discord.Message, shown: Shown, style: str) -> Place:
        """The channel itself, or a thread under the message where the server wants that and it is possible."""
        channel = message.channel
        if style != "thread" or not isinstance(channel, discord.TextChannel):
            return channel
        try:
            return message.thread or await message.create_thread(name=shown.answer.laid.title[:THREAD_NAME] or "OOM")
        except discord.HTTPException as error:
            log.warning("no thread under message %s: %s", message.id, story(error))
            return channel

    async def attach(self, guild: int, asker: int, case_id: str, sent: discord.Message) -> None:
        """Remember which message answered a case."""
        pasted = sent.reference.message_id if sent.reference else None
        if pasted is not None:
            # Both moments by Discord's clock.
            taken = sent.created_at - discord.utils.snowflake_time(pasted)
            self.parts.tally.time("answer", taken.total_seconds())
        try:
            target = scope_of(guild, asker).of(case_id)
            await asyncio.wrap_future(self.parts.book.attach_reply(target, sent.channel.id, sent.id))
        except (StoreError, LookupError) as error:
            log.warning("reply of case %s not noted: %s", case_id, error)

    def showing(self, case_id: str) -> asyncio.Lock:
        """To be held while a reply of a case is sent or changed: what replies show is decided by one at a time."""
        return self._showing.of(case_id)

    async def update(self, case: FullCase, shown: Shown, *, but: int | None = None) -> bool:
        """Let every reply of a case follow it; `but` one that does already. False where there is none any more."""
        message = case_message(shown, self.parts.speech.locale(shown.answer.locale))
        async with self.showing(case.case.id):
            now = await self._now(case)
            if history.standing(now) != shown.standing or case.case.id in self._refused:
                # Whoever changed the case since shows it as it stands now; what is refused stays refused.
                return True
            followed = [
                await self._follows(now, place, message) for place in await self._replies(now) if place[1] != but
            ]
        return but is not None or any(followed)

    async def _follows(self, case: FullCase, place: tuple[int, int], message: Message) -> bool:
        """Change one reply. False where somebody has deleted it."""
        try:
            await opening(self.parts.client, place[0], partial(self._edit, *place, message))
        except discord.NotFound:
            return False
        except (*LOST, discord.HTTPException) as error:
            log.warning("reply of case %s not updated: %s", case.case.id, story(error))
        return True

    async def _edit(self, channel: int, reply: int, message: Message) -> None:
        place = self.parts.client.get_channel(channel)
        stands = self.parts.client.get_partial_messageable(channel).get_partial_message(reply)
        await stands.edit(**message.edit(_allowed(place)))

    async def remove(self, case: FullCase) -> None:
        """Take back every reply of a case."""
        async with self.showing(case.case.id):
            await self.take_back(await self._replies(await self._now(case)))

    async def _now(self, case: FullCase) -> FullCase:
        try:
            return await asyncio.wrap_future(self.parts.book.find(Scope.operator().of(case.case.id)))
        except (LookupError, StoreError):
            # Deleted, or nobody can tell: as it was.
            return case

    async def _replies(self, case: FullCase) -> Sequence[tuple[int, int]]:
        """The replies of a case, one that went out just before the bot was killed included."""
        try:
            return case.replies or await self._earlier(case)
        except (*LOST, discord.HTTPException) as error:
            log.info("no reply of case %s found: %s", case.case.id, story(error))
            return ()

    async def take_back(self, replies: Sequence[tuple[int, int]]) -> None:
        """Delete messages of the bot's, by channel and id."""
        for channel, reply in replies:
            stands = self.parts.client.get_partial_messageable(channel).get_partial_message(reply)
            try:
                await opening(self.parts.client, channel, stands.delete)
            except (*LOST, discord.HTTPException) as error:
                log.info("reply %s not deleted: %s", reply, story(error))

    async def sweep(self) -> None:
        """Send what was recorded and not sent."""
        try:
            since = datetime.now(UTC) - LATE
            waiting = await asyncio.wrap_future(self.parts.book.unanswered(Scope.operator(), since))
        except StoreError as error:
            log.error("case history: %s", error)  # noqa: TRY400 the reason is the whole message
            return
        for case in waiting:
            if case.id not in self._refused and self.is_ours(case):
                await self.resume(case)

    def is_ours(self, case: Case) -> bool:
        """Whether the case's server is served by this process."""
        mine = self.parts.client.shard_ids
        if case.guild == NO_GUILD:
            # Direct messages come to shard 0.
            return mine is None or 0 in mine
        return self.parts.client.get_guild(case.guild) is not None

    async def resume(self, case: Case) -> None:
        """Send the reply to a case that was recorded, unless it is out already."""
        async with self.showing(case.id):
            try:
                await self._resume(case.id)
            except (LookupError, TextGoneError, EngineError, StoreError, *LOST, discord.HTTPException) as error:
                log.warning("case %s still waits for its reply: %s", case.id, story(error))

    async def _resume(self, case_id: str) -> None:
        full = await asyncio.wrap_future(self.parts.book.find(Scope.operator().of(case_id)))
        if full.replies or not full.pastes or full.case.channel is None or await self._earlier(full):
            return
        channel: Any = await self._channel(full.case.channel)
        message = await channel.fetch_message(full.pastes[0])
        shown = await self.parts.desk.current(full, as_the_case(full))
        settings = await self.parts.prefs.guild(full.case.guild)
        await self._send(message, shown, settings.style)

    async def _channel(self, channel_id: int) -> Any:
        return self.parts.client.get_channel(channel_id) or await self.parts.client.fetch_channel(channel_id)

    async def _earlier(self, case: FullCase) -> Sequence[tuple[int, int]]:
        """A reply that went out before the bot could note it, noted now: Discord forgets nonces after some minutes."""
        client = self.parts.client
        if client.user is None or not case.pastes or case.case.channel is None:
            return ()
        # A thread under a message has the id of that message.
        places = [await self._channel(case.case.channel), client.get_channel(case.pastes[0])]
        for place in filter(None, places):
            async for found in place.history(after=discord.Object(case.pastes[0]), limit=LOOKED_THROUGH):
                if found.author.id == client.user.id and _answers(found, case):
                    await self.attach(case.case.guild, case.case.asker or 0, case.case.id, found)
                    return ((found.channel.id, found.id),)
        return ()


def _answers(reply: discord.Message, case: FullCase) -> bool:
    """Whether a message of the bot's is the reply of a case: it answers the paste, or has the case's buttons."""
    if reply.reference is not None and reply.reference.message_id == case.pastes[0]:
        return True
    parts = [part for row in reply.components if isinstance(row, discord.ActionRow) for part in row.children]
    return any((part.custom_id or "").startswith(f"case:{case.case.id}:") for part in parts)


def _allowed(place: object) -> discord.Permissions | None:
    """What the bot may do in a place; None where nothing restricts it, as in direct messages."""
    if isinstance(place, discord.abc.GuildChannel | discord.Thread) and place.guild.me is not None:
        return place.permissions_for(place.guild.me)
    return None
