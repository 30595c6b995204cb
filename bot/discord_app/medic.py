"""The Discord client: puts the parts together and hands them Discord's events."""

import asyncio
import gc
import logging
import sys
from collections.abc import Awaitable, Coroutine
from typing import Any

import discord

from bot.cases.book import CaseBook
from bot.cases.errors import StoreError
from bot.discord_app.casework.buttons import CaseButton
from bot.discord_app.casework.clicks import Clicks
from bot.discord_app.casework.desk import Desk
from bot.discord_app.casework.history import scope_of
from bot.discord_app.casework.outbox import Outbox
from bot.discord_app.casework.replies import Message
from bot.discord_app.casework.solved import Solved
from bot.discord_app.commands import panels
from bot.discord_app.commands.diagnose import Answers
from bot.discord_app.commands.everyone import add_all
from bot.discord_app.commands.setup_panel import Panel
from bot.discord_app.counted import CountedCooldown, CountedDetector
from bot.discord_app.languages import Languages, Speech
from bot.discord_app.operation import Operation, Surroundings, in_hand
from bot.discord_app.pasting.catch_up import catch_up
from bot.discord_app.pasting.follow import Follower
from bot.discord_app.pasting.gather import Gatherer, Limits
from bot.discord_app.pasting.links import LinkReader
from bot.discord_app.pasting.listener import Listener
from bot.discord_app.pasting.pace import Cooldown, OpenCases, Seen
from bot.discord_app.prefs import Preferences
from bot.discord_app.translator import Translator, Words, sync_if_changed
from bot.discord_app.tree import Tree
from bot.discord_app.trouble import guarded, story
from bot.discord_app.upkeep import Upkeep
from bot.discord_app.workers.pool import EnginePool
from bot.knowledge.load import Knowledge
from bot.knowledge.pastes import Pastes
from bot.service.tally import Tally
from bot.settings import Settings

