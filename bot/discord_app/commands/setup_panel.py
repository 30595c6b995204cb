"""`/setup`: what a server's managers set, what is missing for it to work, and a test of the whole.

The panel is a message with menus. Each menu's id says what it sets, so that a panel left open works after a restart.
"""

import asyncio
from dataclasses import dataclass
from typing import Any, cast

import discord
from discord import app_commands

from bot.cases.errors import StoreError
from bot.cases.people import GuildSettings
from bot.discord_app.casework.replies import Message, fill_in
from bot.discord_app.commands.setup_items import SetupButton, SetupMenu
from bot.discord_app.parts import Parts
from bot.discord_app.people import languages_of
from bot.discord_app.permissions import missing
from bot.discord_app.translator import Words
from bot.discord_app.workers.jobs import DiagnoseJob, EngineError
from bot.intake.read import Pasted
from bot.knowledge.locale import Locale
from bot.reply.markdown import inline

Interaction = discord.Interaction[Any]
STYLES = ("public", "thread", "mention")
RETENTION = (7, 14, 30, 60, 90, 180, 365)
CHANNELS, FORUMS, OPTIONS = 25, 4, 25
KINDS = [discord.ChannelType.text, discord.ChannelType.news, discord.ChannelType.forum]
AUTO, NONE = "auto", "none"
SAMPLE = Pasted("config.yaml", "train:\n  batch_size: 4\n  gradient_checkpointing: false\n")


