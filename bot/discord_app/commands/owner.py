"""`/knowledge reload`, for whoever runs the bot. Servers' administrators see it too, but it does nothing for them."""

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.discord_app.casework.replies import Message, plain
from bot.discord_app.people import languages_of
from bot.discord_app.translator import Words
from bot.reply.markdown import fenced, inline

if TYPE_CHECKING:
    from bot.discord_app.medic import Medic

SHOWN, CHARS = 10, 3000


def group(medic: "Medic", words: Words) -> Any:
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
        reloader = medic.operation.reloader
        locale = medic.speech.say(await languages_of(interaction, medic.prefs))
        if reloader is None or interaction.user.id not in await owners(medic):
            await medic.answer(interaction, plain(locale.text("service.reload.not_owner")))
            return
        found = await reloader.reload()
        if found:
            told = fenced("\n".join(found[:SHOWN])[:CHARS])
            text = locale.text("service.reload.refused", count=len(found))
            await medic.answer(interaction, Message("", f"{inline(text)}\n{told}"))
            return
        await reloader.tell_the_others()
        await medic.answer(interaction, plain(locale.text("service.reload.done", rules=len(medic.knowledge.rules))))

    return made


async def owners(medic: "Medic") -> set[int]:
    """Who the application belongs to: its owner, or those of its team that may do more than look."""
    application = await medic.application_info()
    if application.team is None:
        return {application.owner.id}
    return {
        member.id
        for member in application.team.members
        if member.membership_state is discord.TeamMembershipState.accepted and member.role is not discord.TeamMemberRole.read_only
    }
