"""What several commands share: names suggested while somebody types, and where a command can be used."""

from collections.abc import Sequence
from typing import Any

from discord import app_commands
from discord.app_commands import Choice

CHOICES, CHOICE_NAME, CHOICE_VALUE = 25, 100, 100


def suggested(names: Sequence[str], typed: str) -> list[Choice[str]]:
    """The names that hold every word typed so far, as many as Discord shows."""
    wanted = typed.casefold().split()
    fitting = [name for name in names if all(part in name.casefold() for part in wanted)]
    return [Choice(name=name[:CHOICE_NAME], value=name[:CHOICE_VALUE]) for name in fitting[:CHOICES]]


def everywhere(command: Any) -> Any:
    """Installable by servers and by users, usable wherever that gets it."""
    command = app_commands.allowed_installs(guilds=True, users=True)(command)
    return app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)(command)
