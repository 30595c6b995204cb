"""Runs `oom-medic` unchanged, but with the addresses of the world outside pointing at the stand-in.

discord.py keeps the HTTP base in `discord.http.Route.BASE` and the gateway's address for a fixed shard count in
`DiscordWebSocket.DEFAULT_GATEWAY`. Paste sites are reached by a connector that leads every host to one port of this
machine; the addresses, https and everything that is refused stay as they are.
"""

import os
import socket
import sys
from pathlib import Path


def main():
    import yarl
    from discord.gateway import DiscordWebSocket
    from discord.http import Route

    Route.BASE = os.environ["STANDIN_API"]
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["STANDIN_GATEWAY"])
    if "STANDIN_PASTES" in os.environ:
        lead_paste_sites_to(int(os.environ["STANDIN_PASTES"]))
    if "STANDIN_PROBE" in os.environ:
        watch_the_loop(os.environ["STANDIN_PROBE"])
    servers_come_at_once()
    from bot.service import identify

    # Discord wants five seconds between logins; the stand-in does not, unless a test says so.
    identify.PERIOD_S = float(os.environ.get("STANDIN_IDENTIFY_S", "0"))
    from bot.cli import main as oom_medic

    oom_medic()


def servers_come_at_once():
    """discord.py is ready two seconds after the last server that came; the stand-in sends them all in one go."""
    from discord.state import ConnectionState

    init = ConnectionState.__init__

    def made(state, *arguments, **options):
        init(state, *arguments, **options)
        state.guild_ready_timeout = 0.3

    ConnectionState.__init__ = made


def lead_paste_sites_to(port):
    import aiohttp
    from aiohttp.abc import AbstractResolver

    from bot.discord_app.pasting import links

    class Here(AbstractResolver):
        async def resolve(self, host, _port=0, family=socket.AF_INET):
            return [
                {"hostname": host, "host": "127.0.0.1", "port": port, "family": socket.AF_INET, "proto": 0, "flags": 0}
            ]

        async def close(self):
            pass

    links.connector = lambda: aiohttp.TCPConnector(resolver=Here(), ssl=False)


def name_of(callback):
    """What ran, by its name. The repr of an aiohttp response would fix its headers before there are any."""
    task = getattr(callback, "__self__", None)
    ran = task.get_coro() if hasattr(task, "get_coro") else callback
    return getattr(ran, "__qualname__", type(ran).__name__)


def watch_the_loop(report):
    """Time every callback of the event loop. SIGUSR1 begins anew, SIGUSR2 writes the longest ones down."""
    import asyncio
    import json
    import signal
    import time

    longest, run = [], asyncio.Handle._run

    def timed(handle):
        wall, own = time.perf_counter(), time.thread_time()
        run(handle)
        wall, own = time.perf_counter() - wall, time.thread_time() - own
        if wall > 0.005:
            longest.append((round(wall * 1000, 1), round(own * 1000, 1), name_of(handle._callback)))

    def write(*_):
        made = Path(f"{report}.new")
        made.write_text(json.dumps(sorted(longest, key=lambda entry: entry[1], reverse=True)[:20]))
        made.replace(report)

    asyncio.Handle._run = timed
    signal.signal(signal.SIGUSR1, lambda *_: longest.clear())
    signal.signal(signal.SIGUSR2, write)


if __name__ == "__main__":
    sys.argv[0] = "oom-medic"
    main()
