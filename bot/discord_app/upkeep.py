"""What the bot does by the clock, and what it remembers at its start."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.cases.deletion import Policy
from bot.cases.errors import StoreError
from bot.cases.listing import Filters
from bot.cases.model import Scope, stamp
from bot.discord_app.casework.outbox import Outbox
from bot.discord_app.parts import Parts
from bot.discord_app.pasting.pace import JOIN_S

log = logging.getLogger(__name__)
DAY_S, SWEEP_S = 86_400.0, 120.0


class Upkeep:
    """One for the bot."""

    def __init__(self, parts: Parts, outbox: Outbox) -> None:
        self.parts, self.outbox = parts, outbox
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self) -> None:
        """Send what was not sent, and delete what is due, from the first login on."""
        self._tasks = [
            asyncio.create_task(self._every(SWEEP_S, self.outbox.sweep)),
            asyncio.create_task(self._every(DAY_S, self._purge)),
        ]

    def soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that nobody waits for; it ends with the process."""
        self._tasks = [*(task for task in self._tasks if not task.done()), asyncio.create_task(work)]

    async def end(self) -> None:
        """Stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def remember_open_cases(self) -> None:
        """Messages that follow a paste join its case also when the bot was restarted in between."""
        since = datetime.now(UTC) - timedelta(seconds=JOIN_S)
        try:
            filters = Filters(state="open", since=stamp(since))
            page = await asyncio.wrap_future(self.parts.book.listed(Scope.operator(), filters, size=1000))
            for case in reversed(page.cases):
                if case.channel and case.asker and case.origin in {"paste", "mention", "direct"}:
                    full = await asyncio.wrap_future(self.parts.book.find(Scope.operator().of(case.id)))
                    self.parts.open_cases.open(case.channel, case.asker, case.id, full.pastes)
        except (StoreError, LookupError) as error:
            log.error("case history: %s", error)  # noqa: TRY400 the reason is the whole message

    async def _every(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        await self.parts.client.wait_until_ready()
        while True:
            try:
                await work()
            except Exception:
                log.exception("a recurring task failed")
            await asyncio.sleep(seconds)

    async def _purge(self) -> None:
        kept = self.parts.settings
        try:
            policy = Policy(kept.retention_days, kept.grace_days, kept.no_answer_days)
            purged = await asyncio.wrap_future(self.parts.book.purge(policy))
        except StoreError as error:
            log.error("case history: %s", error)  # noqa: TRY400 the reason is the whole message
            return
        log.info("retention: %d cases, %d servers deleted", purged.cases, purged.guilds)
