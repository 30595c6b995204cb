"""`/plan`: which settings to start with, for a model on a card."""

from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.discord_app.casework.replies import Message, fill_in
from bot.discord_app.commands.diagnose import Answers
from bot.discord_app.commands.suggesting import everywhere, suggested
from bot.discord_app.parts import Parts
from bot.discord_app.people import languages_of
from bot.discord_app.translator import Words
from bot.discord_app.workers.jobs import PlanJob

Interaction = discord.Interaction[Any]


def command(parts: Parts, words: Words, answers: Answers) -> Any:
    """The command; everybody may use it, and sees the answer alone."""
    names, about = words.options("plan", "model", "gpu")
    families, figures = parts.knowledge.families, parts.knowledge.memory
    models = tuple(dict.fromkeys(arch.label for arch in families.archs.values() if figures.model(arch.id) is not None))
    cards = parts.knowledge.gpus.names

    @app_commands.command(name=words("plan.name"), description=words("plan.description"))
    @app_commands.rename(**names)
    @app_commands.describe(**about)
    async def plan(
        interaction: Interaction, model: app_commands.Range[str, 1, 80], gpu: app_commands.Range[str, 1, 60]
    ) -> None:
        if not await answers.begin(interaction):
            return
        languages = await languages_of(interaction, parts.prefs)
        made = await parts.engine.run(PlanJob(model, gpu, languages), urgent=True)
        await fill_in(interaction, Message(made.laid.title, made.laid.description, files=made.laid.files))

    @plan.autocomplete("model")
    async def suggest_model(_interaction: Interaction, typed: str) -> list[Choice[str]]:
        return suggested(models, typed)

    @plan.autocomplete("gpu")
    async def suggest_gpu(_interaction: Interaction, typed: str) -> list[Choice[str]]:
        return suggested(cards, typed)

    return everywhere(plan)
