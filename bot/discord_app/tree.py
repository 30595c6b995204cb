"""The tree of commands."""

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.discord_app.people import languages_of
from bot.discord_app.trouble import tell

if TYPE_CHECKING:
    from bot.discord_app.medic import Medic


class Tree(app_commands.CommandTree["Medic"]):
    """Commands whose errors become a sentence for the person."""

    async def interaction_check(self, interaction: discord.Interaction["Medic"], /) -> bool:
        """While the process ends, no command is begun."""
        client = interaction.client
        if client.ending and interaction.type is discord.InteractionType.application_command:
            await client.refuse(interaction)
        return not client.ending

    async def on_error(self, interaction: discord.Interaction["Medic"], error: app_commands.AppCommandError, /) -> None:
        """Say what went wrong."""
        client = interaction.client
        words = client.speech.say(await languages_of(interaction, client.prefs))
        await tell(interaction, error, words)
