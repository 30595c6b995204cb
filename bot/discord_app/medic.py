"""The Discord client: puts the parts together and hands them Discord's events."""

import asyncio
import gc
import logging
import sys
from typing import Any

import discord

from bot.cases.book import CaseBook
from bot.cases.shards import Shards
from bot.discord_app.casework.buttons import Action, CaseButton
from bot.discord_app.casework.clicks import Clicks
from bot.discord_app.casework.outbox import Outbox
from bot.discord_app.commands import panels
from bot.discord_app.commands.declare import Handlers, declare
from bot.discord_app.commands.diagnose import Answers
from bot.discord_app.commands.setup_panel import Panel
from bot.discord_app.operation import Operation, Surroundings, in_hand
from bot.discord_app.parts import Parts
from bot.discord_app.pasting.catch_up import catch_up, follow_missed
from bot.discord_app.pasting.follow import Follower
from bot.discord_app.pasting.listener import Listener
from bot.discord_app.translator import Translator, sync_if_changed
from bot.discord_app.tree import Tree
from bot.discord_app.trouble import guarded, story
from bot.discord_app.upkeep import Upkeep
from bot.settings import Settings

log = logging.getLogger(__name__)
# Discord may not answer the goodbye; the process ends all the same.
GOODBYE_S = 2.0


def intents(*, content: bool) -> discord.Intents:
    """What the bot asks Discord to send: servers, messages, and their text where that is granted."""
    return discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=content)


