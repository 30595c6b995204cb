"""When a handler fails: the person gets one sentence with a reference, the operator the whole story without the paste."""

import logging
import secrets
import traceback
from collections.abc import Awaitable, Coroutine
from typing import Any

import discord
from discord import app_commands

from bot.cases.errors import NoSuchCaseError, StoreError
from bot.discord_app.casework.archived import ARCHIVED
from bot.discord_app.casework.shown import TextGoneError
from bot.discord_app.languages import Languages
from bot.discord_app.parts import parts_of
from bot.discord_app.workers.jobs import EngineError
from bot.knowledge.locale import Locale

log = logging.getLogger(__name__)
# Discord's answer to an acknowledgement that came too late or for the second time, and to what comes after a quarter of
# an hour.
UNKNOWN_INTERACTION, ALREADY_ACKNOWLEDGED, UNKNOWN_WEBHOOK, INVALID_TOKEN = 10062, 40060, 10015, 50027
TOO_LATE = frozenset({UNKNOWN_INTERACTION, ALREADY_ACKNOWLEDGED, UNKNOWN_WEBHOOK, INVALID_TOKEN})


class NotHereError(NoSuchCaseError):
    """A moderator named a case that is none of their server's."""


# Nothing is broken where one of these comes: the person is told what is the matter.
EXPECTED: dict[type[BaseException], str] = {
    TextGoneError: "discord.case.text_gone",
    NotHereError: "discord.moderation.unknown",
    NoSuchCaseError: "discord.case.unknown",
    StoreError: "discord.store_down",
    app_commands.CheckFailure: "discord.not_allowed",
}


def sentence(error: BaseException, words: Locale) -> str:
    """What the person is told. Unexpected errors are logged here, under the reference that the sentence gives."""
    if isinstance(error, app_commands.CommandInvokeError):
        return sentence(error.original, words)
    if isinstance(error, EngineError):
        log.warning("engine: %s (%s)", error.reason, error)
        return words.text(f"discord.engine.{error.reason}")
    if isinstance(error, StoreError):
        log.error("case history: %s", error)
    if isinstance(error, discord.HTTPException) and error.code == ARCHIVED:
        return words.text("discord.archived")
    for kind, key in EXPECTED.items():
        if isinstance(error, kind):
            return words.text(key)
    reference = secrets.token_hex(3).upper()
    log.error("unexpected error %s: %s", reference, story(error))
    return words.text("discord.error", reference=reference)


def story(error: BaseException) -> str:
    """Type and places of an error and its causes. Messages are left out but for Discord's own: they may quote a paste."""
    parts = []
    current: BaseException | None = error
    while current is not None:
        detail = f" {current.status}/{current.code}" if isinstance(current, discord.HTTPException) else ""
        places = " < ".join(
            f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}:{frame.name}"
            for frame in reversed(traceback.extract_tb(current.__traceback__))
        )
        parts.append(f"{type(current).__name__}{detail} at {places}")
        current = current.__cause__ or current.__context__
    return " | from ".join(parts)


def is_too_late(error: BaseException) -> bool:
    """Whether Discord no longer knows the interaction, or knows it as answered: there is nobody to tell."""
    return isinstance(error, discord.HTTPException) and error.code in TOO_LATE


async def guarded(interaction: discord.Interaction[Any], work: Awaitable[None]) -> None:
    """Run a handler of an interaction; whatever it raises becomes a sentence for the person."""
    parts = parts_of(interaction)
    words = parts.speech.say(Languages(interaction=str(interaction.locale)))
    if parts.ending:
        if isinstance(work, Coroutine):
            work.close()
        work = refuse(interaction)
    try:
        await work
    except Exception as error:  # noqa: BLE001 the last line of defence of every handler
        await tell(interaction, error, words)


async def refuse(interaction: discord.Interaction[Any]) -> None:
    """The process is about to end: say so rather than leave the person waiting."""
    words = parts_of(interaction).speech.say(Languages(interaction=str(interaction.locale)))
    await interaction.response.send_message(words.text("service.restarting"), ephemeral=True)


async def tell(interaction: discord.Interaction[Any], error: BaseException, words: Locale) -> None:
    """Say what went wrong where the answer would have been."""
    original = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    if is_too_late(original):
        log.warning("interaction %s could not be answered: %s", interaction.id, story(original))
        return
    text = sentence(error, words)
    try:
        if not interaction.response.is_done():
            await interaction.response.send_message(text, ephemeral=True)
        else:
            await interaction.followup.send(text, ephemeral=True)
    except discord.HTTPException as second:
        log.warning("the sentence about an error was not delivered: %s", story(second))
