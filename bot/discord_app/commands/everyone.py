"""The commands anybody can use: `/diagnose`, the message menu, `/faq`, `/ask`, `/plan`, `/language`.

Names, descriptions and choices come from the locale files; see `translator`.
"""

from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.discord_app.casework.layout import clipped, safe_title
from bot.discord_app.casework.modals import paste_modal
from bot.discord_app.casework.replies import Message, fill_in, plain
from bot.discord_app.commands import panels, planning
from bot.discord_app.commands.diagnose import Answers, Request
from bot.discord_app.commands.suggesting import CHOICE_NAME, CHOICES, everywhere, suggested
from bot.discord_app.parts import Parts
from bot.discord_app.people import languages_of
from bot.discord_app.translator import Words
from bot.intake.read import Told
from bot.reply.faq import answer_text
from bot.reply.markdown import inline

Interaction = discord.Interaction[Any]
AUTO = "auto"


def commands(parts: Parts, words: Words, answers: Answers) -> list[Any]:
    """All of them, usable in servers and in direct messages, and installable by a user."""
    return [
        _diagnose(parts, words, answers),
        _menu(words, answers),
        _faq(parts, words),
        _ask(parts, words),
        _language(parts, words),
        planning.command(parts, words, answers),
    ]


def _diagnose(parts: Parts, words: Words, answers: Answers) -> Any:
    names, about = words.options("diagnose", "file", "file2", "file3", "text", "gpu", "goal", "language")
    cards = parts.knowledge.gpus.names

    @app_commands.command(name=words("diagnose.name"), description=words("diagnose.description"))
    @app_commands.rename(**names)
    @app_commands.describe(**about)
    @app_commands.choices(goal=words.choices("goal", "fit", "speed"), language=_languages(parts, words))
    async def diagnose(  # noqa: PLR0913, PLR0917 one parameter an option
        interaction: Interaction,
        file: discord.Attachment | None = None,
        file2: discord.Attachment | None = None,
        file3: discord.Attachment | None = None,
        text: app_commands.Range[str, 1, 6000] | None = None,
        gpu: app_commands.Range[str, 1, 60] | None = None,
        goal: Choice[str] | None = None,
        language: Choice[str] | None = None,
    ) -> None:
        files = [one for one in (file, file2, file3) if one is not None]
        wished = language.value if language and language.value != AUTO else None
        aim = goal.value if goal else None
        if not files and not text:
            spoken = await languages_of(interaction, parts.prefs)
            locale = parts.speech.locale(wished) if wished else parts.speech.say(spoken)
            await interaction.response.send_modal(
                paste_modal(locale, gpu=gpu or "", goal=aim or "fit", language=wished or "")
            )
            return
        told = Told(gpu=gpu, goal=aim)
        await answers.diagnose(interaction, Request("slash", [text] if text else [], files, told, wished))

    @diagnose.autocomplete("gpu")
    async def suggest(_interaction: Interaction, typed: str) -> list[Choice[str]]:
        return suggested(cards, typed)

    return everywhere(diagnose)


def _languages(parts: Parts, words: Words) -> list[Choice[str]]:
    """Each language under its own name, after "by circumstances"."""
    automatic = words.choices("language", AUTO)
    return [
        *automatic,
        *(Choice(name=parts.speech.locale(tag).text("discord.language_name"), value=tag) for tag in parts.speech.tags),
    ]


def _menu(words: Words, answers: Answers) -> Any:
    async def menu(interaction: Interaction, message: discord.Message) -> None:
        await answers.menu(interaction, message)

    return everywhere(app_commands.ContextMenu(name=words("menu.name"), callback=menu))


def _faq(parts: Parts, words: Words) -> Any:
    faq_data = parts.faq
    names, about = words.options("faq", "question", "public")

    @app_commands.command(name=words("faq.name"), description=words("faq.description"))
    @app_commands.rename(**names)
    @app_commands.describe(**about)
    async def faq(interaction: Interaction, question: app_commands.Range[str, 1, 200], public: bool = False) -> None:
        locale = parts.speech.say(await languages_of(interaction, parts.prefs))
        found = [question] if question in faq_data.entries else [match.id for match in faq_data.match(question)]
        if not found:
            text = f"{inline(locale.text('errors.no_faq'))}"
            await interaction.response.send_message(clipped(text, 2000), ephemeral=True)
            return
        asked, said = answer_text(locale, found[0])
        message = Message(safe_title(asked), inline(said))
        await interaction.response.send_message(**message.new(), ephemeral=not public)

    @faq.autocomplete("question")
    async def suggest(interaction: Interaction, typed: str) -> list[Choice[str]]:
        locale = parts.speech.say(await languages_of(interaction, parts.prefs))
        matched = [match.id for match in faq_data.match(typed, CHOICES)]
        low = typed.casefold()
        written = [name for name in faq_data.entries if low in answer_text(locale, name)[0].casefold()]
        found = list(dict.fromkeys([*matched, *written]))[:CHOICES]
        return [Choice(name=clipped(answer_text(locale, name)[0], CHOICE_NAME), value=name) for name in found]

    return everywhere(faq)


def _ask(parts: Parts, words: Words) -> Any:
    @app_commands.command(name=words("ask.name"), description=words("ask.description"))
    async def ask(interaction: Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await panels.show_question(parts, interaction, ())

    return everywhere(ask)


def _language(parts: Parts, words: Words) -> Any:
    names, about = words.options("language", "language")

    @app_commands.command(name=words("language.name"), description=words("language.description"))
    @app_commands.rename(**names)
    @app_commands.describe(**about)
    @app_commands.choices(language=_languages(parts, words))
    async def language(interaction: Interaction, language: Choice[str]) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        wished = None if language.value == AUTO else language.value
        await parts.prefs.set_language(interaction.user.id, wished)
        locale = parts.speech.say(await languages_of(interaction, parts.prefs))
        key = "discord.language_auto" if wished is None else "discord.language_set"
        await fill_in(interaction, plain(locale.text(key)))

    return everywhere(language)
