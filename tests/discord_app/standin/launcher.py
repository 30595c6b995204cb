"""Runs `oom-medic` unchanged, but with the addresses of the world outside pointing at the stand-in.

discord.py keeps the HTTP base in `discord.http.Route.BASE` and the gateway's address for a fixed shard count in
`DiscordWebSocket.DEFAULT_GATEWAY`. Paste sites are reached by a connector that leads every host to one port of this
machine; the addresses, https and everything that is refused stay as they are.
"""

import os
import socket
import sys


def main():
    import yarl
    from discord.gateway import DiscordWebSocket
    from discord.http import Route

    Route.BASE = os.environ["STANDIN_API"]
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["STANDIN_GATEWAY"])
    if "STANDIN_PASTES" in os.environ:
        lead_paste_sites_to(int(os.environ["STANDIN_PASTES"]))
    from bot.cli import main as oom_medic

    oom_medic()


def lead_paste_sites_to(port):
    import aiohttp
    from aiohttp.abc import AbstractResolver

    from bot.discord_app import links

    class Here(AbstractResolver):
        async def resolve(self, host, _port=0, family=socket.AF_INET):
            return [{"hostname": host, "host": "127.0.0.1", "port": port, "family": socket.AF_INET, "proto": 0, "flags": 0}]

        async def close(self):
            pass

    links.connector = lambda: aiohttp.TCPConnector(resolver=Here(), ssl=False)


if __name__ == "__main__":
    sys.argv[0] = "oom-medic"
    main()
