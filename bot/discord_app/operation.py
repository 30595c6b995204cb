"""What surrounds the bot: health checks, systemd's signals, turns at logging in, reload. `Medic` calls it at its turning points."""

import asyncio
import logging
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import discord

from bot.cases.errors import StoreError
from bot.discord_app.reloading import Reloader
from bot.service.health import HealthServer
from bot.service.identify import Turns
from bot.service.knowledge_copy import Copy
from bot.service.notify import Notifier
from bot.service.state import State

if TYPE_CHECKING:
    from bot.discord_app.medic import Medic

log = logging.getLogger(__name__)
FOLLOW_S = 20.0
# The names that discord.py gives to tasks in which somebody's message or click is dealt with.
IN_HAND = ("discord.py: on_message", "discord.py: on_raw", "discord.py: on_interaction", "CommandTree", "discord-ui")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the process hands the bot: the knowledge in force, and systemd's ear.

    `source` is the folder that a reload reads; `fault` says why it is not what is in force now.
    """

    source: Path | None = None
    copy: Copy | None = None
    fault: str | None = None
    notifier: Notifier = field(default_factory=Notifier)


def in_hand() -> set["asyncio.Task[object]"]:
    """The tasks in which something is dealt with for somebody."""
    return {task for task in asyncio.all_tasks() if task.get_name().startswith(IN_HAND)}


class Operation:
    """One for the bot."""

    def __init__(self, medic: "Medic", surroundings: Surroundings) -> None:
        self.medic, self.notifier = medic, surroundings.notifier
        self.health = HealthServer(self, medic.tally)
        source, copy = surroundings.source, surroundings.copy
        self.reloader = Reloader(medic, source, copy, surroundings.fault) if source and copy else None
        # Shards with a session, as Discord's events tell.
        self.connected: set[int] = set()
        self._turns = Turns(medic.settings.database, 1)
        self._tasks: list[asyncio.Task[None]] = []

    # --- at the bot's turning points

    async def begin(self) -> None:
        """Before the first login at the gateway."""
        settings, first = self.medic.settings, min(self.medic.shard_ids or (0,))
        if settings.health_port:
            await self.health.start(settings.health_host, settings.health_port + first)
        self._tasks = [asyncio.create_task(self._follow())]
        if self.notifier.watchdog_s:
            self._tasks.append(asyncio.create_task(self._watchdog(self.notifier.watchdog_s)))
        self._turns = Turns(settings.database, await self._buckets())

    async def turn(self, shard: int) -> None:
        """Wait until a shard may identify."""
        waited = await self._turns.wait(shard)
        if waited > 1:
            log.info("shard %d waited %.1f s for its turn to identify", shard, waited)

    def serving(self) -> None:
        """All shards are there."""
        self.notifier.ready()
        self.notifier.status(f"{self.state().shards} shards, {len(self.medic.guilds)} servers")

    def ending(self) -> None:
        """The process was told to end."""
        self.notifier.stopping()

    async def end(self) -> None:
        """Let go."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.health.close()

    async def reload(self) -> None:
        """On SIGHUP."""
        if self.reloader is not None:
            self.notifier.reloading()
            await self.reloader.reload()
            self.notifier.ready()

    # --- as health checks see it

    def state(self) -> State:
        """How it is doing now."""
        medic, fault = self.medic, self.medic.book.health().error
        reloader = self.reloader
        return State(
            heartbeats=_heartbeats(medic),
            shards=len(medic.shard_ids or ()) or medic.shard_count or 0,
            servers=len(medic.guilds),
            queue=medic.engine.waiting,
            queue_limit=medic.engine.limit,
            in_hand=len(in_hand()),
            engines=medic.engine.running,
            draining=medic.ending,
            database_fault=fault.remedy if fault else None,
            knowledge_rules=len(medic.knowledge.rules),
            knowledge_loaded_at=reloader.copy.taken_at if reloader else medic.tally.began,
            knowledge_fault=reloader.fault if reloader else None,
        )

    async def database_answers(self) -> bool:
        """Try whether the case file can be written just now."""
        try:
            await asyncio.wrap_future(self.medic.book.probe())
        except StoreError:
            return False
        return True

    # --- on the side

    async def _follow(self) -> None:
        while self.reloader is not None:
            await asyncio.sleep(FOLLOW_S)
            await self.reloader.follow()

    async def _watchdog(self, seconds: float) -> None:
        """That this runs is what the watchdog wants to know: the event loop turns."""
        while True:
            self.notifier.alive()
            await asyncio.sleep(seconds)

    async def _buckets(self) -> int:
        """How many shards may identify at a time. With none left for today, wait: Discord voids the token otherwise."""
        try:
            limits = await self.medic.fetch_session_start_limits()
        except (discord.GatewayNotFound, OSError):
            return 1
        wanted = len(self.medic.shard_ids or ()) or 1
        if limits.remaining < wanted:
            seconds = limits.reset_after / 1000
            log.error("Discord allows %d more logins today, %d are needed; waiting %.0f s", limits.remaining, wanted, seconds)
            await asyncio.sleep(seconds)
        return limits.max_concurrency


def _heartbeats(medic: "Medic") -> dict[int, float | None]:
    """Seconds since each shard's last acknowledged heartbeat; None where it is not connected."""
    ages: dict[int, float | None] = {}
    for shard, information in medic.shards.items():
        # discord.py shows the latency of the last heartbeat, but not how long ago that was.
        keeper = information._parent.ws._keep_alive  # noqa: SLF001 see above
        there = keeper is not None and shard in medic.operation.connected and not information.is_closed()
        ages[shard] = time.perf_counter() - keeper._last_ack if keeper and there else None  # noqa: SLF001 see above
    return ages
