"""Messages in channels, dealt with one after the other for each person in each channel.

So a config and the log sent right behind it meet in one case. `detect` decides, `dealing` carries the decision out;
`follow` has edits and deletions.
"""

import asyncio
import logging
from contextlib import AbstractAsyncContextManager

import discord

from bot.cases.errors import StoreError
from bot.cases.model import Scope
from bot.cases.people import GuildSettings
from bot.discord_app.casework.outbox import Outbox
from bot.discord_app.casework.replies import plain
from bot.discord_app.locks import Locks
from bot.discord_app.parts import Parts
from bot.discord_app.pasting.dealing import Dealing
from bot.discord_app.pasting.detect import Decision
from bot.discord_app.pasting.in_hand import InHand
from bot.discord_app.pasting.look import look_at
from bot.discord_app.pasting.talk import Talk
from bot.discord_app.people import public_languages
from bot.discord_app.trouble import sentence, story

log = logging.getLogger(__name__)
HUMAN = (discord.MessageType.default, discord.MessageType.reply)
# Direct messages belong to no server.
NOWHERE = GuildSettings()


class Listener:
    """One for the bot; `Medic` hands it Discord's events."""

    def __init__(self, parts: Parts, outbox: Outbox) -> None:
        self.parts, self.outbox = parts, outbox
        self.talk = Talk()
        self.dealer = Dealing(parts, outbox, self.talk)
        self.in_hand = InHand()
        self._locks = Locks()

    async def on_message(self, message: discord.Message) -> None:
        """A new message, or one that was edited and belongs to no case. Talk costs some microseconds and ends here."""
        if self.parts.ending or message.author.bot or message.webhook_id is not None or message.type not in HUMAN:
            return
        settings = self._at_hand(message.guild) or await self._settings(message.guild)
        look = look_at(message, settings, self.parts, in_hand=bool(self.in_hand) and _key(message) in self._locks)
        decision = self.parts.detector.process(look)
        if decision is Decision.SILENT:
            if look.opted_in and not look.to_somebody and self.parts.detector.may_tell_hardware(look.text):
                self.talk.note(message.channel.id, message.author.id, message.id, message.content)
            return
        # A message that was called out for may become a paste when it is edited; a call stays the same call.
        version = message.edited_at if decision is Decision.PASTE else None
        if not self.parts.seen.first((message.id, version)):
            return
        with self.in_hand.holding(message):
            # The news of its end may have come while the settings were read, or before what was missed was.
            if self.in_hand.is_gone(message):
                return
            try:
                async with self.lock(message), self.budget(message):
                    if not await self._answered_before(message):
                        await self.dealer.deal(message, decision, look, settings)
            except Exception as error:  # noqa: BLE001 an event handler has nobody above it
                await self.failed(message, error, addressed=look.addressed)

    def _at_hand(self, guild: discord.Guild | None) -> GuildSettings | None:
        return NOWHERE if guild is None else self.parts.prefs.guild_at_hand(guild.id)

    async def _settings(self, guild: discord.Guild | None) -> GuildSettings:
        return NOWHERE if guild is None else await self.parts.prefs.guild(guild.id)

    def lock(self, message: discord.Message) -> asyncio.Lock:
        """One at a time for each person in each channel."""
        return self._locks.of(_key(message))

    def budget(self, message: discord.Message) -> AbstractAsyncContextManager[None]:
        """The memory that dealing with a message may take."""
        files = [*message.attachments, *(file for one in message.message_snapshots for file in one.attachments)]
        return self.parts.gatherer.budget.hold(self.parts.gatherer.weight(files))

    async def _answered_before(self, message: discord.Message) -> bool:
        """Whether the message belongs to a case already: it came once more. A reply that never went out is sent now."""
        try:
            case = await asyncio.wrap_future(self.parts.book.by_message(Scope.operator(), message.id))
        except StoreError:
            return False
        if case is not None and not case.replies:
            await self.outbox.resume(case.case)
        return case is not None

    async def failed(self, message: discord.Message, error: Exception, *, addressed: bool) -> None:
        """Nothing is said in a channel where nobody called the bot; the operator is told in any case."""
        words = self.parts.speech.locale("en")
        if not addressed:
            log.error("message %s: %s", message.id, sentence(error, words))
            return
        try:
            settings = await self._settings(message.guild)
            words = self.parts.speech.say(await public_languages(message, self.parts.prefs, settings))
            await self.outbox.say(message.channel, plain(sentence(error, words)), message)
        except discord.HTTPException as second:
            log.warning("the sentence about an error was not delivered: %s", story(second))


def _key(message: discord.Message) -> tuple[int, int]:
    return message.channel.id, message.author.id
