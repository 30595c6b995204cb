"""What follows from a message that is worth a look: a case is opened, joined or pointed to, or a sentence is said."""

import asyncio
from dataclasses import replace

import discord

from bot.cases.errors import NoSuchCaseError, StoreError
from bot.cases.model import NO_GUILD, FullCase
from bot.cases.people import GuildSettings
from bot.discord_app.casework import history
from bot.discord_app.casework.history import Given, as_the_case
from bot.discord_app.casework.layout import safe_title
from bot.discord_app.casework.notices import point_to, warn_of_secret
from bot.discord_app.casework.outbox import Outbox
from bot.discord_app.casework.replies import Message, plain
from bot.discord_app.casework.shown import Arrival, Ask, TextGoneError
from bot.discord_app.languages import Languages
from bot.discord_app.parts import Parts
from bot.discord_app.pasting.detect import Decision, Look
from bot.discord_app.pasting.talk import Talk
from bot.discord_app.people import public_languages
from bot.intake.read import Told
from bot.reply.faq import answer_text
from bot.reply.markdown import inline


class Dealing:
    """One for the bot."""

    def __init__(self, parts: Parts, outbox: Outbox, talk: Talk) -> None:
        self.parts, self.outbox, self.talk = parts, outbox, talk
        self.desk, self.prefs = parts.desk, parts.prefs

    async def deal(self, message: discord.Message, decision: Decision, look: Look, settings: GuildSettings) -> None:
        """Carry out a decision."""
        languages = await public_languages(message, self.prefs, settings)
        case = await self._open_case(message) if decision in {Decision.PASTE, Decision.DETAIL} else None
        if case is not None and not await self._stands_for_itself(message, case, decision, settings):
            return
        # Where nobody opted in, or only mentions count, further messages of a case are read and nothing else is.
        if decision is Decision.DETAIL or look.is_follow_up or not await self._pace(message, look, languages):
            return
        if decision is Decision.PICTURE:
            await self._say(message, languages, "discord.picture")
            return
        given = await self._given(message, decision)
        if given:
            await self._open(message, given, look, settings, languages)
        elif look.addressed and not all(map(self.parts.gatherer.readable, look.files)):
            await self._say(message, languages, "discord.unreadable")
        elif look.addressed:
            await self._converse(message, languages)

    async def _say(self, message: discord.Message, languages: Languages, key: str) -> None:
        text = self.parts.speech.say(languages).text(key)
        await self.outbox.say(message.channel, plain(text), message)

    async def _converse(self, message: discord.Message, languages: Languages) -> None:
        """A question of the FAQ gets its answer; to anything else is said what to send, in a talk once in a while."""
        faq, question = self.parts.faq, message.content
        languages = replace(languages, prose=faq.language(question))
        found = faq.match(question, 1)
        if found:
            asked, said = answer_text(self.parts.speech.say(languages), found[0].id)
            await self.outbox.say(message.channel, Message(safe_title(asked), inline(said)), message)
        elif message.guild is not None or self.parts.paces.called.wait(message.author.id) == 0:
            await self._say(message, languages, "discord.call")

    async def _given(self, message: discord.Message, decision: Decision) -> tuple[Given, ...]:
        """What the message brings; for a call in answer to another message, what that one brings."""
        gatherer = self.parts.gatherer
        if decision is not Decision.CALL:
            return await gatherer.message(message)
        reference = message.reference.resolved if message.reference else None
        if not isinstance(reference, discord.Message) or reference.author.bot:
            return ()
        given = await gatherer.message(reference)
        tells = given and self.parts.detector.may_tell_hardware(message.content)
        return (*given, *(await gatherer.message(message))) if tells else given

    async def _pace(self, message: discord.Message, look: Look, languages: Languages) -> bool:
        """Whether the person and the channel may have another answer now."""
        paces = self.parts.paces
        wait = paces.user.wait(message.author.id) or paces.channel.wait(message.channel.id)
        if wait and look.addressed and paces.told.wait(message.author.id) == 0:
            text = self.parts.speech.say(languages).text("discord.slow_down", seconds=round(wait) + 1)
            await self.outbox.say(message.channel, plain(text), message)
        return wait == 0

    # --- one case out of several messages

    async def _open_case(self, message: discord.Message) -> FullCase | None:
        case_id = self.parts.open_cases.get(message.channel.id, message.author.id)
        if case_id is None:
            return None
        guild = message.guild.id if message.guild else NO_GUILD
        try:
            scope = history.scope_of(guild, message.author.id)
            case = await asyncio.wrap_future(self.parts.book.find(scope.of(case_id)))
        except (NoSuchCaseError, StoreError):
            return None
        return case if case.case.state == "open" else None

    async def _stands_for_itself(
        self, message: discord.Message, case: FullCase, decision: Decision, settings: GuildSettings
    ) -> bool:
        """Whether nothing is left of an open case that a message could be added to. Otherwise it is added."""
        try:
            if self.parts.paces.join.wait(message.author.id) == 0:
                await self._join(message, case, decision, settings)
        except TextGoneError:
            self.parts.open_cases.drop(case.case.id)
            return True
        return False

    async def _join(
        self, message: discord.Message, case: FullCase, decision: Decision, settings: GuildSettings
    ) -> None:
        """Add a message to an open case, if it tells something. Raises TextGoneError."""
        given = await self.parts.gatherer.message(message)
        before = self.desk.texts(case)
        if {_text(item) for item in given} <= {_text(item) for item in before}:
            if given and self.parts.paces.user.wait(message.author.id) == 0:
                await point_to(self.outbox, message, case)
            return
        if decision is Decision.DETAIL and not await self._tells(case, before, given):
            return
        shown = await self.desk.revise(case, (*before, *given), Arrival(message.id, message.channel.id))
        if shown is not None:
            self.parts.open_cases.touch(message.channel.id, message.author.id, case.case.id)
            if not await self.outbox.update(case, shown):
                await self.outbox.send(message, shown, settings.style)
            await warn_of_secret(self.parts, message, shown.answer, history.new_secrets(case, shown.answer))

    async def _tells(self, case: FullCase, before: tuple[Given, ...], given: tuple[Given, ...]) -> bool:
        """Whether a message tells more of the machine than is known."""
        told, languages, made = history.stored_told(case), as_the_case(case), history.tried(case)
        old = await self.desk.examine(before, told, languages, made)
        new = await self.desk.examine((*before, *given), told, languages, made)
        return old.hardware != new.hardware

    async def _open(
        self,
        message: discord.Message,
        given: tuple[Given, ...],
        look: Look,
        settings: GuildSettings,
        languages: Languages,
    ) -> None:
        # What was said before goes when the paste goes, so it is kept as a part of that.
        said = self.talk.recent(message.channel.id, message.author.id)
        given = (*(Given(text, message.id) for text in said), *given)
        answer = await self.desk.examine(given, Told(), languages)
        if not look.addressed and (not answer.sure or (answer.fragment and look.to_somebody)):
            return
        ask = Ask(
            given=given,
            guild=message.guild.id if message.guild else NO_GUILD,
            asker=message.author.id,
            origin="direct" if message.guild is None else "mention" if look.addressed else "paste",
            languages=languages,
            channel=message.channel.id,
            message=message.id,
            link=message.jump_url,
            store_text=not (await self.prefs.user(message.author.id)).opted_out,
        )
        same = await self.desk.same(ask, answer)
        if same is not None and same.replies:
            await point_to(self.outbox, message, same)
            return
        shown = await self.desk.open(ask, answer)
        if shown.case_id:
            self.parts.open_cases.open(message.channel.id, message.author.id, shown.case_id, (message.id,))
        if shown.fresh:
            await self.outbox.send(message, shown, settings.style)
            await warn_of_secret(self.parts, message, answer, answer.secrets)


def _text(item: Given) -> str:
    data = item.pasted.data
    return (data if isinstance(data, str) else data.decode("utf-8", "replace")).strip()
