"""What the bot costs on a busy server. Run: python tests/bench/bench_discord.py

1. Ordinary chat: the bot's own time a message, over discord.py's dispatch to a handler that does nothing. Limit 60 µs.
2. A thousand pastes of 5 kB as fast as the stand-in can send them: each answered once, and the longest that the event
   loop of the bot's process was held by one callback. Limit 50 ms.
3. What an engine process takes for a job text, from the paste to the words of its answer; only printed.
"""

import asyncio
import json
import os
import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[2]), str(HERE.parents[1] / "discord_app")]  # run as a script, from anywhere

import discord  # noqa: E402
from conftest import Stage  # noqa: E402
from pastes import config  # noqa: E402
from standin.clock import Clock  # noqa: E402
from standin.world import World  # noqa: E402

from bot.cases.book import CaseBook  # noqa: E402
from bot.cases.people import GuildSettings  # noqa: E402
from bot.cases.store import Store  # noqa: E402
from bot.discord_app.medic import Medic, intents  # noqa: E402
from bot.discord_app.workers.jobs import DiagnoseJob  # noqa: E402
from bot.discord_app.workers.worker import Engine  # noqa: E402
from bot.intake.read import Pasted  # noqa: E402
from bot.settings import Settings  # noqa: E402

CHAT = (
    "anyone tried the new turbo model yet? the first samples look really good on my side",
    "lol",
    "I train at 1024 with about 40 pictures, takes two hours on my card, I think that is fine",
    "no, that was yesterday. did you update before?",
    "you could also lower the learning rate a little and see whether the likeness gets better",
)
MESSAGES, ROUNDS, PASTES = 2000, 7, 1000


class Bare(discord.AutoShardedClient):
    """discord.py and a handler that does nothing."""

    async def on_message(self, message):
        pass


def prepared(client, world, guild):
    state = client._connection
    state.shard_count = 1
    state.user = discord.ClientUser(
        state=state, data=world.bot.json() | {"flags": 0, "verified": True, "mfa_enabled": False}
    )
    state._add_guild_from_data(guild.json(world.bot))
    return state


async def once(state, payloads):
    # Time of this thread's own: other programs on the machine do not count.
    start = time.thread_time()
    for payload in payloads:
        state.parse_message_create(payload)
    for _ in range(3):
        await asyncio.sleep(0)
    taken = time.thread_time() - start
    assert len(asyncio.all_tasks()) == 1, "every message is dealt with"
    return taken / len(payloads)


async def chat(folder):
    world = World(Clock())
    guild = world.add_guild()
    channel = world.add_channel(guild)
    people = [world.add_user(f"p{n}") for n in range(50)]
    payloads = [world.message(channel, people[n % 50], CHAT[n % len(CHAT)]) for n in range(MESSAGES)]
    with CaseBook(Store(folder / "cases.db").ready()) as book:
        options = {
            "intents": intents(content=True),
            "max_messages": None,
            "member_cache_flags": discord.MemberCacheFlags.none(),
            "chunk_guilds_at_startup": False,
        }
        bare, medic = Bare(**options), Medic(Settings(database=folder / "cases.db"), book, content=True)
        for client in (bare, medic):
            await client._async_setup_hook()
        medic.parts.prefs._guilds.put(int(guild.id), GuildSettings(channels=(int(channel.id),)))
        states = prepared(bare, world, guild), prepared(medic, world, guild)
        times = [(await once(states[0], payloads), await once(states[1], payloads)) for _ in range(ROUNDS)]
        await bare.close()
        await medic.close()
    empty, own = (statistics.median(column) * 1e6 for column in zip(*times, strict=True))
    print(f"ordinary chat: {own - empty:.1f} µs a message over discord.py's own {empty:.1f} µs (limit 60)")
    return own - empty


def five_kilobytes(number):
    text = config(f"paste_{number}")
    while len(text) < 5000:
        text += f"# note {len(text)}: this line is here because people keep notes in their configs\n"
    return text[:5000]


def pastes(folder):
    report = folder / "probe.json"
    stage = Stage(folder, probe=report).start()
    try:
        places = [stage.server()[1] for _ in range(20)]
        people = [stage.person() for _ in range(PASTES)]
        # A message holds 2,000 characters, so pastes of this size come as files.
        files = [[("config.yaml", five_kilobytes(number).encode())] for number in range(PASTES)]
        os.kill(stage.bot.process.pid, signal.SIGUSR1)
        start = time.perf_counter()
        sent = [stage.people.say(people[n], places[n % 20], "it dies", files=files[n]) for n in range(PASTES)]
        stage.people.wait(lambda: bot_messages(stage, places) >= PASTES, "every reply")
        took = time.perf_counter() - start
        os.kill(stage.bot.process.pid, signal.SIGUSR2)
        stage.paste(places[0])
        counts = [len(stage.people.replies(message)) for message in sent]
        longest = json.loads(report.read_text())
        wall, own, what = longest[0] if longest else (0.0, 0.0, "nothing above 5 ms")
        print(
            f"{PASTES} pastes of 5 kB: {counts.count(1)} answered once, {counts.count(0)} not, {sum(c > 1 for c in counts)} twice; {took:.1f} s, {PASTES / took:.0f} a second"
        )
        print(
            f"longest hold of the event loop: {own} ms of its own time, {wall} ms by the clock (limit 50), in {what[:200]}"
        )
        stage.sound()
        return counts == [1] * PASTES, own
    finally:
        stage.end()


def engine():
    job = DiagnoseJob((Pasted("job.yaml", HERE.with_name("job.yaml").read_bytes()),))
    worker, times = Engine(), []
    for _ in range(100):
        start = time.process_time()
        worker.answer(job)
        times.append(time.process_time() - start)
    print(f"a job text in an engine process: {statistics.median(times) * 1000:.1f} ms")


def bot_messages(stage, places):
    return sum(m["author"]["id"] == stage.world.bot.id for place in places for m in list(place.messages.values()))


def main():
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        own = asyncio.run(chat(Path(one)))
        engine()
        once_each, longest = pastes(Path(two))
    sys.exit(0 if own <= 60 and once_each and longest <= 50 else 1)


if __name__ == "__main__":
    main()
