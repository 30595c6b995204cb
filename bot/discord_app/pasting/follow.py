"""Edits and deletions of pastes: the reply follows, and the stored text goes with the message."""

import asyncio
import logging
from collections.abc import Sequence

import discord

from bot.cases.errors import StoreError
from bot.cases.model import FullCase, Scope
from bot.discord_app.casework import history
from bot.discord_app.casework.history import as_the_case
from bot.discord_app.casework.outbox import Outbox
from bot.discord_app.parts import Parts
from bot.discord_app.pasting.listener import Listener
from bot.discord_app.workers.jobs import EngineError

log = logging.getLogger(__name__)


class Follower:
    """One for the bot; `Medic` hands it Discord's events."""

    def __init__(self, parts: Parts, outbox: Outbox, listener: Listener) -> None:
        self.parts, self.desk = parts, parts.desk
        self.outbox, self.listener = outbox, listener

    async def on_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """The reply follows the paste. A message that becomes a paste by an edit is answered like a new one."""
        message = payload.message
        if message.author.bot or message.edited_at is None:
            return
        try:
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
        rest = history.stored_texts(case, without=(message.id,))
        given = (*rest, *(await self.parts.gatherer.message(message)))
        if not given:
            await self.on_delete((message.id,))
            return
        shown = await self.desk.revise(case, given, history.stored_told(case), as_the_case(case), message.id)
        if shown is not None:
            await self.outbox.update(case, shown)

    async def on_delete(self, messages: Sequence[int]) -> None:
        """The stored text goes with the message; the reply goes too, or follows what is left."""
        for done in [self.listener.dealing[message] for message in messages if message in self.listener.dealing]:
            await done.wait()
        try:
            found = [case for message in messages if (case := await self._case_of(message)) is not None]
            gone = {message for case in found for message in case.pastes if message in set(messages)}
            for case in found:
                await self._forget(case, [message for message in case.pastes if message in gone])
        except (StoreError, EngineError) as error:
            log.error("a deleted message could not be followed: %s", error)  # noqa: TRY400 the reason says it all

    async def _forget(self, case: FullCase, gone: Sequence[int]) -> None:
        await asyncio.wrap_future(self.parts.book.forget_messages(Scope.operator(), gone))
        self.desk.forget(case.case.id)
        rest = history.stored_texts(case, without=gone)
        if rest:
            languages = as_the_case(case)
            shown = await self.desk.revise(case, rest, history.stored_told(case), languages, None)
            if shown is not None:
                await self.outbox.update(case, shown)
            return
        self.parts.open_cases.drop(case.case.id)
        await self.outbox.remove(case)
