"""The commands anybody can use: `/diagnose`, the message menu, `/faq`, `/ask`, `/language`; and the list of all.

Names, descriptions and choices come from the locale files; see `translator`.
"""

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.discord_app.casework.layout import clipped, safe_title
from bot.discord_app.casework.modals import paste_modal
from bot.discord_app.casework.replies import Message, plain
from bot.discord_app.commands import cases, owner, panels, privacy
from bot.discord_app.commands.diagnose import Request
from bot.discord_app.people import languages_of
from bot.discord_app.translator import Words
from bot.intake.read import Told
from bot.reply.faq import Faq, answer_text
from bot.reply.markdown import inline

if TYPE_CHECKING:
    from bot.discord_app.medic import Medic

Interaction = discord.Interaction[Any]
CHOICES, CHOICE_NAME, CHOICE_VALUE = 25, 100, 100
AUTO = "auto"


def add_all(medic: "Medic", words: Words) -> None:
    """Every command into the tree, with what holds for all: usable in servers, in direct messages, installed by users."""
    tree = medic.tree
    for make in (_diagnose, _menu, _faq, _ask, _language):
        tree.add_command(make(medic, words))
    tree.add_command(panels.setup_command(medic, words))
    tree.add_command(cases.group(medic, words))
    tree.add_command(privacy.group(medic, words))
    tree.add_command(owner.group(medic, words))


def everywhere(command: Any) -> Any:
    """Installable by servers and by users, usable wherever that gets it."""
    command = app_commands.allowed_installs(guilds=True, users=True)(command)
    return app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)(command)


def _diagnose(medic: "Medic", words: Words) -> Any:
    names, about = words.options("diagnose", "file", "file2", "file3", "text", "gpu", "goal", "language")
    cards = medic.knowledge.gpus.names

    @app_commands.command(name=words("diagnose.name"), description=words("diagnose.description"))
    @app_commands.rename(**names)
    @app_commands.describe(**about)
    @app_commands.choices(goal=words.choices("goal", "fit", "speed"), language=_languages(medic, words))
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
            spoken = await languages_of(interaction, medic.prefs)
            locale = medic.speech.locale(wished) if wished else medic.speech.say(spoken)
            await interaction.response.send_modal(paste_modal(locale, gpu=gpu or "", goal=aim or "fit", language=wished or ""))
            return
        told = Told(gpu=gpu, goal=aim)
        await medic.answers.diagnose(interaction, Request("slash", [text] if text else [], files, told, wished))

    @diagnose.autocomplete("gpu")
    async def suggest(_interaction: Interaction, typed: str) -> list[Choice[str]]:
        wanted = typed.casefold().split()
        fitting = [name for name in cards if all(part in name.casefold() for part in wanted)]
        return [Choice(name=name[:CHOICE_NAME], value=name[:CHOICE_VALUE]) for name in fitting[:CHOICES]]

    return everywhere(diagnose)


def _languages(medic: "Medic", words: Words) -> list[Choice[str]]:
    """Each language under its own name, after "by circumstances"."""
    automatic = words.choices("language", AUTO)
    return [*automatic, *(Choice(name=medic.speech.locale(tag).text("discord.language_name"), value=tag) for tag in medic.speech.tags)]


def _menu(medic: "Medic", words: Words) -> Any:
    async def menu(interaction: Interaction, message: discord.Message) -> None:
        await medic.answers.menu(interaction, message)

    return everywhere(app_commands.ContextMenu(name=words("menu.name"), callback=menu))


def _faq(medic: "Medic", words: Words) -> Any:
    faq_data = Faq.load(medic.knowledge)
    names, about = words.options("faq", "question", "public")

    @app_commands.command(name=words("faq.name"), description=words("faq.description"))
    @app_commands.rename(**names)
    @app_commands.describe(**about)
    async def faq(interaction: Interaction, question: app_commands.Range[str, 1, 200], public: bool = False) -> None:
        locale = medic.speech.say(await languages_of(interaction, medic.prefs))
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
        locale = medic.speech.say(await languages_of(interaction, medic.prefs))
        matched = [match.id for match in faq_data.match(typed, CHOICES)]
        low = typed.casefold()
        written = [name for name in faq_data.entries if low in answer_text(locale, name)[0].casefold()]
        found = list(dict.fromkeys([*matched, *written]))[:CHOICES]
        return [Choice(name=clipped(answer_text(locale, name)[0], CHOICE_NAME), value=name) for name in found]

    return everywhere(faq)


def _ask(medic: "Medic", words: Words) -> Any:
    @app_commands.command(name=words("ask.name"), description=words("ask.description"))
    async def ask(interaction: Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await panels.show_question(medic, interaction, ())

    return everywhere(ask)


def _language(medic: "Medic", words: Words) -> Any:
    names, about = words.options("language", "language")

    @app_commands.command(name=words("language.name"), description=words("language.description"))
    @app_commands.rename(**names)
    @app_commands.describe(**about)
    @app_commands.choices(language=_languages(medic, words))
    async def language(interaction: Interaction, language: Choice[str]) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        wished = None if language.value == AUTO else language.value
        await medic.prefs.set_language(interaction.user.id, wished)
        locale = medic.speech.say(await languages_of(interaction, medic.prefs))
        key = "discord.language_auto" if wished is None else "discord.language_set"
        await medic.answer(interaction, plain(locale.text(key)))

    return everywhere(language)
