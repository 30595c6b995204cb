"""`/cases stats` and `/cases export`."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.cases import chart, render
from bot.cases.book import CaseBook
from bot.cases.model import Scope
from bot.discord_app.casework.layout import TextFile
from bot.discord_app.casework.replies import Message, fill_in, plain
from bot.discord_app.commands import cases_list
from bot.knowledge.locale import Locale
from bot.reply.markdown import fenced, inline

Interaction = discord.Interaction[Any]
Command = Callable[..., Callable[[Any], Any]]
Begin = Callable[[Interaction], Awaitable[tuple[Scope, Locale]]]


def add_numbers(command: Command, begin: Begin, book: CaseBook) -> None:
    """`stats`, `export`."""

    @command("stats", "since")
    async def stats(interaction: Interaction, since: cases_list.Since | None = None) -> None:
        scope, locale = await begin(interaction)
        try:
            start = cases_list.beginning(since or "")
        except cases_list.BadSinceError as error:
            await cases_list.say_bad_since(interaction, error, locale)
            return
        found = await asyncio.wrap_future(book.stats(scope, start))
        text = render.stats_text(found, locale)
        files = [TextFile("stats.txt", text.encode())] if len(text) > 3500 else []
        if chart.is_available():
            files.append(TextFile("stats.png", await asyncio.to_thread(chart.png, found, locale)))
        await fill_in(interaction, Message("", fenced(text[:3500]), files=files))

    @app_commands.choices(form=[Choice(name="JSON", value="json"), Choice(name="CSV", value="csv")])
    async def export(interaction: Interaction, form: Choice[str], since: cases_list.Since | None = None) -> None:
        scope, locale = await begin(interaction)
        try:
            filters = cases_list.Wanted(since=since or "").filters()
        except cases_list.BadSinceError as error:
            await cases_list.say_bad_since(interaction, error, locale)
            return
        text = await asyncio.wrap_future(book.export(scope, filters, "csv" if form.value == "csv" else "json"))
        file = TextFile(f"cases.{form.value}", text.encode())
        if len(file.data) > interaction.filesize_limit:
            await fill_in(interaction, plain(locale.text("discord.export_too_large")))
            return
        await fill_in(interaction, Message("", inline(locale.text("discord.exported")), files=(file,)))

    command("export", "form", "since")(export)
