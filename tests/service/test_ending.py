"""SIGTERM: nothing new is taken, what is in hand is finished, and the process ends cleanly within ten seconds."""

import os
import signal
import socket

import pytest
from pastes import config, fenced
from standin.acting import text_of
from standin.world import TOKEN

from bot.discord_app.medic import GOODBYE_S
from bot.settings import Settings


@pytest.fixture
def systemd(tmp_path, monkeypatch):
    """What the bot tells systemd, message by message."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        made.bind(str(tmp_path / "notify"))
        made.settimeout(90)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "200000")

        def until(wanted):
            while (told := made.recv(4096).decode()) != wanted:
                assert told
            return told

        yield until


def test_what_is_in_hand_is_finished_and_nothing_new_is_begun(operated, systemd, tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    # Longer than the test may take, for it has to see all that happens meanwhile.
    stage = operated(log_level="DEBUG", drain_s=120)
    systemd("READY=1")
    systemd("WATCHDOG=1")
    guild, channel = stage.server()
    assert list((tmp_path / "temporary").iterdir()), "the knowledge in force"
    held, go_on = stage.hold("POST", f"/channels/{channel.id}/messages")
    message = stage.people.say(stage.person(), channel, fenced(config("in_hand")))
    stage.people.wait(lambda: held.held, "the reply to be on its way")

    stage.bot.process.send_signal(signal.SIGTERM)
    systemd("STOPPING=1")
    assert not stage.ready(wanted=False)["checks"]["taking_work"]["ok"]
    late = stage.people.say(stage.person(), channel, fenced(config("too_late")))
    command = stage.people.slash(
        stage.person("de"), channel, "diagnose", file=("config.yaml", config("too_late").encode())
    )
    stage.people.wait(lambda: command.original, "a sentence")
    assert "neu gestartet" in text_of(command.original)
    pressed = stage.people.slash(guild.manager, channel, "setup")
    stage.people.wait(lambda: pressed.original, "a sentence")
    assert "restarted" in text_of(pressed.original)
    go_on()

    assert stage.bot.process.wait(60) == 0
    assert "```diff" in text_of(stage.people.reply(message))
    assert stage.people.replies(late) == []
    assert list((tmp_path / "temporary").iterdir()) == []
    assert TOKEN not in stage.bot.log
    assert "too_late" not in stage.bot.log
    assert [line for line in stage.lines() if line["level"] == "error"] == []

    stage.bot.start()
    stage.people.reply(late)
    stage.sound()


def test_what_cannot_be_finished_does_not_hold_up_the_end(operated):
    stage = operated(drain_s=0.2)
    _, channel = stage.server()
    held, _ = stage.hold("POST", f"/channels/{channel.id}/messages")
    message = stage.people.say(stage.person(), channel, fenced(config("stuck")))
    stage.people.wait(lambda: held.held, "the reply to be on its way")
    assert stage.bot.stop() == 0
    stage.bot.start()
    stage.people.reply(message)
    stage.sound()


def test_the_end_comes_within_ten_seconds():
    assert Settings.model_fields["drain_s"].default + GOODBYE_S < 10


def test_told_to_end_while_it_waits_for_its_turn_to_log_in(operated, monkeypatch):
    monkeypatch.setenv("STANDIN_IDENTIFY_S", "600")
    stage = operated()
    assert stage.bot.stop() == 0
    stage.bot.start(wait=False)
    stage.ready(wanted=False)
    os.kill(stage.bot.process.pid, signal.SIGTERM)
    assert stage.bot.process.wait(60) == 0
