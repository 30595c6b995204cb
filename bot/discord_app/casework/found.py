"""Which case an interaction is about."""

import asyncio
from typing import Any

import discord

from bot.cases.book import CaseBook
from bot.cases.errors import NoSuchCaseError
from bot.cases.model import FullCase, Scope
from bot.discord_app.people import home


async def find_case(book: CaseBook, interaction: discord.Interaction[Any], case_id: str) -> FullCase | None:
    """The case, looked for only where it may be known: this server, or what this person asked elsewhere."""
    guild = home(interaction)
    own = Scope.person(interaction.user.id)
    scopes = [Scope.server(guild), own] if guild else [own]
    for scope in scopes:
        try:
            return await asyncio.wrap_future(book.find(scope.of(case_id)))
        except NoSuchCaseError:
            continue
    # A case that moved here from another host may have another id; the message under which the button stands leads to it.
    if interaction.message is None:
        return None
    return await asyncio.wrap_future(book.by_message(scopes[0], interaction.message.id))
