"""The menus and buttons of the `/setup` panel. Each id says what it sets, so a panel left open outlives a restart."""

import re
from typing import TYPE_CHECKING, Any, Self, cast

import discord

if TYPE_CHECKING:
    from bot.discord_app.medic import Medic

Interaction = discord.Interaction[Any]


class SetupMenu(discord.ui.DynamicItem[Any], template=r"setup:(?P<what>channels|language|style|role|retention|tag:\d+)"):
    """A menu of the panel, of whatever kind."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, item: discord.ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        """Wrap the menu that Discord sends with a choice."""
        return cls(item)

    async def callback(self, interaction: Interaction) -> None:
        """Store the choice."""
        medic = cast("Medic", interaction.client)
        await medic.guard(interaction, self._store(medic, interaction))

    async def _store(self, medic: "Medic", interaction: Interaction) -> None:
        await interaction.response.defer()
        data: Any = interaction.data or {}
        await medic.panel(interaction).change(self.custom_id.removeprefix("setup:"), list(data.get("values", [])))


class SetupButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"setup-go:(?P<what>test|retention|tags|back)"):
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
        medic = cast("Medic", interaction.client)
        await medic.guard(interaction, self._go(medic, interaction))

    async def _go(self, medic: "Medic", interaction: Interaction) -> None:
        await interaction.response.defer()
        panel = medic.panel(interaction)
        if self.what == "test":
            await panel.test()
        elif self.what == "back":
            await panel.show()
        else:
            await panel.more(self.what)
