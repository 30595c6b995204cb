"""`/privacy`: what is held about oneself, as a text and as a file; deleting it; storing no text at all."""

import asyncio
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.cases.deletion import Policy
from bot.cases.listing import Filters
from bot.cases.model import NO_GUILD, Scope
from bot.cases.privacy import Facts, privacy_text
from bot.discord_app.casework.layout import TextFile
from bot.discord_app.casework.replies import Message, plain
from bot.discord_app.people import home, languages_of
from bot.discord_app.translator import Words
from bot.knowledge.locale import Locale
from bot.reply.markdown import inline

if TYPE_CHECKING:
    from bot.discord_app.medic import Medic

Interaction = discord.Interaction[Any]
COUNTED = 1000


def group(medic: "Medic", words: Words) -> Any:
    """The command group."""
    made = app_commands.Group(
        name=words("privacy.name"),
        description=words("privacy.description"),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
    )
    _reading(medic, words, made)
    _changing(medic, words, made)
    return made


async def _begin(medic: "Medic", interaction: Interaction) -> Locale:
    await interaction.response.defer(ephemeral=True, thinking=True)
    return medic.speech.say(await languages_of(interaction, medic.prefs))


def _reading(medic: "Medic", words: Words, made: app_commands.Group) -> None:
    @made.command(name=words("privacy.show.name"), description=words("privacy.show.description"))
    async def show(interaction: Interaction) -> None:
        locale = await _begin(medic, interaction)
        user = await medic.prefs.user(interaction.user.id)
        page = await asyncio.wrap_future(medic.book.listed(Scope.person(interaction.user.id), Filters(), size=COUNTED))
        guild = home(interaction)
        days = (await medic.prefs.guild(guild)).retention_days if guild else None
        kept = medic.settings
        policy = Policy(days or kept.retention_days, kept.grace_days, kept.no_answer_days)
        text = privacy_text(Facts(policy, user.opted_out, moderators=guild != NO_GUILD), locale)
        title, _, rest = text.partition("\n\n")
        held = locale.text("discord.privacy.held", count=len(page.cases))
        await medic.answer(interaction, Message(title, f"**{inline(held)}**\n\n{inline(rest)}"))

    @made.command(name=words("privacy.export.name"), description=words("privacy.export.description"))
    async def export(interaction: Interaction) -> None:
        locale = await _begin(medic, interaction)
        text = await asyncio.wrap_future(medic.book.export_user(interaction.user.id))
        file = TextFile("oom-medic.json", text.encode())
        if len(file.data) > interaction.filesize_limit:
            await medic.answer(interaction, plain(locale.text("discord.export_too_large")))
            return
        await medic.answer(interaction, Message("", inline(locale.text("discord.privacy.exported")), files=(file,)))


def _changing(medic: "Medic", words: Words, made: app_commands.Group) -> None:
    names, about = words.options("privacy", "confirm", "store")

    @made.command(name=words("privacy.delete.name"), description=words("privacy.delete.description"))
    @app_commands.rename(confirm=names["confirm"])
    @app_commands.describe(confirm=about["confirm"])
    async def delete(interaction: Interaction, confirm: bool) -> None:
        locale = await _begin(medic, interaction)
        if not confirm:
            await medic.answer(interaction, plain(locale.text("discord.not_confirmed")))
            return
        page = await asyncio.wrap_future(medic.book.listed(Scope.person(interaction.user.id), Filters(), size=COUNTED))
        for case in page.cases:
            medic.desk.forget(case.id)
            medic.open_cases.drop(case.id)
        count = await asyncio.wrap_future(medic.book.forget_user(interaction.user.id))
        medic.prefs.forget_user(interaction.user.id)
        await medic.answer(interaction, plain(locale.text("discord.privacy.deleted", count=count)))

    @made.command(name=words("privacy.text.name"), description=words("privacy.text.description"))
    @app_commands.rename(store=names["store"])
    @app_commands.describe(store=about["store"])
    async def text(interaction: Interaction, store: bool) -> None:
        locale = await _begin(medic, interaction)
        await medic.prefs.opt_out(interaction.user.id, out=not store)
        await medic.answer(interaction, plain(locale.text(f"discord.privacy.{'stores' if store else 'stores_not'}")))
