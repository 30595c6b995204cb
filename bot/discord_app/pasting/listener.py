"""Messages in channels: pastes answered, further messages joined. `follow` has edits and deletions.

`detect.Detector.process` decides; here the decision is carried out. Messages of one person in one channel are dealt
with one after the other, so that a config and the log sent right behind it meet in one case.
"""

import asyncio
import logging
from contextlib import AbstractAsyncContextManager
from weakref import WeakValueDictionary

import discord

from bot.cases.errors import NoSuchCaseError, StoreError
from bot.cases.model import NO_GUILD, FullCase, Scope
from bot.cases.people import GuildSettings
from bot.discord_app.casework import history
from bot.discord_app.casework.history import Given, as_the_case
from bot.discord_app.casework.outbox import Outbox
from bot.discord_app.casework.replies import plain
from bot.discord_app.casework.shown import Ask
from bot.discord_app.parts import Parts
from bot.discord_app.pasting.detect import Decision
from bot.discord_app.pasting.detect import Seen as Look
from bot.discord_app.pasting.talk import Talk
from bot.discord_app.people import public_languages
from bot.discord_app.trouble import sentence, story
from bot.intake.read import Told

log = logging.getLogger(__name__)
HUMAN = (discord.MessageType.default, discord.MessageType.reply)
# Direct messages belong to no server.
NOWHERE = GuildSettings()
NOT_HERE = Look(text="")


