"""The menus and buttons of the `/setup` panel. Each id says what it sets, so a panel left open outlives a restart."""

import re
from typing import Any, Protocol, Self, cast

import discord

from bot.discord_app.trouble import guarded

Interaction = discord.Interaction[Any]


class Panels(Protocol):
    """A client that shows the panel."""

    async def chosen(self, interaction: Interaction, what: str, values: list[str]) -> None:
        """Store what was chosen in a menu."""

    async def turned(self, interaction: Interaction, page: str) -> None:
        """Show another page."""


class SetupMenu(
    discord.ui.DynamicItem[Any], template=r"setup:(?P<what>channels|language|style|role|retention|tag:\d+)"
):
    """A menu of the panel, of whatever kind."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, item: discord.ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        """Wrap the menu that Discord sends with a choice."""
        return cls(item)

    async def callback(self, interaction: Interaction) -> None:
        """Store the choice."""
        await guarded(interaction, self._store(interaction))

    async def _store(self, interaction: Interaction) -> None:
        await interaction.response.defer()
        data: Any = interaction.data or {}
        values = list(data.get("values", []))
        await cast("Panels", interaction.client).chosen(interaction, self.custom_id.removeprefix("setup:"), values)


class SetupButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"setup-go:(?P<what>test|retention|tags|back)"
):
    """A button of the panel."""

    def __init__(self, what: str, label: str, row: int | None = None) -> None:
        self.what = what
        super().__init__(discord.ui.Button(label=label[:80], custom_id=f"setup-go:{what}", row=row))

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the button again from what Discord sends with a press."""
        return cls(match["what"], cast("discord.ui.Button[Any]", item).label or "?")

    async def callback(self, interaction: Interaction) -> None:
        """Go to the page."""
        await guarded(interaction, self._go(interaction))

    async def _go(self, interaction: Interaction) -> None:
        await interaction.response.defer()
        await cast("Panels", interaction.client).turned(interaction, self.what)
