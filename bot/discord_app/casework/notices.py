"""What is said beside the reply of a case."""

import logging

import discord

from bot.cases.model import FullCase
from bot.discord_app.casework.outbox import Outbox
from bot.discord_app.casework.replies import plain
from bot.discord_app.parts import Parts
from bot.discord_app.workers.jobs import Answer

log = logging.getLogger(__name__)


async def point_to(outbox: Outbox, message: discord.Message, case: FullCase) -> None:
    """The same text again: where the answer stands."""
    if not case.replies:
        return
    guild = message.guild.id if message.guild else "@me"
    channel, reply = case.replies[-1]
    link = f"https://discord.com/channels/{guild}/{channel}/{reply}"
    text = outbox.parts.speech.locale(case.case.locale).text("discord.answered_above")
    await outbox.say(message.channel, plain(f"{text} {link}"), message)


async def warn_of_secret(parts: Parts, message: discord.Message, answer: Answer, secrets: tuple[str, ...]) -> None:
    """Tell the person, and only them; where they take no direct messages, the button under the reply does."""
    if not secrets or message.guild is None:
        return
    words = parts.speech.locale(answer.locale)
    kinds = ", ".join(secrets)
    try:
        await message.author.send(f"{words.text('discord.secret.advice', kinds=kinds)}\n{message.jump_url}")
    except discord.HTTPException:
        log.info("a person takes no direct messages; the button under the reply tells them")
