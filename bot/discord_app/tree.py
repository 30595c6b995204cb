"""The tree of commands."""

from typing import Any

import discord
from discord import app_commands

from bot.discord_app.parts import parts_of
from bot.discord_app.people import languages_of
from bot.discord_app.trouble import refuse, tell


class Tree(app_commands.CommandTree[Any]):
    """Commands whose errors become a sentence for the person."""

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """While the process ends, no command is begun."""
        ending = parts_of(interaction).ending
        if ending and interaction.type is discord.InteractionType.application_command:
            await refuse(interaction)
        return not ending

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /) -> None:
        """Say what went wrong."""
        parts = parts_of(interaction)
        words = parts.speech.say(await languages_of(interaction, parts.prefs))
        await tell(interaction, error, words)
