"""Changed knowledge put in force while the bot runs: checked whole, swapped at once, or refused with the reasons."""

import asyncio
import contextlib
import logging
import time
from pathlib import Path
from typing import Protocol

import discord

from bot.cases.errors import StoreError
from bot.discord_app.parts import Parts
from bot.discord_app.workers.pool import Engines
from bot.knowledge.load import Knowledge
from bot.knowledge.pastes import Pastes
from bot.reply.faq import Faq
from bot.service.knowledge_copy import Copy, complaints, remember, take

log = logging.getLogger(__name__)
# Every process of a host looks here for a reload that another one was asked for.
ASKED_FOR = "reload"


class Commands(Protocol):
    """The bot's commands, whose words and choices come from the knowledge."""

    def declare(self) -> None:
        """Declare them by the knowledge in force."""

    async def sync(self) -> None:
        """Send them to Discord where they changed."""


class Reloader:
    """One for the bot. `copy` is what is in force, `source` the folder it was taken from."""

    def __init__(self, parts: Parts, commands: Commands, source: Path, copy: Copy, fault: str | None) -> None:
        self.parts, self.commands, self.source, self.copy = parts, commands, source, copy
        self.fault: str | None = fault
        self._one_at_a_time = asyncio.Lock()
        self._seen = time.time()

    async def reload(self) -> list[str]:
        """Put what is in the folder now in force. Returns what is wrong with it; then everything stays as it was."""
        async with self._one_at_a_time:
            self._seen = time.time()
            found = await self._try()
            self.parts.tally.count("reloads", "refused" if found else "done")
            self.fault = found[0] if found else None
            if found:
                log.error(
                    "knowledge not reloaded, the old stays in force: %s", "; ".join(one[:300] for one in found[:10])
                )
            else:
                log.info("knowledge reloaded: %d rules", len(self.parts.knowledge.rules))
            return found

    async def _try(self) -> list[str]:
        try:
            fresh = await asyncio.to_thread(take, self.source)
        except OSError as error:
            return [f"{error.filename}: {error.strerror}"]
        found = await complaints(fresh.folder)
        if not found:
            try:
                await self._swap(fresh)
            except (OSError, EOFError, TimeoutError, ValueError) as error:
                found = [f"the engine does not start with it ({type(error).__name__})"]
        if found:
            fresh.delete()
        return found

    async def _swap(self, fresh: Copy) -> None:
        parts = self.parts
        knowledge = Knowledge(fresh.folder)
        pastes, faq = await asyncio.to_thread(_read_ahead, knowledge)
        engines = await parts.engine.prepared(fresh.folder)
        # From here to the end of `adopt` nothing else runs: no answer is made half of the old and half of the new.
        old = parts.engine.swap(engines)
        parts.adopt(knowledge, pastes, faq)
        self.commands.declare()
        before, self.copy = self.copy, fresh
        if parts.settings.knowledge is not None:
            await asyncio.to_thread(remember, fresh, parts.settings.database)
        self._retiring = asyncio.create_task(_retire(old, before))
        # The new words are in force whether Discord takes the commands just now or not; the next start sends them too.
        with contextlib.suppress(discord.HTTPException, OSError):
            await self.commands.sync()

    async def follow(self) -> None:
        """Reload if another process of this host was asked to since."""
        try:
            asked = await asyncio.wrap_future(self.parts.book.recall(ASKED_FOR))
        except StoreError:
            return
        if asked is not None and float(asked) > self._seen:
            await self.reload()

    async def tell_the_others(self) -> None:
        """Let the other processes of this host reload too."""
        self._seen = time.time()
        with contextlib.suppress(StoreError):
            await asyncio.wrap_future(self.parts.book.remember(ASKED_FOR, str(self._seen)))


def _read_ahead(knowledge: Knowledge) -> tuple[Pastes, Faq]:
    """Read what this process uses, away from the event loop."""
    _ = knowledge.rules, knowledge.gpus.names, knowledge.families.families
    return Pastes.load(knowledge), Faq.load(knowledge)


async def _retire(old: Engines, copy: Copy) -> None:
    """When the last job on the old knowledge is done, its copy goes."""
    await old.retired()
    await asyncio.to_thread(copy.delete)
