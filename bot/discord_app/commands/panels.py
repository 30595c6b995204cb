"""What is done by buttons and menus: the FAQ tree of `/ask`, and the panel of `/setup`."""

import re
from typing import Any, Self, cast

import discord

from bot.discord_app.casework.layout import clipped
from bot.discord_app.casework.replies import Message, fill_in
from bot.discord_app.commands.cases_list import PageButton
from bot.discord_app.commands.setup_items import SetupButton, SetupMenu
from bot.discord_app.parts import Parts, parts_of
from bot.discord_app.people import languages_of
from bot.discord_app.trouble import guarded
from bot.discord_app.workers.jobs import AskJob
from bot.reply.markdown import inline

Interaction = discord.Interaction[Any]
LABEL = 80


class AskButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"ask:(?P<picked>[\d.]{0,80})"):
    """An answer to a question of the tree; the id holds all answers so far as indices."""

    def __init__(self, picked: str, label: str, style: discord.ButtonStyle = discord.ButtonStyle.primary) -> None:
        self.picked = picked
        super().__init__(discord.ui.Button(label=clipped(label, LABEL), style=style, custom_id=f"ask:{picked}"))

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the button again from what Discord sends with a press."""
        return cls(match["picked"], cast("discord.ui.Button[Any]", item).label or "?")

    async def callback(self, interaction: Interaction) -> None:
        """Go on to the next question."""
        await guarded(interaction, self._go(parts_of(interaction), interaction))

    async def _go(self, parts: Parts, interaction: Interaction) -> None:
        await interaction.response.defer()
        picked = tuple(int(index) for index in self.picked.split(".") if index)
        await show_question(parts, interaction, picked)


async def show_question(parts: Parts, interaction: Interaction, picked: tuple[int, ...]) -> None:
    """Answer a deferred interaction with the question that the answers so far lead to, or with the advice."""
    languages = await languages_of(interaction, parts.prefs)
    asked = await parts.engine.run(AskJob(picked, languages), urgent=True)
    locale = parts.speech.locale(asked.locale)
    view = discord.ui.View(timeout=None)
    for index in range(len(asked.answers)):
        view.add_item(AskButton(".".join(map(str, (*picked, index))), asked.answers[index]))
    if picked:
        back = ".".join(map(str, picked[:-1]))
        view.add_item(AskButton(back, locale.text("cli.ask.back"), discord.ButtonStyle.secondary))
    if asked.answers:
        message = Message("", f"**{inline(asked.laid.title)}**", view=view)
    else:
        message = Message(asked.laid.title, asked.laid.description, files=asked.laid.files, view=view)
    await fill_in(interaction, message)


ITEMS = (AskButton, PageButton, SetupButton, SetupMenu)
