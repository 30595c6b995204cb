"""`/knowledge reload`, for whoever runs the bot. Servers' administrators see it too, but it does nothing for them."""

from typing import Any

import discord
from discord import app_commands

from bot.discord_app.casework.replies import Message, fill_in, plain
from bot.discord_app.parts import Parts
from bot.discord_app.people import languages_of
from bot.discord_app.reloading import Reloader
from bot.discord_app.translator import Words
from bot.reply.markdown import fenced, inline

SHOWN, CHARS = 10, 3000


def group(parts: Parts, words: Words, reloader: Reloader | None) -> Any:
    """The command group."""
    made = app_commands.Group(
        name=words("knowledge.name"),
        description=words("knowledge.description"),
        default_permissions=discord.Permissions(administrator=True),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
    )

    @made.command(name=words("knowledge.reload.name"), description=words("knowledge.reload.description"))
    async def reload(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        locale = parts.speech.say(await languages_of(interaction, parts.prefs))
        if reloader is None or interaction.user.id not in await owners(parts):
            await fill_in(interaction, plain(locale.text("service.reload.not_owner")))
            return
        found = await reloader.reload()
        if found:
            told = fenced("\n".join(found[:SHOWN])[:CHARS])
            text = locale.text("service.reload.refused", count=len(found))
            await fill_in(interaction, Message("", f"{inline(text)}\n{told}"))
            return
        await reloader.tell_the_others()
        await fill_in(interaction, plain(locale.text("service.reload.done", rules=len(parts.knowledge.rules))))

    return made


async def owners(parts: Parts) -> set[int]:
    """Who the application belongs to: its owner, or those of its team that may do more than look."""
    application = await parts.client.application_info()
    if application.team is None:
        return {application.owner.id}
    return {
        member.id
        for member in application.team.members
        if member.membership_state is discord.TeamMembershipState.accepted
        and member.role is not discord.TeamMemberRole.read_only
    }
