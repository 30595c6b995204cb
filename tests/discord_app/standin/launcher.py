"""Runs `oom-medic` unchanged, but with discord.py's two addresses of Discord pointing at the stand-in.

discord.py keeps the HTTP base in `discord.http.Route.BASE` and the gateway's address for a fixed shard count in
`DiscordWebSocket.DEFAULT_GATEWAY`; nothing of the bot's own is touched.
"""

import os
import sys


def main():
    import yarl
    from discord.gateway import DiscordWebSocket
    from discord.http import Route

    Route.BASE = os.environ["STANDIN_API"]
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["STANDIN_GATEWAY"])
    from bot.cli import main as oom_medic

    oom_medic()


if __name__ == "__main__":
    sys.argv[0] = "oom-medic"
    main()