class Medic(discord.AutoShardedClient):
    """One process of the bot. `content` says whether the message-content intent is asked for."""

    def __init__(
        self,
        settings: Settings,
        book: CaseBook,
        *,
        content: bool,
        surroundings: Surroundings | None = None,
        **options: Any,
    ) -> None:
        super().__init__(
            intents=intents(content=content),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            **options,
        )
        around = surroundings or Surroundings()
        self.parts = parts = Parts.make(self, settings, book, around.copy.folder if around.copy else None)
        self.outbox = Outbox(parts)
        self.clicks, self.answers = Clicks(parts, self.outbox), Answers(parts, self.outbox)
        self.listener = Listener(parts, self.outbox)
        self.follower = Follower(parts, self.outbox, self.listener)
        self.tree, self.translator = Tree(self), Translator(parts.speech)
        self.operation, self.upkeep = Operation(parts, around, self), Upkeep(parts, self.outbox)

    # --- beginning and end

    async def setup_hook(self) -> None:
        """Everything that must stand before the first event comes."""
        starting = asyncio.create_task(self.parts.engine.start())
        await self.operation.begin()
        await self.parts.gatherer.open()
        self.add_dynamic_items(CaseButton, *panels.ITEMS)
        await self.tree.set_translator(self.translator)
        self.declare()
        await self.upkeep.remember_open_cases()
        await self.sync()
        await starting
        # What stands now stays for good: left in the collector's hands, a full collection would hold the loop for as
        # long as it takes to walk every module.
        gc.collect()
        gc.freeze()
        self.upkeep.begin()

    async def sync(self) -> None:
        """Send the commands to Discord where they changed; one process does it for all."""
        if self.shard_ids is None or 0 in self.shard_ids:
            remembered = self.parts.settings.database.with_suffix(".commands")
            sent = await sync_if_changed(self.tree, self.translator, remembered)
            log.info("commands %s", "sent to Discord" if sent else "unchanged")

    def declare(self) -> None:
        """Declare the commands by the knowledge in force."""
        declare(self.tree, self.parts, Handlers(self.answers, self.outbox, self.operation.reloader))

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:  # noqa: ARG002
        """Wait for the shard's turn among all processes; a first login is no exception."""
        await self.operation.turn(shard_id or 0)

    async def close(self) -> None:
        """Finish what is in hand, then let go of everything, in the reverse order. What comes now is left alone."""
        if self.parts.ending:
            await self._say_goodbye()
            return
        self.parts.ending = True
        self.operation.ending()
        if in_hand():
            await asyncio.wait(in_hand(), timeout=self.parts.settings.drain_s)
        await self.upkeep.end()
        await self._say_goodbye()
        await self.parts.engine.close()
        await self.parts.gatherer.close()
        await self.operation.end()

    async def _say_goodbye(self) -> None:
        try:
            async with asyncio.timeout(GOODBYE_S):
                await super().close()
        except TimeoutError:
            log.warning("Discord did not answer the goodbye")

    # --- events

    async def on_error(self, event_method: str, /, *_arguments: Any, **_named: Any) -> None:
        """An event handler failed: the story without the message, which may quote a paste."""
        error = sys.exc_info()[1]
        if error is None:
            return
        if self.parts.ending:
            # Its connections were closed under it; what it left undone is made up for at the next start.
            log.warning("%s was cut off by the end: %s", event_method, story(error))
        else:
            log.error("unexpected error in %s: %s", event_method, story(error))

    async def on_ready(self) -> None:
        """Say so; servers in which the bot still is keep their data, and from any other it was removed meanwhile."""
        # Discord's servers come in one after the other, and the bot may have been told to end before the last.
        if self.parts.ending:
            return
        log.info(
            "ready: %d servers, message content %s", len(self.guilds), "on" if self.intents.message_content else "off"
        )
        count = self.shard_count or 1
        shards = Shards(tuple(self.shard_ids or range(count)), count)
        self._note(self.parts.book.guilds_seen([guild.id for guild in self.guilds], shards))
        self.operation.serving()
        await catch_up(self.parts, self.listener)
        self.upkeep.soon(follow_missed(self.parts, self.follower))

    async def on_shard_connect(self, shard: int) -> None:
        """A shard has a new session."""
        self.operation.connected.add(shard)

    async def on_shard_resumed(self, shard: int) -> None:
        """A shard has its session back."""
        self.operation.connected.add(shard)

    async def on_shard_disconnect(self, shard: int) -> None:
        """A shard lost its connection."""
        self.operation.connected.discard(shard)

    async def on_message(self, message: discord.Message) -> None:
        """A message anywhere."""
        self.parts.tally.count("messages")
        await self.listener.on_message(message)

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """A message was edited, or Discord added a preview to it."""
        await self.follower.on_edit(payload)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """A message was deleted."""
        await self.follower.on_delete((payload.message_id,))

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Many messages were deleted at once."""
        await self.follower.on_delete(tuple(payload.message_ids))

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread or forum post was deleted."""
        await self.follower.on_place_gone(payload.thread_id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel was deleted."""
        await self.follower.on_place_gone(channel.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was added to a server, maybe again."""
        self.parts.prefs.forget_guild(guild.id)
        self._note(self.parts.book.guild_joined(guild.id))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed from a server: its data goes after the grace period."""
        self._note(self.parts.book.guild_left(guild.id))

    async def on_interaction(self, interaction: discord.Interaction["Medic"]) -> None:
        """Submitted modals; commands and buttons find their own way."""
        if interaction.type is discord.InteractionType.modal_submit:
            await guarded(interaction, self.answers.on_modal(interaction))

    def _note(self, future: "Any") -> None:
        """A write whose outcome only matters if it failed."""
        future.add_done_callback(_log_failure)

    # --- buttons and menus find these by the interaction's client

    async def pressed(self, press: discord.Interaction[Any], case: str, action: Action, seen: int | None) -> None:
        """Deal with the press of a case's button."""
        await guarded(press, self.clicks.press(press, case, action, seen))

    async def chosen(self, interaction: discord.Interaction[Any], what: str, values: list[str]) -> None:
        """Store what was chosen in a menu of the `/setup` panel."""
        await Panel(self.parts, interaction).change(what, values)

    async def turned(self, interaction: discord.Interaction[Any], page: str) -> None:
        """Show another page of the `/setup` panel."""
        await Panel(self.parts, interaction).turn(page)


def _log_failure(future: Any) -> None:
    if not future.cancelled() and future.exception() is not None:
        log.error("case history: %s", future.exception())
