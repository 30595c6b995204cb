"""Edits and deletions of pastes: the reply follows, and the stored text goes with the message."""

import asyncio
import logging
import sys
from collections.abc import Iterable, Sequence

import discord

from bot.cases.errors import StoreError
from bot.cases.model import FullCase, Scope
from bot.discord_app.casework import history
from bot.discord_app.casework.history import Given, as_the_case
from bot.discord_app.casework.notices import warn_of_secret
from bot.discord_app.casework.outbox import Outbox
from bot.discord_app.casework.shown import Arrival, TextGoneError
from bot.discord_app.languages import Languages
from bot.discord_app.parts import Parts
from bot.discord_app.pasting.listener import Listener
from bot.discord_app.workers.jobs import EngineError

log = logging.getLogger(__name__)


class Follower:
    """One for the bot; `Medic` hands it Discord's events."""

    def __init__(self, parts: Parts, outbox: Outbox, listener: Listener) -> None:
        self.parts, self.desk = parts, parts.desk
        self.outbox, self.listener = outbox, listener

    async def on_place_gone(self, place: int) -> None:
        """A thread, post or channel was deleted: Discord tells nothing of the messages in it."""
        await self.listener.in_hand.let_go((place,))
        try:
            for case in await asyncio.wrap_future(self.parts.book.pasted_in(Scope.operator(), place)):
                await self._forget(case, case.pastes)
        except (StoreError, EngineError) as error:
            log.error("a deleted channel could not be followed: %s", error)  # noqa: TRY400 the reason says it all

    async def on_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """The reply follows the paste. A message that becomes a paste by an edit is answered like a new one."""
        message = payload.message
        if message.author.bot or message.edited_at is None:
            return
        try:
            with self.listener.in_hand.holding(message):
                async with self.listener.lock(message):
                    case = await self._case_of(message.id)
                    if case is not None:
                        async with self.listener.budget(message):
                            await self._follow(case, message)
                        return
        except Exception as error:  # noqa: BLE001 an event handler has nobody above it
            await self.listener.failed(message, error, addressed=False)
            return
        await self.listener.on_message(message)

    async def _case_of(self, message: int) -> FullCase | None:
        case = await asyncio.wrap_future(self.parts.book.by_message(Scope.operator(), message))
        return case if case is not None and message in case.pastes else None

    async def _follow(self, case: FullCase, message: discord.Message) -> None:
        fresh = await self.parts.gatherer.message(message)
        given = in_order((*history.stored_texts(case, without=(message.id,)), *fresh))
        told, languages = history.stored_told(case), as_the_case(case)
        answer = await self.desk.examine(given, told, languages, history.tried(case)) if given else None
        if answer is None or (case.case.origin == "paste" and not answer.sure):
            # What made it a paste is gone from it.
            await self._deleted((message.id,))
            return
        # Who only adds a word to a paste whose case has ended did not open it again.
        keep = case.case.state != "open" and history.gist(answer.diagnosis) == await self._gist(case, languages)
        shown = await self.desk.revise(case, given, Arrival(message.id, message.channel.id), keep=keep)
        if shown is not None:
            await self.outbox.update(case, shown)
            await warn_of_secret(self.parts, message, shown.answer, history.new_secrets(case, shown.answer))

    async def _gist(self, case: FullCase, languages: Languages) -> object:
        """What a case says as it is stored."""
        texts = history.stored_texts(case)
        if not texts:
            return None
        told, made = history.stored_told(case), history.tried(case)
        return history.gist((await self.desk.examine(texts, told, languages, made)).diagnosis)

    async def on_delete(self, messages: Sequence[int]) -> None:
        """The stored text goes with the message; the reply goes too, or follows what is left."""
        self.listener.talk.forget(set(messages))
        await self.listener.in_hand.let_go(messages)
        try:
            await self._deleted(messages)
        except TextGoneError:
            log.info("the rest of a case was deleted as well")
        except (StoreError, EngineError) as error:
            log.error("a deleted message could not be followed: %s", error)  # noqa: TRY400 the reason says it all

    async def _deleted(self, messages: Sequence[int]) -> None:
        found = [case for message in messages if (case := await self._case_of(message)) is not None]
        await self._close_unanswered(messages)
        for case in {case.case.id: case for case in found}.values():
            await self._forget(case, [message for message in case.pastes if message in set(messages)])

    async def _close_unanswered(self, gone: Sequence[int]) -> None:
        """A reply that a moderator deletes is not wanted: its case is closed, and nothing joins it any more."""
        for message in gone:
            case = await asyncio.wrap_future(self.parts.book.by_message(Scope.operator(), message))
            if case is None or not case.pastes or case.case.state != "open":
                continue
            if all(reply in gone for _, reply in case.replies) and message not in case.pastes:
                self.parts.open_cases.drop(case.case.id)
                await asyncio.wrap_future(self.parts.book.set_state(Scope.operator().of(case.case.id), "closed"))

    async def _forget(self, case: FullCase, gone: Sequence[int]) -> None:
        was = await self.desk.forget_messages(case.case.id, gone)
        if was is None:
            return
        rest = history.stored_texts(was, without=gone)
        # A log that was handed in for a paste goes with the paste.
        if any(item.message is not None for item in rest):
            shown = await self.desk.revise(was, rest)
            if shown is not None:
                await self.outbox.update(was, shown)
            return
        self.parts.open_cases.drop(case.case.id)
        await self.outbox.remove(was)


def in_order(given: Iterable[Given]) -> tuple[Given, ...]:
    """Texts as they were written: by message; what came with none goes last, as it was handed in later."""
    return tuple(sorted(given, key=lambda item: item.message or sys.maxsize))