def setup_command(parts: Parts, words: Words) -> Any:
    """The command; Discord shows it to those who may manage the server."""

    @app_commands.command(name=words("setup.name"), description=words("setup.description"))
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.allowed_installs(guilds=True, users=False)
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    async def setup(interaction: Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await Panel(parts, interaction).show()

    return setup


@dataclass(frozen=True, slots=True)
class Panel:
    """The panel in answer to an acknowledged interaction in a server."""

    parts: Parts
    interaction: Interaction

    @property
    def guild(self) -> discord.Guild:
        """The server. Raises CheckFailure outside of one that the bot is in."""
        guild = self.parts.client.get_guild(self.interaction.guild_id or 0)
        if guild is None or not self.interaction.permissions.manage_guild:
            raise app_commands.CheckFailure("not a manager of a server that the bot is in")
        return guild

    async def turn(self, page: str) -> None:
        """Another page: `test`, `back` to the first, or what there are more settings of."""
        if page == "test":
            await self.test()
        elif page == "back":
            await self.show()
        else:
            await self.more(page)

    async def show(self, done: str = "") -> None:
        """The settings as they stand, and what is missing."""
        guild = self.guild
        settings = await self.parts.prefs.guild(guild.id)
        words = self.parts.speech.say(await languages_of(self.interaction, self.parts.prefs))
        lines = [f"✅ {inline(words.text(done))}"] if done else []
        lines += [*self._summary(settings, words), "", *faults(self.parts, guild, settings, words)]
        view = discord.ui.View(timeout=None)
        for item in (*self._menus(settings, words), *_buttons(words)):
            view.add_item(item)
        await fill_in(self.interaction, Message(words.text("discord.setup.title"), "\n".join(lines), view=view))

    def _summary(self, settings: GuildSettings, words: Locale) -> list[str]:
        channels = " ".join(f"<#{channel}>" for channel in settings.channels) or words.text("discord.setup.nowhere")
        role = (
            f"<@&{settings.moderator_role}>" if settings.moderator_role else words.text("discord.setup.manage_messages")
        )
        days = settings.retention_days or self.parts.settings.retention_days
        return [
            f"**{words.text('discord.setup.channels')}:** {channels}",
            f"**{words.text('discord.setup.role')}:** {role}",
            f"**{words.text('discord.setup.retention')}:** {words.text('discord.setup.days', count=days)}",
        ]

    def _menus(self, settings: GuildSettings, words: Locale) -> list[SetupMenu]:
        known = [discord.Object(one) for one in settings.channels if self.guild.get_channel(one)]
        channels = discord.ui.ChannelSelect[Any](
            custom_id="setup:channels", channel_types=KINDS, min_values=0, max_values=CHANNELS, row=0,
            placeholder=words.text("discord.setup.channels"),
            default_values=[discord.SelectDefaultValue.from_channel(cast("Any", one)) for one in known],
        )  # fmt: skip
        tags = [(AUTO, words.text("discord.commands.choices.language.auto"))]
        tags += [(tag, self.parts.speech.locale(tag).text("discord.language_name")) for tag in self.parts.speech.tags]
        styles = [(style, words.text(f"discord.setup.style_{style}")) for style in STYLES]
        role = discord.ui.RoleSelect[Any](
            custom_id="setup:role", min_values=0, max_values=1, row=3, placeholder=words.text("discord.setup.role")
        )
        return [
            SetupMenu(channels),
            SetupMenu(_menu("language", tags, settings.language or AUTO, words.text("discord.setup.language"), 1)),
            SetupMenu(_menu("style", styles, settings.style, words.text("discord.setup.style"), 2)),
            SetupMenu(role),
        ]

    async def more(self, what: str) -> None:
        """The second page: retention, or the solved tags of the forums."""
        settings = await self.parts.prefs.guild(self.guild.id)
        words = self.parts.speech.say(await languages_of(self.interaction, self.parts.prefs))
        view = discord.ui.View(timeout=None)
        menus = [_retention(settings, words)] if what == "retention" else self._tags(settings, words)
        for item in menus:
            view.add_item(SetupMenu(item))
        view.add_item(SetupButton("back", words.text("cli.ask.back"), row=4))
        text = words.text(f"discord.setup.{what}_help" if menus else "discord.setup.no_forum")
        await fill_in(self.interaction, Message(words.text("discord.setup.title"), inline(text), view=view))

    def _tags(self, settings: GuildSettings, words: Locale) -> list[discord.ui.Select[Any]]:
        forums = [self.guild.get_channel(one) for one in settings.channels]
        found = [forum for forum in forums if isinstance(forum, discord.ForumChannel) and forum.available_tags]
        return [
            _menu(
                f"tag:{forum.id}",
                [
                    (NONE, words.text("discord.setup.no_tag")),
                    *((str(tag.id), tag.name) for tag in forum.available_tags),
                ],
                str(settings.solved_tags.get(forum.id, NONE)),
                words.text("discord.setup.tag", forum=forum.name)[:150],
                row,
            )
            for row, forum in enumerate(found[:FORUMS])
        ]

    async def test(self) -> None:
        """Try what a paste would need: engine, case history, intents, permissions."""
        guild = self.guild
        settings = await self.parts.prefs.guild(guild.id)
        words = self.parts.speech.say(await languages_of(self.interaction, self.parts.prefs))
        lines = []
        try:
            await self.parts.engine.run(DiagnoseJob((SAMPLE,)), urgent=True)
            lines.append(f"✅ {words.text('discord.setup.engine_ok')}")
        except EngineError as error:
            lines.append(f"❌ {words.text(f'discord.engine.{error.reason}')}")
        try:
            await asyncio.wrap_future(self.parts.book.probe())
            lines.append(f"✅ {words.text('discord.setup.store_ok')}")
        except StoreError as error:
            text = words.text(f"cases.remedy.{error.remedy}", path=error.path, detail=error.detail)
            lines.append(f"❌ {inline(text)}")
        lines += faults(self.parts, guild, settings, words)
        view = discord.ui.View(timeout=None)
        view.add_item(SetupButton("back", words.text("cli.ask.back")))
        await fill_in(self.interaction, Message(words.text("discord.setup.test"), "\n".join(lines), view=view))

    async def change(self, what: str, values: list[str]) -> None:
        """Store what was chosen in a menu, and show the panel as it stands then."""
        settings = changed(await self.parts.prefs.guild(self.guild.id), what, values)
        await self.parts.prefs.set_guild(self.guild.id, settings)
        await self.show(done="discord.setup.saved")


def changed(settings: GuildSettings, what: str, values: list[str]) -> GuildSettings:
    """Settings after a choice. Values that no menu offers leave them as they are."""
    first = values[0] if values else NONE
    update: dict[str, Any] = {}
    if what == "channels":
        update["channels"] = tuple(int(value) for value in values)
    elif what == "language":
        update["language"] = None if first == AUTO else first
    elif what == "style" and first in STYLES:
        update["style"] = first
    elif what == "role":
        update["moderator_role"] = int(first) if first.isdecimal() else None
    elif what == "retention":
        update["retention_days"] = int(first) if first.isdecimal() else None
    elif what.startswith("tag:"):
        forum = int(what.removeprefix("tag:"))
        kept = {key: tag for key, tag in settings.solved_tags.items() if key != forum}
        update["solved_tags"] = kept | ({forum: int(first)} if first.isdecimal() else {})
    return settings.model_copy(update=update)


def faults(parts: Parts, guild: discord.Guild, settings: GuildSettings, words: Locale) -> list[str]:
    """What keeps the bot from working here, each with the switch to flip; one line of praise where nothing does."""
    lines = []
    if not parts.client.intents.message_content and settings.style != "mention":
        lines.append(f"❌ {inline(words.text('discord.check.content_off'))}")
    for channel_id in settings.channels:
        channel = guild.get_channel(channel_id)
        if channel is None:
            lines.append(f"❌ {words.text('discord.setup.channel_gone', channel=str(channel_id))}")
            continue
        lacking = missing(channel.permissions_for(guild.me), forum=isinstance(channel, discord.ForumChannel))
        if lacking:
            names = ", ".join(words.text(f"discord.permission.{name}") for name in lacking)
            lines.append(f"❌ <#{channel_id}>: {inline(words.text('discord.setup.lacking', permissions=names))}")
    if not settings.channels:
        lines.append(f"ℹ️ {inline(words.text('discord.setup.choose_channels'))}")  # noqa: RUF001 an emoji
    return lines or [f"✅ {inline(words.text('discord.setup.all_well'))}"]


def _menu(name: str, options: list[tuple[str, str]], now: str, placeholder: str, row: int) -> discord.ui.Select[Any]:
    made = [
        discord.SelectOption(label=label[:100], value=value, default=value == now) for value, label in options[:OPTIONS]
    ]
    return discord.ui.Select(custom_id=f"setup:{name}", options=made, placeholder=placeholder[:150], row=row)


def _retention(settings: GuildSettings, words: Locale) -> discord.ui.Select[Any]:
    options = [(NONE, words.text("discord.setup.default"))]
    options += [(str(days), words.text("discord.setup.days", count=days)) for days in RETENTION]
    now = str(settings.retention_days or NONE)
    return _menu("retention", options, now, words.text("discord.setup.retention"), 0)


def _buttons(words: Locale) -> list[SetupButton]:
    names = ("test", "retention", "tags")
    return [SetupButton(name, words.text(f"discord.setup.{name}"), row=4) for name in names]
