"""A paste site on loopback over TLS, with every way in which one may misbehave."""

import asyncio
import contextlib
import ssl
from pathlib import Path

from aiohttp import web


class PasteSite:
    """`texts` by path; a redirect, an endless text and a site that never answers are built in."""

    def __init__(self, standin):
        self.standin, self.texts, self.asked, self.cut_off = standin, {}, [], []
        standin.run(self._start())

    async def _start(self):
        app = web.Application()
        app.router.add_get("/{path:.*}", self._answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(Path(__file__).with_name("tls.pem"))
        site = web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=context)
        await site.start()
        self.port = site._server.sockets[0].getsockname()[1]

    def stop(self):
        self.standin.run(self._runner.cleanup())

    async def _answer(self, request):
        self.asked.append(f"{request.host.split(':')[0]}{request.path}")
        self.standin.changed()
        name = request.path.rsplit("/", 1)[-1]
        if name == "moved":
            return web.Response(status=302, headers={"Location": "https://elsewhere.example/secret"})
        if name == "endless":
            return await self._endless(request)
        if request.path not in self.texts:
            return web.Response(status=404)
        return web.Response(text=self.texts[request.path])

    async def _endless(self, request):
        response = web.StreamResponse()
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            while request.transport is not None and not request.transport.is_closing():
                await response.write(b"x" * 65536)
                await asyncio.sleep(0)  # a cut connection is only noticed by a loop that turns
        self.cut_off.append(request.path)
        self.standin.changed()
        return response
