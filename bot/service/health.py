"""/healthz, /readyz and /metrics over HTTP, on loopback unless the operator says otherwise.

`/healthz`: the process lives and its event loop turns; nothing else, for a restart heals nothing that is Discord's
fault and spends one of the day's identifies. `/readyz`: it can do its work; what is in the way is named.
"""

import asyncio
import logging
from typing import Any

from aiohttp import web

from bot.service.metrics import NoPrometheusError, exposition
from bot.service.state import State, Watched
from bot.service.tally import Tally

log = logging.getLogger(__name__)
DATABASE_S = 2.0


class HealthServer:
    """The small web server. A port that is taken costs the checks, not the bot."""

    def __init__(self, watched: Watched, tally: Tally) -> None:
        self.watched, self.tally = watched, tally
        self._runner: web.AppRunner | None = None

    async def start(self, host: str, port: int) -> None:
        """Listen."""
        app = web.Application()
        app.router.add_get("/healthz", self._healthz)
        app.router.add_get("/readyz", self._readyz)
        app.router.add_get("/metrics", self._metrics)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, host, port).start()
        except OSError as error:
            log.warning("no health checks: %s port %s cannot be used (%s); set health_port", host, port, error.strerror)
            await self.close()
            return
        log.info("health checks at http://%s:%s/readyz", host, port)

    async def close(self) -> None:
        """Stop listening."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    async def _healthz(self, _request: web.Request) -> web.Response:
        return web.json_response({"alive": True})

    async def _readyz(self, _request: web.Request) -> web.Response:
        checks = checked(self.watched.state(), database=await self._database())
        ready = all(check["ok"] for check in checks.values())
        return web.json_response({"ready": ready, "checks": checks}, status=200 if ready else 503)

    async def _metrics(self, _request: web.Request) -> web.Response:
        try:
            body, kind = exposition(self.tally, self.watched.state())
        except NoPrometheusError as error:
            return web.Response(text=f"{error}\n", status=501)
        return web.Response(body=body, headers={"Content-Type": kind})

    async def _database(self) -> bool:
        try:
            async with asyncio.timeout(DATABASE_S):
                return await self.watched.database_answers()
        except TimeoutError:
            return False


def checked(state: State, *, database: bool) -> dict[str, dict[str, Any]]:
    """Each check with what it saw."""
    ages = {str(shard): None if age is None else round(age, 1) for shard, age in state.heartbeats.items()}
    return {
        "gateway": {"ok": state.connected, "shards": state.shards, "heartbeat_age_s": ages},
        "database": {"ok": database, **({"fault": state.database_fault} if state.database_fault else {})},
        "knowledge": {
            "ok": state.knowledge_rules > 0,
            "rules": state.knowledge_rules,
            **({"reload_refused": state.knowledge_fault} if state.knowledge_fault else {}),
        },
        "queue": {"ok": state.queue < state.queue_limit, "waiting": state.queue, "limit": state.queue_limit},
        "engines": {"ok": state.engines > 0, "processes": state.engines},
        "taking_work": {"ok": not state.draining},
    }
