"""`/diagnose`, its modal, the message menu, and the modal for a new log: everything asked through an interaction.

Every one is acknowledged before anything is read or worked out, and answered by filling in that deferred response:
unlike a follow-up, that cannot become two when Discord's answer gets lost.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.cases.errors import StoreError
from bot.cases.model import NO_GUILD, FullCase, Scope
from bot.discord_app.casework import modals
from bot.discord_app.casework.found import find_case
from bot.discord_app.casework.history import Given
from bot.discord_app.casework.outbox import Outbox
from bot.discord_app.casework.replies import case_message, fill_in, plain
from bot.discord_app.casework.shown import Ask, Shown, TextGoneError
from bot.discord_app.commands.one_line import is_flat_config, restored
from bot.discord_app.languages import Languages
from bot.discord_app.parts import Parts
from bot.discord_app.people import home, languages_of, may_act
from bot.intake.read import Told

Interaction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody handed in through an interaction."""

    origin: str
    texts: Sequence[str] = ()
    files: Sequence[discord.Attachment] = ()
    told: Told = field(default_factory=Told)
    language: str | None = None


class Answers:
    """One for the bot."""

    def __init__(self, parts: Parts, outbox: Outbox) -> None:
        self.parts, self.outbox = parts, outbox
        self.desk, self.prefs, self.speech = parts.desk, parts.prefs, parts.speech

    async def diagnose(self, interaction: Interaction, request: Request) -> None:
        """Answer what was handed in, for the asker's eyes."""
        if not await self.begin(interaction):
            return
        languages = await self._languages(interaction, request.language)
        gatherer = self.parts.gatherer
        texts = [text if self._is_log(text) else restored(text) for text in request.texts if not self._is_lost(text)]
        async with gatherer.budget.hold(gatherer.weight(request.files)):
            given = await gatherer.texts_and_files(texts, request.files)
            if given:
                await self._open(interaction, given, request, languages)
                return
        words = self.speech.say(languages)
        await fill_in(interaction, plain(words.text(self._nothing(request))))

    async def menu(self, interaction: Interaction, message: discord.Message) -> None:
        """Right-click on any message: its case if it has one here, else a case of the one who asked."""
        if not await self.begin(interaction):
            return
        languages = await languages_of(interaction, self.prefs)
        case = await self._case_of(interaction, message)
        if case is not None:
            await self._show(interaction, await self.desk.current(case, languages))
            return
        given = await self.parts.gatherer.message(message)
        if not given:
            forwarded = [file for one in message.message_snapshots for file in one.attachments]
            request = Request("menu", files=[*message.attachments, *forwarded])
            await fill_in(interaction, plain(self.speech.say(languages).text(self._nothing(request))))
            return
        await self._open(interaction, given, Request("menu"), languages, message)

    async def on_modal(self, interaction: Interaction) -> None:
        """A modal was filled in."""
        filled = modals.submitted(interaction)
        if filled is None:
            return
        texts = [filled.values["text"]] if filled.values.get("text", "").strip() else []
        if filled.kind == modals.LOG:
            await self._new_log(interaction, filled.state, texts, filled.files)
            return
        told = Told(gpu=filled.values.get("gpu", "").strip() or None, goal=filled.values.get("goal") or None)
        await self.diagnose(interaction, Request("modal", texts, filled.files, told, filled.state or None))

    async def begin(self, interaction: Interaction) -> bool:
        """Acknowledge. False where the person has had enough answers for this minute, and was told so."""
        wait = self.parts.paces.user.wait(interaction.user.id)
        if wait:
            words = self.speech.say(await languages_of(interaction, self.prefs))
            text = words.text("discord.slow_down", seconds=round(wait) + 1)
            await interaction.response.send_message(text, ephemeral=True)
            return False
        await interaction.response.defer(ephemeral=True, thinking=True)
        return True

    def _nothing(self, request: Request) -> str:
        pictures = self.parts.detector.pictures
        if any(file.filename.lower().endswith(pictures) for file in request.files):
            return "discord.picture"
        if request.files:
            return "discord.unreadable"
        return "discord.flat" if any(map(self._is_lost, request.texts)) else "discord.call"

    def _is_log(self, text: str) -> bool:
        return self.parts.detector.is_crash(text)

    def _is_lost(self, text: str) -> bool:
        """A config in one line; a log in one line can still be read."""
        return is_flat_config(text) and not self._is_log(text)

    async def _languages(self, interaction: Interaction, wished: str | None) -> Languages:
        found = await languages_of(interaction, self.prefs)
        return Languages(own=wished, interaction=found.interaction, server=found.server) if wished else found

    async def _open(
        self,
        interaction: Interaction,
        given: tuple[Given, ...],
        request: Request,
        languages: Languages,
        message: discord.Message | None = None,
    ) -> None:
        answer = await self.desk.examine(given, request.told, languages, urgent=True)
        ask = Ask(
            given=given,
            guild=home(interaction),
            asker=interaction.user.id,
            origin=request.origin,
            told=request.told,
            languages=languages,
            channel=interaction.channel_id,
            message=message.id if message else None,
            link=message.jump_url if message else None,
            receipt=f"interaction:{interaction.id}",
            store_text=not (await self.prefs.user(interaction.user.id)).opted_out,
        )
        same = await self.desk.same(ask, answer) if message is None else None
        shown = await self.desk.current(same, languages) if same else await self.desk.open(ask, answer)
        await self._show(interaction, shown)

    async def _show(self, interaction: Interaction, shown: Shown) -> None:
        message = case_message(shown, self.speech.locale(shown.answer.locale), private=True)
        await fill_in(interaction, message)

    async def _case_of(self, interaction: Interaction, message: discord.Message) -> FullCase | None:
        """The case that a message belongs to, as a paste or as the bot's reply, within this server or one's own."""
        guild = home(interaction)
        scope = Scope.person(interaction.user.id) if guild == NO_GUILD else Scope.server(guild)
        try:
            return await asyncio.wrap_future(self.parts.book.by_message(scope, message.id))
        except StoreError:
            return None

    async def _new_log(
        self, interaction: Interaction, case_id: str, texts: Sequence[str], files: Sequence[discord.Attachment]
    ) -> None:
        """The log of the newest failure takes the place of older ones; the case goes on from there."""
        words = self.speech.say(await languages_of(interaction, self.prefs))
        case = await find_case(self.parts.book, interaction, case_id)
        if case is None or not await may_act(interaction, case.case, self.prefs):
            await interaction.response.send_message(words.text("discord.case.unknown"), ephemeral=True)
            return
        await interaction.response.defer()
        given = await self.parts.gatherer.texts_and_files(texts, files)
        if not given:
            await interaction.followup.send(words.text("discord.call"), ephemeral=True)
            return
        logs = {document.text for document in case.documents if document.kind == "log"}
        with contextlib.suppress(TextGoneError):
            # Of who opted out nothing is stored: then the case goes on by the new log alone.
            given = (*(item for item in self.desk.texts(case) if item.pasted.data not in logs), *given)
        async with self.outbox.showing(case.case.id):
            shown = await self.desk.revise(case, given)
            if shown is None:
                return
            private = interaction.message is not None and interaction.message.flags.ephemeral
            message = case_message(shown, self.speech.locale(shown.answer.locale), private=private)
            await interaction.edit_original_response(**message.edit(interaction.app_permissions))
        pressed = interaction.message.id if interaction.message else None
        await self.outbox.update(case, shown, but=pressed)
