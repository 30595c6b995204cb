"""Every command into the tree of commands."""

from dataclasses import dataclass
from typing import Any

from discord import app_commands

from bot.discord_app.casework.outbox import Outbox
from bot.discord_app.commands import cases, everyone, owner, privacy, setup_panel
from bot.discord_app.commands.diagnose import Answers
from bot.discord_app.parts import Parts
from bot.discord_app.reloading import Reloader
from bot.discord_app.translator import Words


@dataclass(frozen=True, slots=True)
class Handlers:
    """What commands lead to, besides the parts of the bot."""

    answers: Answers
    outbox: Outbox
    reloader: Reloader | None


def declare(tree: app_commands.CommandTree[Any], parts: Parts, handlers: Handlers) -> None:
    """Declare them by the knowledge in force; those that were declared before go."""
    words = Words(parts.speech)
    tree.clear_commands(guild=None)
    for command in (
        *everyone.commands(parts, words, handlers.answers),
        setup_panel.setup_command(parts, words),
        cases.group(parts, words, handlers.outbox),
        privacy.group(parts, words, handlers.outbox),
        owner.group(parts, words, handlers.reloader),
    ):
        tree.add_command(command)
