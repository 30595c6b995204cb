"""Command names, descriptions, options and choices from the same locale files as every other word."""

import contextlib
import hashlib
import json
from pathlib import Path
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.discord_app.languages import Speech
from bot.knowledge.locale import FALLBACK

PREFIX = "discord.commands"


class Words:
    """Makes the strings that commands are declared with: English at once, the rest when commands are synced."""

    def __init__(self, speech: Speech) -> None:
        self._english = speech.locale(FALLBACK)

    def __call__(self, key: str) -> locale_str:
        """The string under `discord.commands.<key>`."""
        return locale_str(self._english.text(f"{PREFIX}.{key}"), key=f"{PREFIX}.{key}")

    def options(self, command: str, *names: str) -> tuple[dict[str, locale_str], dict[str, locale_str]]:
        """Names and descriptions of options, for `rename` and `describe`."""
        return (
            {name: self(f"options.{name}.name") for name in names},
            {name: self(f"{command}.options.{name}") for name in names},
        )

    def choices(self, group: str, *values: str) -> list[app_commands.Choice[str]]:
        """The choices of an option whose words stand under `choices.<group>`."""
        return [app_commands.Choice(name=self(f"choices.{group}.{value}"), value=value) for value in values]


class Translator(app_commands.Translator):
    """discord.py asks it for each string in each of Discord's languages."""

    def __init__(self, speech: Speech) -> None:
        self._speech = speech

    async def translate(
        self, string: locale_str, locale: discord.Locale, _context: app_commands.TranslationContextTypes, /
    ) -> str | None:
        """The words in that language; None where there is no file for it, and for English, which is the default."""
        tag = self._speech.known(str(locale))
        key = string.extras.get("key")
        if tag is None or tag == FALLBACK or key is None:
            return None
        words = self._speech.locale(tag)
        return words.text(key) if words.leaf(key) is not None else None


async def payload(tree: app_commands.CommandTree[Any], translator: Translator) -> list[dict[str, Any]]:
    """What `tree.sync` would send."""
    return [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]


async def sync_if_changed(tree: app_commands.CommandTree[Any], translator: Translator, remembered: Path) -> bool:
    """Send the commands to Discord unless they are those that were sent last. True where they were sent."""
    made = json.dumps(await payload(tree, translator), sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(f"{tree.client.application_id}\n{made}".encode()).hexdigest()
    if _remembered(remembered) == digest:
        return False
    await tree.sync()
    _remember(remembered, digest)
    return True


def _remembered(place: Path) -> str:
    return place.read_text(encoding="ascii", errors="replace").strip() if place.is_file() else ""


def _remember(place: Path, digest: str) -> None:
    # Where it cannot be written, the commands are sent once more at the next start; nothing else depends on it.
    with contextlib.suppress(OSError):
        place.write_text(f"{digest}\n", encoding="ascii")
