"""Which knowledge is in force after a start: the operator's own, that of last time, or the shipped one."""

import asyncio
import os
import tempfile
from pathlib import Path

import aiohttp
import discord
import pytest

from bot.discord_app import running
from bot.discord_app.running import BadKnowledgeError, surroundings
from bot.knowledge.folder import data_folder
from bot.service import knowledge_copy
from bot.service.knowledge_copy import last_good, remember, take
from bot.service.notify import Notifier
from bot.settings import Settings


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """An operator's folder, sound as long as there is no file `bad` in it."""

    async def complaints(folder: Path) -> list[str]:
        return ["rules/x.yaml:3: is not YAML"] if (folder / "bad").exists() else []

    monkeypatch.setattr(running, "complaints", complaints)
    own = tmp_path / "own"
    own.mkdir()
    (own / "version").write_text("1")
    return Settings(database=tmp_path / "cases.db", knowledge=own)


def started(settings: Settings):
    made = asyncio.run(surroundings(settings, Notifier()))
    version = made.copy.folder / "version"
    found = version.read_text() if version.exists() else None
    made.copy.delete()
    return found, made.fault, made.source


def edit(settings: Settings, version: str, *, bad: bool = False) -> None:
    (settings.knowledge / "version").write_text(version)
    (settings.knowledge / "bad").unlink(missing_ok=True)
    if bad:
        (settings.knowledge / "bad").touch()


def test_a_sound_folder_is_in_force_and_remembered(settings: Settings) -> None:
    assert started(settings) == ("1", None, settings.knowledge)
    edit(settings, "2")
    assert started(settings)[0] == "2"
    assert (last_good(settings.database) / "knowledge" / "version").read_text() == "2"


def test_a_folder_that_was_broken_meanwhile_gives_way_to_that_of_last_time(settings: Settings, caplog) -> None:
    started(settings)
    edit(settings, "2", bad=True)
    version, fault, source = started(settings)
    assert (version, source) == ("1", settings.knowledge)
    assert "rules/x.yaml:3" in fault
    assert "rules/x.yaml:3" in caplog.text
    edit(settings, "3")
    assert started(settings)[:2] == ("3", None)


def test_one_that_is_gone_too(settings: Settings) -> None:
    started(settings)
    settings.knowledge.rename(settings.knowledge.with_name("elsewhere"))
    assert started(settings)[0] == "1"


def test_one_that_never_was_sound_is_refused(settings: Settings) -> None:
    edit(settings, "1", bad=True)
    with pytest.raises(BadKnowledgeError, match=r"rules/x\.yaml:3"):
        started(settings)


def test_it_waits_until_discord_can_be_reached(monkeypatch, caplog):
    answers = [aiohttp.ClientConnectionError(), TimeoutError(), True]

    async def may_read(_: str) -> bool:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(running, "_may_read", may_read)
    monkeypatch.setattr(running, "PAUSES_S", (0,))
    assert asyncio.run(running._when_reachable("token", Notifier()))
    assert [record.message for record in caplog.records] == [
        "Discord cannot be reached (ClientConnectionError); trying again in 0 s",
        "Discord cannot be reached (TimeoutError); trying again in 0 s",
    ]


def test_a_refused_token_is_not_waited_for(monkeypatch):
    async def refused(_: str) -> bool:
        raise discord.LoginFailure

    monkeypatch.setattr(running, "_may_read", refused)
    with pytest.raises(discord.LoginFailure):
        asyncio.run(running._when_reachable("token", Notifier()))


def test_without_an_own_folder_the_shipped_one_is_in_force(tmp_path: Path) -> None:
    version, fault, source = started(Settings(database=tmp_path / "cases.db"))
    assert (version, fault, source) == (None, None, data_folder())
    assert not last_good(tmp_path / "cases.db").exists()


def test_what_cannot_be_remembered_is_only_said(settings: Settings, monkeypatch, caplog) -> None:
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    copy = take(settings.knowledge)
    monkeypatch.setattr(knowledge_copy.shutil, "copytree", full)
    remember(copy, settings.database)
    copy.delete()
    assert "No space left" in caplog.text
    assert [path.name for path in settings.database.parent.iterdir()] == ["own"]


def test_copies_of_killed_processes_go_and_those_in_use_stay(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    source = tmp_path / "source"
    source.mkdir()
    used = take(source)
    left, young, other = (
        tmp_path / name for name in ("oom-medic-knowledge-left", "oom-medic-knowledge-young", "other")
    )
    for folder in (left, young, other):
        folder.mkdir()
    for folder in (used.root, left, other):
        os.utime(folder, (1, 1))
    again = take(source)
    assert not left.exists()
    assert all(folder.exists() for folder in (used.folder, young, other, again.folder))
    for copy in (used, again):
        copy.delete()
