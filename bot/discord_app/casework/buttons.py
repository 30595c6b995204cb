"""The buttons under a reply. Each carries its case's id, so it works after a restart, from the stored case alone."""

import re
from typing import Any, Literal, Protocol, Self, cast

import discord

from bot.discord_app.casework.shown import Shown
from bot.knowledge.locale import Locale

Action = Literal["works", "fails", "fixed", "why", "undo", "language", "show", "log", "secret"]
_TEMPLATE = (
    r"case:(?P<case>[0-9A-Z]{4,12}):(?P<action>works|fails|fixed|why|undo|language|show|log|secret)"
    r"(?::(?P<round>\d{1,4}))?"
)
_STYLES = {
    "works": discord.ButtonStyle.success,
    "fails": discord.ButtonStyle.danger,
    "fixed": discord.ButtonStyle.primary,
}
_EMOJI = {"language": "🌐", "secret": "🔒", "show": "📢", "undo": "↩️", "log": "📎"}


class Presses(Protocol):
    """A client to which presses go."""

    async def pressed(self, press: discord.Interaction[Any], case: str, action: Action, seen: int | None) -> None:
        """Deal with the press of a button; `seen` is the round of steps that it stood under."""


class CaseButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=_TEMPLATE):
    """One button of a case, as of a round of its steps: who presses means what stood there."""

    def __init__(
        self, case: str, action: Action, label: str, *, row: int | None = None, seen: int | None = None
    ) -> None:
        self.case, self.action, self.seen = case, action, seen
        style = _STYLES.get(action, discord.ButtonStyle.secondary)
        custom_id = f"case:{case}:{action}" if seen is None else f"case:{case}:{action}:{seen}"
        super().__init__(
            discord.ui.Button(label=label, style=style, emoji=_EMOJI.get(action), custom_id=custom_id, row=row)
        )

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the button again from what Discord sends with a press."""
        label = cast("discord.ui.Button[Any]", item).label or "?"
        seen = None if match["round"] is None else int(match["round"])
        return cls(match["case"], cast("Action", match["action"]), label, seen=seen)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the press on."""
        await cast("Presses", interaction.client).pressed(interaction, self.case, self.action, self.seen)


def actions(shown: Shown, *, private: bool) -> list[Action]:
    """Which buttons a case has as it stands, in order."""
    if shown.case_id is None:
        return []
    found: list[Action] = []
    if shown.stage == "open" and shown.can_be_tried:
        found += ["works", "fails"]
    if shown.answer.diff:
        found.append("fixed")
    found += ["why", "language"]
    if shown.can_undo and shown.stage != "closed":
        found.append("undo")
    if shown.stage in {"open", "ended"} and shown.answer.wants_log:
        found.append("log")
    if private:
        found.append("show")
    if shown.answer.secrets:
        found.append("secret")
    return found


def buttons_for(shown: Shown, locale: Locale, *, private: bool) -> discord.ui.View:
    """The buttons of a reply, five a row."""
    view = discord.ui.View(timeout=None)
    for index, action in enumerate(actions(shown, private=private)):
        label = locale.text(f"discord.button.{action}")
        view.add_item(CaseButton(shown.case_id or "", action, label, row=index // 5, seen=shown.round))
    return view
