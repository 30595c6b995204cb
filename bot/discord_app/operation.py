"""What surrounds the bot: health checks, systemd's signals, turns at logging in, reload. `Medic` calls it at its turning points."""

import asyncio
import logging
import time
from dataclasses import dataclass, field
from pathlib import Path

import discord

from bot.cases.errors import StoreError
from bot.discord_app.parts import Parts
from bot.discord_app.reloading import Commands, Reloader
from bot.service.disk import is_short
from bot.service.health import HealthServer
from bot.service.identify import Turns
from bot.service.knowledge_copy import Copy
from bot.service.notify import Notifier
from bot.service.state import State

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

    def __init__(self, parts: Parts, surroundings: Surroundings, commands: Commands) -> None:
        self.parts, self.notifier = parts, surroundings.notifier
        self.health = HealthServer(self, parts.tally)
        source, copy = surroundings.source, surroundings.copy
        self.reloader = Reloader(parts, commands, source, copy, surroundings.fault) if source and copy else None
        # Shards with a session, as Discord's events tell.
        self.connected: set[int] = set()
        self._turns = Turns(parts.settings.database, 1)
        self._tasks: list[asyncio.Task[None]] = []

    # --- at the bot's turning points

    async def begin(self) -> None:
        """Before the first login at the gateway."""
        settings, first = self.parts.settings, min(self.parts.client.shard_ids or (0,))
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
        self.notifier.status(f"{self.state().shards} shards, {len(self.parts.client.guilds)} servers")

    def ending(self) -> None:
        """The process was told to end."""
        self.notifier.stopping()

    async def end(self) -> None:
        """Let go."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.health.close()
        if self.reloader is not None:
            await asyncio.to_thread(self.reloader.copy.delete)

    async def reload(self) -> None:
        """On SIGHUP."""
        if self.reloader is not None:
            self.notifier.reloading()
            await self.reloader.reload()
            self.notifier.ready()

    # --- as health checks see it

    def state(self) -> State:
        """How it is doing now."""
        parts, client, reloader = self.parts, self.parts.client, self.reloader
        return State(
            heartbeats=_heartbeats(client, self.connected),
            shards=len(client.shard_ids or ()) or client.shard_count or 0,
            servers=len(client.guilds),
            queue=parts.engine.waiting,
            queue_limit=parts.engine.limit,
            in_hand=len(in_hand()),
            engines=parts.engine.running,
            draining=parts.ending,
            database_fault=self._database_fault(),
            knowledge_rules=len(parts.knowledge.rules),
            knowledge_loaded_at=reloader.copy.taken_at if reloader else parts.tally.began,
            knowledge_fault=reloader.fault if reloader else None,
        )

    async def database_answers(self) -> bool:
        """Try whether the case file can be written just now, and whether there is room for what will come."""
        try:
            await asyncio.wrap_future(self.parts.book.probe())
        except StoreError:
            return False
        return self._database_fault() is None

    def _database_fault(self) -> str | None:
        fault = self.parts.book.health().error
        if fault is None and is_short(self.parts.settings.database):
            return "disk_full"
        return fault.remedy if fault else None

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
            limits = await self.parts.client.fetch_session_start_limits()
        except (discord.GatewayNotFound, OSError):
            return 1
        wanted = len(self.parts.client.shard_ids or ()) or 1
        if limits.remaining < wanted:
            seconds = limits.reset_after / 1000
            log.error(
                "Discord allows %d more logins today, %d are needed; waiting %.0f s", limits.remaining, wanted, seconds
            )
            await asyncio.sleep(seconds)
        return limits.max_concurrency


def _heartbeats(client: discord.AutoShardedClient, connected: set[int]) -> dict[int, float | None]:
    """Seconds since each shard's last acknowledged heartbeat; None where it is not connected."""
    ages: dict[int, float | None] = {}
    for shard, information in client.shards.items():
        # discord.py shows the latency of the last heartbeat, but not how long ago that was.
        keeper = information._parent.ws._keep_alive  # noqa: SLF001 see above
        there = keeper is not None and shard in connected and not information.is_closed()
        ages[shard] = time.perf_counter() - keeper._last_ack if keeper and there else None  # noqa: SLF001 see above
    return ages