class Listener:
    """One for the bot; `Medic` hands it Discord's events."""

    def __init__(self, parts: Parts, outbox: Outbox) -> None:
        self.parts, self.outbox = parts, outbox
        self.desk, self.prefs, self.speech = parts.desk, parts.prefs, parts.speech
        self.talk = Talk()
        # Messages that are being answered: who deletes one of them meanwhile has to wait for its reply to be known.
        self.dealing: dict[int, asyncio.Event] = {}
        self._locks: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()

    async def on_message(self, message: discord.Message) -> None:
        """A new message. Talk costs some microseconds and ends here."""
        if self.parts.ending or message.author.bot or message.webhook_id is not None or message.type not in HUMAN:
            return
        guild = message.guild
        settings = NOWHERE if guild is None else self.prefs.guild_at_hand(guild.id) or await self.prefs.guild(guild.id)
        look = self._look(message, settings)
        decision = self.parts.detector.process(look)
        if decision is Decision.SILENT:
            if look.opted_in and self.parts.detector.may_tell_hardware(look.text):
                self.talk.note(message.channel.id, message.author.id, message.content)
            return
        if not self.parts.seen.first(message.id):
            return
        done = self.dealing[message.id] = asyncio.Event()
        try:
            async with self.lock(message), self.budget(message):
                if not await self._answered_before(message):
                    await self._deal_with(message, decision, settings)
        except Exception as error:  # noqa: BLE001 an event handler has nobody above it
            await self.failed(message, error, addressed=look.addressed)
        finally:
            done.set()
            self.dealing.pop(message.id, None)

    async def _settings(self, message: discord.Message) -> GuildSettings:
        guild = message.guild
        if guild is None:
            return NOWHERE
        return self.prefs.guild_at_hand(guild.id) or await self.prefs.guild(guild.id)

    def _look(self, message: discord.Message, settings: GuildSettings) -> Look:
        channel, me = message.channel, self.parts.client.user
        opted_in = channel.id in settings.channels or getattr(channel, "parent_id", None) in settings.channels
        addressed = message.guild is None or (me is not None and "<@" in message.content and me.id in message.raw_mentions)
        if not addressed and not opted_in:
            return NOT_HERE
        files = [file.filename for file in message.attachments]
        text = message.content
        for snapshot in message.message_snapshots:
            files += [file.filename for file in snapshot.attachments]
            text = f"{text}\n{snapshot.content}"
        open_case = self.parts.open_cases.get(channel.id, message.author.id)
        reference = message.reference.resolved if message.reference else None
        to_other = isinstance(reference, discord.Message) and reference.author.id not in {
            message.author.id, me.id if me else 0,
        }  # fmt: skip
        return Look(
            text=text,
            files=files,
            addressed=addressed,
            opted_in=opted_in,
            mention_only=settings.style == "mention",
            case_open=open_case is not None,
            to_somebody=to_other,
        )

    def lock(self, message: discord.Message) -> asyncio.Lock:
        """One at a time for each person in each channel."""
        key = (message.channel.id, message.author.id)
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock

    def budget(self, message: discord.Message) -> AbstractAsyncContextManager[None]:
        """The memory that dealing with a message may take."""
        files = [*message.attachments, *(file for one in message.message_snapshots for file in one.attachments)]
        return self.parts.gatherer.budget.hold(self.parts.gatherer.weight(files))

    async def _answered_before(self, message: discord.Message) -> bool:
        """Whether the message belongs to a case already: it came once more. A reply that never went out is sent now."""
        try:
            case = await asyncio.wrap_future(self.parts.book.by_message(Scope.operator(), message.id))
        except StoreError:
            return False
        if case is not None and not case.replies:
            await self.outbox.resume(case.case)
        return case is not None

    async def _deal_with(self, message: discord.Message, decision: Decision, settings: GuildSettings) -> None:
        addressed = self._look(message, settings).addressed
        languages = await public_languages(message, self.prefs, settings)
        if decision is not Decision.DETAIL and not await self._pace(message, addressed=addressed):
            return
        if decision is Decision.PICTURE:
            words = self.speech.say(languages)
            await self.outbox.say(message.channel, plain(words.text("discord.picture")), message)
            return
        given = await self._given(message, decision)
        if not given:
            if addressed:
                words = self.speech.say(languages)
                await self.outbox.say(message.channel, plain(words.text("discord.call")), message)
            return
        case = await self._open_case(message)
        if case is not None and await self._join(message, case, given, decision):
            return
        if decision is not Decision.DETAIL:
            await self._open(message, given, settings, addressed=addressed)

    async def _given(self, message: discord.Message, decision: Decision) -> tuple[Given, ...]:
        """What the message brings; for a call in answer to another message, what that one brings."""
        if decision is not Decision.CALL:
            return await self.parts.gatherer.message(message)
        reference = message.reference.resolved if message.reference else None
        if isinstance(reference, discord.Message) and not reference.author.bot:
            return await self.parts.gatherer.message(reference)
        return ()

    async def _pace(self, message: discord.Message, *, addressed: bool) -> bool:
        """Whether the person and the channel may have another answer now."""
        wait = self.parts.paces.user.wait(message.author.id) or self.parts.paces.channel.wait(message.channel.id)
        if wait and addressed and self.parts.paces.told.wait(message.author.id) == 0:
            words = self.speech.say(await public_languages(message, self.prefs, await self._settings(message)))
            text = words.text("discord.slow_down", seconds=round(wait) + 1)
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

    async def _join(
        self, message: discord.Message, case: FullCase, given: tuple[Given, ...], decision: Decision
    ) -> bool:
        """Add a message to an open case, if it tells something. False: it is a case of its own."""
        before = self.desk.texts(case)
        if {_text(item) for item in given} <= {_text(item) for item in before}:
            await self.outbox.point_to(message, case)
            return True
        told, languages = history.stored_told(case), as_the_case(case)
        if decision is Decision.DETAIL:
            old = await self.desk.examine(before, told, languages, history.tried(case))
            new = await self.desk.examine((*before, *given), told, languages, history.tried(case))
            if old.hardware == new.hardware:
                return True
        shown = await self.desk.revise(case, (*before, *given), told, languages, message.id)
        if shown is not None:
            self.parts.open_cases.touch(message.channel.id, message.author.id, case.case.id)
            await self.outbox.update(case, shown)
            known = set(case.diagnosis.get("secrets", ()))
            more = tuple(kind for kind in shown.answer.secrets if kind not in known)
            await self.outbox.warn_of_secret(message, shown.answer, more)
        return True

    async def _open(
        self, message: discord.Message, given: tuple[Given, ...], settings: GuildSettings, *, addressed: bool
    ) -> None:
        guild = message.guild.id if message.guild else NO_GUILD
        # What was said before goes when the paste goes, so it is kept as a part of that.
        said = self.talk.recent(message.channel.id, message.author.id)
        given = (*(Given(text, message.id) for text in said), *given)
        languages = await public_languages(message, self.prefs, settings)
        answer = await self.desk.examine(given, Told(), languages)
        if not answer.sure and not addressed:
            return
        ask = Ask(
            given=given,
            guild=guild,
            asker=message.author.id,
            origin="direct" if message.guild is None else "mention" if addressed else "paste",
            languages=languages,
            channel=message.channel.id,
            message=message.id,
            link=message.jump_url,
            store_text=not (await self.prefs.user(message.author.id)).opted_out,
        )
        same = await self.desk.same(ask, answer)
        if same is not None and same.replies:
            await self.outbox.point_to(message, same)
            return
        shown = await self.desk.open(ask, answer)
        if shown.case_id:
            self.parts.open_cases.touch(message.channel.id, message.author.id, shown.case_id)
        if shown.fresh:
            await self.outbox.send(message, shown, settings.style)
            await self.outbox.warn_of_secret(message, answer, answer.secrets)

    async def failed(self, message: discord.Message, error: Exception, *, addressed: bool) -> None:
        """Nothing is said in a channel where nobody called the bot; the operator is told in any case."""
        words = self.speech.locale("en")
        if not addressed:
            log.error("message %s: %s", message.id, sentence(error, words))
            return
        try:
            settings = await self._settings(message)
            words = self.speech.say(await public_languages(message, self.prefs, settings))
            await self.outbox.say(message.channel, plain(sentence(error, words)), message)
        except discord.HTTPException as second:
            log.warning("the sentence about an error was not delivered: %s", story(second))


def _text(item: Given) -> str:
    data = item.pasted.data
    return (data if isinstance(data, str) else data.decode("utf-8", "replace")).strip()
