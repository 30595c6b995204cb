"""The stand-in as one object: an aiohttp server on loopback, in a thread of its own."""

import asyncio
import contextlib
import threading

from aiohttp import web

from standin import rest, rest_interactions
from standin.clock import Clock
from standin.errors import ApiError
from standin.faults import Faults, middleware
from standin.gateway import Gateway
from standin.keys import STANDIN
from standin.rest import intent_of
from standin.world import World

# Far beyond what anything takes: only a test that fails waits so long, and a slow machine is no defect.
PATIENCE_S = 90.0


@web.middleware
async def errors_as_json(request, handler):
    try:
        return await handler(request)
    except ApiError as error:
        standin = request.app[STANDIN]
        if error.body["code"] == 50035:
            standin.invalid.append((request.method, request.path, error.body["errors"]))
        standin.changed()
        return web.json_response(error.body, status=error.status)


class StandIn:
    """Start it, point a bot at `api`, act through `People`, and wait with `until`.

    `invalid` collects every request that Discord would have refused with 50035, `late` every acknowledgement after its
    three seconds: a test that leaves either non-empty has found a defect.
    """

    def __init__(self, *, shards=1):
        self.clock, self.faults, self.shards = Clock(), Faults(), shards
        self.world = World(self.clock)
        self.interactions, self.ephemeral, self.served = {}, {}, {}
        self.invalid, self.late, self.syncs = [], [], 0
        self.used_permissions = 0
        self.loop = asyncio.new_event_loop()
        self._changed = None
        self.gateway = Gateway(self)

    def start(self):
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        ready.wait(PATIENCE_S)
        return self

    def _run(self, ready):
        asyncio.set_event_loop(self.loop)
        self._changed = asyncio.Condition()
        self.loop.run_until_complete(self._listen())
        ready.set()
        self.loop.run_forever()
        self.loop.run_until_complete(self._runner.cleanup())
        self.loop.close()

    async def _listen(self):
        app = web.Application(middlewares=[middleware, errors_as_json], client_max_size=1 << 26)
        app[STANDIN] = self
        app.add_routes(rest.routes)
        app.add_routes(rest_interactions.routes)
        app.router.add_get("/gateway/", self.gateway.handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = site._server.sockets[0].getsockname()[1]
        self.base = self.world.base = f"http://127.0.0.1:{port}"
        self.api = f"{self.base}/api/v10"
        self.gateway_url = f"ws://127.0.0.1:{port}/gateway/"

    def stop(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(PATIENCE_S)

    def run(self, coroutine, timeout=PATIENCE_S * 2):
        """Run a coroutine of the stand-in from a test's own thread."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(timeout)

    def call(self, function):
        """Call a function of the stand-in from another thread, if it still runs."""
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(function)

    def changed(self):
        async def notify():
            async with self._changed:
                self._changed.notify_all()

        self.loop.create_task(notify())

    async def until(self, found, what=""):
        """What `found()` returns as soon as it is true; asked again after each request, event and connection."""
        async with self._changed:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    while not (value := found()):
                        await self._changed.wait()
                    return value
            except TimeoutError:
                raise AssertionError(f"waited {PATIENCE_S} s in vain for {what or found}") from None

    def is_ephemeral(self, message):
        return message["id"] in self.ephemeral

    async def publish(self, channel, message):
        channel.messages[message["id"]] = message
        self.changed()
        await self.gateway.dispatch("MESSAGE_CREATE", message, guild=channel.guild, intent=intent_of(channel))

    async def remove(self, channel, message):
        channel.messages.pop(message["id"], None)
        self.changed()
        body = {"id": message["id"], "channel_id": channel.id}
        if channel.guild:
            body["guild_id"] = channel.guild.id
        await self.gateway.dispatch("MESSAGE_DELETE", body, guild=channel.guild, intent=intent_of(channel))
