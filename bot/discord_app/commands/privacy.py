"""`/privacy`: what is held about oneself, as a text and as a file; deleting it; storing no text at all."""

import asyncio
from typing import Any

import discord
from discord import app_commands

from bot.cases.deletion import Policy
from bot.cases.listing import Filters
from bot.cases.model import NO_GUILD, Scope
from bot.cases.privacy import Facts, privacy_text
from bot.discord_app.casework.layout import TextFile
from bot.discord_app.casework.outbox import Outbox
from bot.discord_app.casework.replies import Message, fill_in, plain
from bot.discord_app.parts import Parts
from bot.discord_app.people import home, languages_of
from bot.discord_app.translator import Words
from bot.knowledge.locale import Locale
from bot.reply.markdown import inline

Interaction = discord.Interaction[Any]
COUNTED = 1000


def group(parts: Parts, words: Words, outbox: Outbox) -> Any:
    """The command group."""
    made = app_commands.Group(
        name=words("privacy.name"),
        description=words("privacy.description"),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
    )
    _reading(parts, words, made)
    _changing(parts, words, made, outbox)
    return made


async def _begin(parts: Parts, interaction: Interaction) -> Locale:
    await interaction.response.defer(ephemeral=True, thinking=True)
    return parts.speech.say(await languages_of(interaction, parts.prefs))


def _reading(parts: Parts, words: Words, made: app_commands.Group) -> None:
    @made.command(name=words("privacy.show.name"), description=words("privacy.show.description"))
    async def show(interaction: Interaction) -> None:
        locale = await _begin(parts, interaction)
        user = await parts.prefs.user(interaction.user.id)
        page = await asyncio.wrap_future(parts.book.listed(Scope.person(interaction.user.id), Filters(), size=COUNTED))
        guild = home(interaction)
        days = (await parts.prefs.guild(guild)).retention_days if guild else None
        kept = parts.settings
        policy = Policy(days or kept.retention_days, kept.grace_days, kept.no_answer_days)
        text = privacy_text(Facts(policy, user.opted_out, moderators=guild != NO_GUILD), locale)
        title, _, rest = text.partition("\n\n")
        held = [locale.text("discord.privacy.held", count=len(page.cases))]
        done = await asyncio.wrap_future(parts.book.moderated(interaction.user.id))
        if done.notes or done.assigned:
            counts = {"notes": len(done.notes), "assigned": len(done.assigned)}
            held.append(locale.text("discord.privacy.as_moderator", counts))
        await fill_in(interaction, Message(title, f"**{inline(' '.join(held))}**\n\n{inline(rest)}"))

    @made.command(name=words("privacy.export.name"), description=words("privacy.export.description"))
    async def export(interaction: Interaction) -> None:
        locale = await _begin(parts, interaction)
        text = await asyncio.wrap_future(parts.book.export_user(interaction.user.id))
        file = TextFile("oom-medic.json", text.encode())
        if len(file.data) > interaction.filesize_limit:
            await fill_in(interaction, plain(locale.text("discord.export_too_large")))
            return
        await fill_in(interaction, Message("", inline(locale.text("discord.privacy.exported")), files=(file,)))


def _changing(parts: Parts, words: Words, made: app_commands.Group, outbox: Outbox) -> None:
    names, about = words.options("privacy", "confirm", "store")

    @made.command(name=words("privacy.delete.name"), description=words("privacy.delete.description"))
    @app_commands.rename(confirm=names["confirm"])
    @app_commands.describe(confirm=about["confirm"])
    async def delete(interaction: Interaction, confirm: bool) -> None:
        locale = await _begin(parts, interaction)
        if not confirm:
            await fill_in(interaction, plain(locale.text("discord.not_confirmed")))
            return
        page = await asyncio.wrap_future(parts.book.listed(Scope.person(interaction.user.id), Filters(), size=COUNTED))
        for case in page.cases:
            parts.desk.originals.drop(case.id)
            parts.open_cases.drop(case.id)
            async with outbox.showing(case.id):
                # A reply that is on its way has arrived, and is known.
                pass
        replies = await asyncio.wrap_future(parts.book.replies_to(interaction.user.id))
        count = await asyncio.wrap_future(parts.book.forget_user(interaction.user.id))
        parts.prefs.forget_user(interaction.user.id)
        await fill_in(interaction, plain(locale.text("discord.privacy.deleted", count=count)))
        await outbox.take_back(replies)

    @made.command(name=words("privacy.text.name"), description=words("privacy.text.description"))
    @app_commands.rename(store=names["store"])
    @app_commands.describe(store=about["store"])
    async def text(interaction: Interaction, store: bool) -> None:
        locale = await _begin(parts, interaction)
        await parts.prefs.opt_out(interaction.user.id, out=not store)
        await fill_in(interaction, plain(locale.text(f"discord.privacy.{'stores' if store else 'stores_not'}")))
