"""Two processes by shard range on one database file: each server is served once, whoever is killed when."""

import itertools

import pytest
from conftest import PLENTY
from pastes import config, fenced
from standin.process import BotProcess

from bot.cases.book import CaseBook
from bot.cases.model import Scope
from bot.cases.store import Store
from tests.killing import Figures
from tests.service.conftest import Operated

PASTES = 24


@pytest.fixture
def pair(tmp_path, monkeypatch):
    """A stage with shards 0 and 1, each served by a process of its own."""
    monkeypatch.setenv("STANDIN_IDENTIFY_S", "0.4")
    folders = [tmp_path / name for name in ("zero", "one")]
    for folder in folders:
        folder.mkdir()
    shared = {"database": tmp_path / "cases.db", "drain_s": 1}
    stage = Operated(folders[0], shards=2, arguments=("--shards", "0/2"), **shared)
    stage.other = BotProcess(
        stage.standin, folders[1], arguments=("--shards", "1/2"), **(PLENTY | stage.bot.settings | shared)
    )
    yield stage
    stage.other.stop()
    stage.end()


def shard_of(guild):
    return (int(guild.id) >> 22) % 2


def servers(stage, each):
    """So many servers on each shard."""
    made = {0: [], 1: []}
    while min(map(len, made.values())) < each:
        guild, channel = stage.server()
        made[shard_of(guild)].append(channel)
    return [channel for some in made.values() for channel in some[:each]]


def test_no_case_is_lost_and_none_comes_twice(pair, capsys):
    for bot in (pair.bot, pair.other):
        bot.start(wait=False)
    pair.people.wait(lambda: len(pair.standin.gateway.live()) == 2, "both to log in")
    assert (pair.bot.folder.parent / "cases.identify").exists(), "they take turns at logging in"
    assert pair.standin.syncs == 1, "one of them sends the commands"

    places, numbers, figures, sent = servers(pair, 2), itertools.count(), Figures(), []
    for doomed in ((pair.bot,), (pair.other,), (pair.bot, pair.other)):
        fresh = [
            pair.people.say(pair.person(), place, fenced(config(f"two_{next(numbers)}")))
            for place in places * (PASTES // 12)
        ]
        sent += fresh
        pair.people.wait(lambda fresh=fresh: sum(bool(pair.people.replies(one)) for one in fresh) >= 3, "some replies")
        for bot in doomed:
            bot.kill()
            figures.kills += 1
        for bot in doomed:
            bot.start(wait=False)
    pair.people.wait(lambda: all(pair.people.replies(message) for message in sent), "every reply")
    for place in places:
        pair.paste(place)

    for message in sent:
        figures.replies[int(message["id"])] = [case_of(reply) for reply in pair.people.replies(message)]
        assert len(pair.people.replies(message)) == 1
    for bot in (pair.bot, pair.other):
        assert bot.stop() == 0
    with CaseBook(Store(pair.bot.folder.parent / "cases.db").ready()) as book:
        figures.count(stored(book, sent))
        cases = book.listed(Scope.operator(), size=1000).result().cases
    with capsys.disabled():
        print(f"\ntwo processes, {figures}")
    assert (figures.lost, figures.doubled, figures.kills) == (0, 0, 4)
    assert len(cases) == len(sent) + len(places)
    pair.sound()


def case_of(reply):
    return reply["embeds"][0]["footer"]["text"].split()[1]


def stored(book, sent):
    wanted = {int(message["id"]) for message in sent}
    found = book.store.read(
        lambda db: db.execute("SELECT message, id FROM messages JOIN cases USING (seq) WHERE role = 'paste'").fetchall()
    )
    return [(message, case_id) for message, case_id in found.result() if message in wanted]