log = logging.getLogger(__name__)
MINUTE_S = 60.0
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
        folder = around.copy.folder if around.copy else None
        self.settings, self.book, self.tally = settings, book, Tally()
        self.knowledge = Knowledge(folder)
        self.speech = Speech(self.knowledge)
        self.detector = CountedDetector(Pastes.load(self.knowledge), self.tally)
        self.engine = EnginePool(
            settings.engine_processes,
            limit=settings.queue_limit,
            patience_s=settings.queue_patience_s,
            deadline_s=settings.engine_deadline_s,
            folder=folder,
            tally=self.tally,
        )
        self.prefs, self.desk = Preferences(book), Desk(self.engine, book, self.tally)
        self.gatherer = Gatherer(Limits(settings.attachment_bytes), self.detector, LinkReader(settings.link_bytes))
        self.seen, self.open_cases = Seen(), OpenCases()
        self.user_pace = CountedCooldown(settings.user_pastes_a_minute, MINUTE_S, self.tally, "user_pace")
        self.channel_pace = CountedCooldown(settings.channel_pastes_a_minute, MINUTE_S, self.tally, "channel_pace")
        self.told_pace = Cooldown(1, MINUTE_S)
        self.clicks, self.outbox, self.solved = Clicks(self), Outbox(self), Solved(self)
        self.answers, self.listener = Answers(self), Listener(self)
        self.follower = Follower(self)
        self.tree = Tree(self)
        self.translator = Translator(self.speech)
        self.ending = False
        self.operation, self.upkeep = Operation(self, around), Upkeep(self)

    # --- beginning and end

    async def setup_hook(self) -> None:
        """Everything that must stand before the first event comes."""
        starting = asyncio.create_task(self.engine.start())
        await self.operation.begin()
        await self.gatherer.open()
        self.add_dynamic_items(CaseButton, *panels.ITEMS)
        await self.tree.set_translator(self.translator)
        add_all(self, Words(self.speech))
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
            remembered = self.settings.database.with_suffix(".commands")
            sent = await sync_if_changed(self.tree, self.translator, remembered)
            log.info("commands %s", "sent to Discord" if sent else "unchanged")

    def adopt(self, knowledge: Knowledge, pastes: Pastes) -> None:
        """Go on with other knowledge; nothing else runs meanwhile."""
        self.knowledge = knowledge
        self.speech.adopt(knowledge)
        self.detector.adopt(pastes)
        self.desk.forget_answers()
        self.tree.clear_commands(guild=None)
        add_all(self, Words(self.speech))

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:  # noqa: ARG002
        """Wait for the shard's turn among all processes; a first login is no exception."""
        await self.operation.turn(shard_id or 0)

    async def close(self) -> None:
        """Finish what is in hand, then let go of everything, in the reverse order. What comes now is left alone."""
        if self.ending:
            await self._say_goodbye()
            return
        self.ending = True
        self.operation.ending()
        if in_hand():
            await asyncio.wait(in_hand(), timeout=self.settings.drain_s)
        await self.upkeep.end()
        await self._say_goodbye()
        await self.engine.close()
        await self.gatherer.close()
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
        if error is not None:
            log.error("unexpected error in %s: %s", event_method, story(error))

    async def on_ready(self) -> None:
        """Say so; servers in which the bot still is keep their data."""
        log.info("ready: %d servers, message content %s", len(self.guilds), "on" if self.intents.message_content else "off")
        self._note(self.book.guilds_joined([guild.id for guild in self.guilds]))
        self.operation.serving()
        await catch_up(self)

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
        self.tally.count("messages")
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

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was added to a server, maybe again."""
        self.prefs.forget_guild(guild.id)
        self._note(self.book.guild_joined(guild.id))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed from a server: its data goes after the grace period."""
        self._note(self.book.guild_left(guild.id))

    async def on_interaction(self, interaction: discord.Interaction["Medic"]) -> None:
        """Submitted modals; commands and buttons find their own way."""
        if interaction.type is discord.InteractionType.modal_submit:
            await self.guard(interaction, self.answers.on_modal(interaction))

    def _note(self, future: "Any") -> None:
        """A write whose outcome only matters if it failed."""
        future.add_done_callback(_log_failure)

    # --- for the parts

    async def guard(self, interaction: discord.Interaction[Any], work: Awaitable[None]) -> None:
        """Run a handler of an interaction; errors become a sentence."""
        words = self.speech.say(Languages(interaction=str(interaction.locale)))
        if self.ending:
            if isinstance(work, Coroutine):
                work.close()
            work = self.refuse(interaction)
        await guarded(interaction, work, words)

    async def refuse(self, interaction: discord.Interaction[Any]) -> None:
        """The process is about to end: say so rather than leave the person waiting."""
        words = self.speech.say(Languages(interaction=str(interaction.locale)))
        await interaction.response.send_message(words.text("service.restarting"), ephemeral=True)

    def panel(self, interaction: discord.Interaction[Any]) -> Panel:
        """The `/setup` panel in answer to an acknowledged interaction."""
        return Panel(self, interaction)

    async def answer(self, interaction: discord.Interaction[Any], message: Message) -> discord.Message:
        """Fill in the deferred response. Editing it twice is harmless, unlike a follow-up sent twice."""
        arguments = message.edit()
        if message.view is None or not message.view.children:
            arguments["view"] = None
        return await interaction.edit_original_response(**arguments)

    async def attach(self, guild: int, asker: int, case_id: str, sent: discord.Message) -> None:
        """Remember which message answered a case."""
        pasted = sent.reference.message_id if sent.reference else None
        if pasted is not None:
            # Both moments by Discord's clock.
            self.tally.time("answer", (sent.created_at - discord.utils.snowflake_time(pasted)).total_seconds())
        try:
            target = scope_of(guild, asker).of(case_id)
            await asyncio.wrap_future(self.book.attach_reply(target, sent.channel.id, sent.id))
        except (StoreError, LookupError) as error:
            log.warning("reply of case %s not noted: %s", case_id, error)


def _log_failure(future: Any) -> None:
    if not future.cancelled() and future.exception() is not None:
        log.error("case history: %s", future.exception())
