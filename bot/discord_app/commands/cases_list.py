"""Lists of cases, page by page: what is looked for travels in the button's id, so paging outlives a restart."""

import asyncio
import re
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any, Self, cast
from urllib.parse import parse_qsl, quote

import discord
from discord import app_commands

from bot.cases import render
from bot.cases.listing import Filters
from bot.cases.model import NO_GUILD, STATES, Scope, stamp
from bot.cases.since import moment
from bot.discord_app.casework.replies import Message, fill_in, plain
from bot.discord_app.commands.case_details import case_row, person, when
from bot.discord_app.parts import Parts, parts_of
from bot.discord_app.people import home, is_moderator, languages_of
from bot.discord_app.trouble import guarded
from bot.knowledge.locale import Locale
from bot.reply.markdown import inline

Interaction = discord.Interaction[Any]
CUSTOM_ID = 100
Since = app_commands.Range[str, 2, 10]


class BadSinceError(ValueError):
    """What was typed is no point in time."""


def beginning(since: str) -> datetime | None:
    """The point in time that was typed; None for nothing typed. Raises BadSinceError."""
    start = moment(since, datetime.now(UTC)) if since else None
    if since and start is None:
        raise BadSinceError(since)
    return start


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
    assigned: int = 0

    def filters(self) -> Filters:
        """The same for the case history. Raises BadSinceError."""
        start = beginning(self.since)
        return Filters(
            state=next((state for state in STATES if state == self.state), None),
            family=self.family or None,
            lever=self.lever or None,
            locale=self.language or None,
            asker=self.user or None,
            since=stamp(start) if start else None,
            words=self.words or None,
            assigned=self.assigned or None,
        )

    def packed(self) -> str:
        """For a button's id: the first letters of the names, `n` for since, `w` for words."""
        given = [(_LETTERS[field.name], str(getattr(self, field.name))) for field in fields(self)]
        return "&".join(f"{letter}={quote(value, safe='')}" for letter, value in given if value not in {"", "0"})

    @classmethod
    def unpacked(cls, text: str) -> Self:
        """What `packed` made."""
        found: dict[str, Any] = {_NAMES[letter]: value for letter, value in parse_qsl(text) if letter in _NAMES}
        return cls(**found | {name: int(found[name]) for name in ("user", "assigned") if name in found})

    def summary(self, locale: Locale) -> str:
        """In words, what was looked for."""
        start = beginning(self.since)
        words = {
            "state": render.named(locale, "cases.states", self.state) if self.state else "",
            "family": self.family,
            "lever": render.named(locale, "levers", self.lever) if self.lever else "",
            "language": self.language,
            "words": self.words and f"\u201c{self.words}\u201d",
        }
        parts = [inline(word) for word in words.values() if word]
        parts += [person(self.user)] if self.user else []
        parts += [f"{locale.text('cases.fields.assigned')}: {person(self.assigned)}"] if self.assigned else []
        parts += [locale.text("discord.list.since", when=when(stamp(start), "f"))] if start else []
        return " · ".join(parts)


_LETTERS = {
    "state": "s",
    "family": "f",
    "lever": "l",
    "language": "g",
    "user": "u",
    "since": "n",
    "words": "w",
    "assigned": "a",
}
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


async def say_bad_since(interaction: Interaction, error: BadSinceError, locale: Locale) -> None:
    """Answer that what was typed is no point in time, and how one is written."""
    await fill_in(interaction, plain(inline(locale.text("cases.errors.bad_since", value=str(error)))))


async def show(
    parts: Parts, interaction: Interaction, wanted: Wanted, locale: Locale, after: int | None = None
) -> None:
    """Answer a deferred interaction with one page."""
    try:
        filters, summary = wanted.filters(), wanted.summary(locale)
    except BadSinceError as error:
        await say_bad_since(interaction, error, locale)
        return
    page = await asyncio.wrap_future(parts.book.listed(Scope.server(home(interaction)), filters, after=after))
    lines = [f"*{summary}*"] if summary else []
    lines += [case_row(case, locale) for case in page.cases] or [inline(locale.text("cases.list.empty"))]
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
