"""What systemd is told, read from a real socket."""

import os
import socket

import pytest

from bot.service.notify import Notifier


@pytest.fixture
def listening(tmp_path, monkeypatch):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        made.bind(str(tmp_path / "notify"))
        made.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield lambda: made.recv(4096).decode().split("\n")


def test_each_message(listening, monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "30000000")
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))
    notifier = Notifier()
    assert notifier.watchdog_s == 15.0
    notifier.ready()
    assert listening() == ["READY=1"]
    notifier.reloading()
    first, second = listening()
    assert first == "RELOADING=1"
    assert second.startswith("MONOTONIC_USEC=")
    notifier.status("12 servers")
    notifier.alive()
    notifier.stopping()
    assert [listening(), listening(), listening()] == [["STATUS=12 servers"], ["WATCHDOG=1"], ["STOPPING=1"]]


def test_child_processes_do_not_see_the_socket(listening):
    Notifier()
    assert "NOTIFY_SOCKET" not in os.environ


def test_a_watchdog_meant_for_another_process_is_not_ours(listening, monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "30000000")
    monkeypatch.setenv("WATCHDOG_PID", "1")
    assert Notifier().watchdog_s is None


def test_the_abstract_namespace(monkeypatch):
    name = f"oom-medic-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        made.bind(f"\0{name}")
        made.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")
        Notifier().ready()
        assert made.recv(100) == b"READY=1"


def test_without_systemd_nothing_happens(monkeypatch, tmp_path):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    notifier = Notifier()
    notifier.ready()
    assert notifier.watchdog_s is None
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    Notifier().ready()
