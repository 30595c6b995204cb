"""Pressing "It works" in a forum post sets the server's solved tag, where one is configured."""

import logging

import discord

from bot.cases.model import FullCase
from bot.discord_app.parts import Parts
from bot.discord_app.trouble import story

log = logging.getLogger(__name__)
# Discord allows five tags on a post.
TAGS = 5


class Solved:
    """One for the bot."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    async def mark(self, case: FullCase) -> None:
        """Tag the post that a case was asked in."""
        if case.case.channel is None or not case.case.guild:
            return
        guild = self.parts.client.get_guild(case.case.guild)
        thread = guild.get_thread(case.case.channel) if guild else None
        settings = await self.parts.prefs.guild(case.case.guild)
        tag = settings.solved_tags.get(thread.parent_id) if thread else None
        if thread is None or tag is None:
            return
        set_now = [applied.id for applied in thread.applied_tags]
        if tag in set_now or len(set_now) >= TAGS:
            return
        try:
            await thread.add_tags(discord.Object(tag))
        except discord.HTTPException as error:
            log.warning("solved tag not set in %s: %s", thread.id, story(error))
