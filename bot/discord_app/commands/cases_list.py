"""Lists of cases, page by page: what is looked for travels in the button's id, so paging outlives a restart."""

import asyncio
import re
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any, Self, cast
from urllib.parse import parse_qsl, quote

import discord

from bot.cases import render
from bot.cases.listing import Filters
from bot.cases.model import NO_GUILD, STATES, Scope, stamp
from bot.cases.since import moment
from bot.discord_app.casework.replies import Message, fill_in
from bot.discord_app.parts import Parts, parts_of
from bot.discord_app.people import home, is_moderator, languages_of
from bot.discord_app.trouble import guarded
from bot.knowledge.locale import Locale
from bot.reply.markdown import inline

Interaction = discord.Interaction[Any]
CUSTOM_ID = 100


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to list. Empty: no matter."""

    state: str = ""
    family: str = ""
    lever: str = ""
    language: str = ""
    user: int = 0
    since: str = ""
    words: str = ""

    def filters(self) -> Filters:
        """The same for the case history."""
        start = moment(self.since, datetime.now(UTC)) if self.since else None
        return Filters(
            state=next((state for state in STATES if state == self.state), None),
            family=self.family or None,
            lever=self.lever or None,
            locale=self.language or None,
            asker=self.user or None,
            since=stamp(start) if start else None,
            words=self.words or None,
        )

    def packed(self) -> str:
        """For a button's id: the first letters of the names, `n` for since, `w` for words."""
        given = [(_LETTERS[field.name], str(getattr(self, field.name))) for field in fields(self)]
        return "&".join(f"{letter}={quote(value, safe='')}" for letter, value in given if value not in {"", "0"})

    @classmethod
    def unpacked(cls, text: str) -> Self:
        """What `packed` made."""
        found: dict[str, Any] = {_NAMES[letter]: value for letter, value in parse_qsl(text) if letter in _NAMES}
        if "user" in found:
            found["user"] = int(found["user"])
        return cls(**found)


_LETTERS = {"state": "s", "family": "f", "lever": "l", "language": "g", "user": "u", "since": "n", "words": "w"}
_NAMES = {letter: name for name, letter in _LETTERS.items()}


class PageButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"cases:(?P<after>\d{0,12}):(?P<wanted>.*)"):
    """Another page of a list of cases."""

    def __init__(self, after: str, wanted: str, label: str) -> None:
        self.after, self.wanted = after, wanted
        super().__init__(discord.ui.Button(label=label, custom_id=f"cases:{after}:{wanted}"))

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the button again from what Discord sends with a press."""
        return cls(match["after"], match["wanted"], cast("discord.ui.Button[Any]", item).label or "?")

    async def callback(self, interaction: Interaction) -> None:
        """Turn the page."""
        await guarded(interaction, self._turn(parts_of(interaction), interaction))

    async def _turn(self, parts: Parts, interaction: Interaction) -> None:
        guild = home(interaction)
        locale = parts.speech.say(await languages_of(interaction, parts.prefs))
        if guild == NO_GUILD or not is_moderator(interaction, await parts.prefs.guild(guild)):
            await interaction.response.send_message(locale.text("discord.not_allowed"), ephemeral=True)
            return
        await interaction.response.defer()
        after = int(self.after) if self.after else None
        await show(parts, interaction, Wanted.unpacked(self.wanted), locale, after)


async def show(
    parts: Parts, interaction: Interaction, wanted: Wanted, locale: Locale, after: int | None = None
) -> None:
    """Answer a deferred interaction with one page."""
    page = await asyncio.wrap_future(parts.book.listed(Scope.server(home(interaction)), wanted.filters(), after=after))
    lines = [inline(render.case_line(case, locale)) for case in page.cases] or [inline(locale.text("cases.list.empty"))]
    view = discord.ui.View(timeout=None)
    packed = wanted.packed()
    if len(packed) + 20 <= CUSTOM_ID:
        if after is not None:
            view.add_item(PageButton("", packed, locale.text("discord.list.first")))
        if page.after is not None:
            view.add_item(PageButton(str(page.after), packed, locale.text("discord.list.next")))
    elif page.after is not None:
        lines.append(inline(locale.text("discord.list.narrow")))
    await fill_in(interaction, Message(locale.text("discord.list.title"), "\n".join(lines), view=view))
