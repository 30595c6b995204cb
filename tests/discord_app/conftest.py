"""One stand-in and one bot process for most tests; each test makes its own people and places in them."""

import asyncio
import itertools

import pytest
from pastes import config, fenced
from standin import People, StandIn
from standin.paste_site import PasteSite
from standin.process import BotProcess
from standin.world import MANAGE_GUILD, MANAGE_MESSAGES, SEND, VIEW

_NUMBERS = itertools.count(1)
# Far from what any test does, so that only the tests of cooldowns meet them.
PLENTY = {"user_pastes_a_minute": 10_000, "channel_pastes_a_minute": 10_000}


class Stage:
    """A stand-in with a bot logged in to it."""

    def __init__(self, folder, **settings):
        self.standin = StandIn(shards=settings.pop("shards", 1)).start()
        self.world, self.people = self.standin.world, People(self.standin)
        self.prepare = settings.pop("prepare", None)
        if self.prepare:
            self.prepare(self)
        self.site = PasteSite(self.standin)
        self.bot = BotProcess(self.standin, folder, **(PLENTY | {"pastes": self.site.port} | settings))

    def start(self):
        self.bot.start()
        return self

    def end(self):
        self.bot.stop()
        self.site.stop()
        self.standin.stop()

    def person(self, locale="en-US", name=None):
        return self.world.add_user(name or f"person{next(_NUMBERS)}", locale)

    def server(self, *, opted_in=True, **options):
        """A server with a support channel, and somebody who may manage it."""
        guild, channel = self.people.guild(f"Server {next(_NUMBERS)}", **options)
        manager = self.person()
        guild.member_permissions[manager.id] = VIEW | SEND | MANAGE_GUILD | MANAGE_MESSAGES
        guild.manager = manager
        if opted_in:
            self.set_up(guild, manager, channels=[channel])
        return guild, channel

    def set_up(self, guild, manager, **menus):
        """Go through `/setup` as a manager does; channels first, then one menu after the other."""
        panel = self.people.answer(self.people.slash(manager, guild.channels[0], "setup"))
        for name, values in menus.items():
            self.choose(manager, panel, f"setup:{name}", [getattr(value, "id", value) for value in values])
        return panel

    def choose(self, user, message, menu, values=None):
        """Use a menu or button and wait until its message has followed."""
        edits = message.get("edits", 0)
        self.people.click(user, message, menu, values)
        self.people.wait(lambda: message.get("edits", 0) > edits, f"{menu} to take effect")

    def paste(self, channel, user=None, text=None, **more):
        """Paste a config and wait for its reply. Returns the message and the reply."""
        user = user or self.person()
        number = next(_NUMBERS)
        message = self.people.say(user, channel, text or fenced(config(f"lora_{number}")), **more)
        return message, self.people.reply(message)

    def hold(self, method, path, *, after=False):
        """Hold the next request that matches: before it takes effect, or only its answer. Returns it and its release."""
        gate = asyncio.Event()
        held = self.standin.faults.order(method, path, gate=gate, after=after)
        return held, lambda: self.standin.call(gate.set)

    def silent(self, message):
        """The message gets no reply: one that comes after it, in another channel, does."""
        _, channel = self.server()
        self.paste(channel)
        assert self.people.replies(message) == []

    def again(self, found, what):
        """Look again and again for what tells no event; in between the bot answers a paste elsewhere."""
        _, channel = self.server()
        for _ in range(100):
            if value := found():
                return value
            self.paste(channel)
        raise AssertionError(f"in vain for {what}")

    def logged(self, words):
        """Wait until the bot has written these words to its log."""
        self.again(lambda: words in self.bot.log, f"{words!r} in\n{self.bot.log}")

    def sound(self):
        """Nothing was sent that Discord would refuse, nothing acknowledged too late."""
        assert self.standin.invalid == []
        assert self.standin.late == []
        assert "unexpected error" not in self.bot.log, self.bot.log


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    stage = Stage(tmp_path_factory.mktemp("bot"))
    try:
        yield stage.start()
    finally:
        stage.end()


@pytest.fixture
def stage(shared):
    yield shared
    shared.sound()


@pytest.fixture
def own_stage(tmp_path):
    """A stage of the test's own, to be restarted, cut off or set up differently."""
    made = []

    def make(**settings):
        stage = Stage(tmp_path, **settings)
        made.append(stage)
        return stage.start()

    yield make
    for stage in made:
        stage.end()
