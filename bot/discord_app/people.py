"""Who somebody is to a case and to a server, and which languages they are known to speak."""

from typing import Any

import discord

from bot.cases.model import NO_GUILD, Case
from bot.cases.people import GuildSettings
from bot.discord_app.languages import Languages
from bot.discord_app.prefs import Preferences


def home(interaction: discord.Interaction[Any]) -> int:
    """The server an interaction counts for: none where the bot is only there because this person installed it."""
    if interaction.guild_id is None or not interaction.is_guild_integration():
        return NO_GUILD
    return interaction.guild_id


def is_moderator(interaction: discord.Interaction[Any], settings: GuildSettings) -> bool:
    """The configured role, or the permission to manage messages in the whole server the interaction came from.

    A channel can give that permission to somebody for itself alone (bots do so for channels that people open); the
    history is the server's, with its private channels in it.
    """
    if home(interaction) == NO_GUILD or not isinstance(interaction.user, discord.Member):
        return False
    if interaction.user.guild_permissions.manage_messages:
        return True
    return settings.moderator_role is not None and interaction.user.get_role(settings.moderator_role) is not None


async def may_act(interaction: discord.Interaction[Any], case: Case, prefs: Preferences) -> bool:
    """Whether somebody may press a case's buttons: the person who asked, and moderators of its server."""
    if case.asker == interaction.user.id:
        return True
    return case.guild == home(interaction) and is_moderator(interaction, await prefs.guild(case.guild))


async def languages_of(interaction: discord.Interaction[Any], prefs: Preferences) -> Languages:
    """For an answer that this person alone sees, or that they asked for."""
    own = (await prefs.user(interaction.user.id)).language
    server = str(interaction.guild_locale) if interaction.guild_locale else None
    return Languages(own=own, interaction=str(interaction.locale), server=server)


async def public_languages(message: discord.Message, prefs: Preferences, settings: GuildSettings) -> Languages:
    """For a public answer to a message: a message tells no locale of its author's."""
    own = (await prefs.user(message.author.id)).language
    preferred = str(message.guild.preferred_locale) if message.guild else None
    return Languages(own=own, server=settings.language or preferred)
