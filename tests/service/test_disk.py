"""A full disk makes the bot unready, though SQLite may still get a small write through."""

import asyncio
from typing import NamedTuple

import pytest

from bot.cases.book import CaseBook
from bot.cases.store import Store
from bot.discord_app.medic import Medic
from bot.service import disk
from bot.settings import Settings


class Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.fixture
def free(monkeypatch):
    """Set how many bytes are free."""

    def left(count):
        monkeypatch.setattr(disk.shutil, "disk_usage", lambda _: Usage(2**40, 2**40 - count, count))

    return left


def seen(folder):
    """What the running bot says of its case file: whether it can be used, and what is the matter."""

    async def ask():
        settings = Settings(database=folder / "cases.db")
        with CaseBook(Store(settings.database).ready()) as book:
            medic = Medic(settings, book, content=True)
            await medic._async_setup_hook()
            try:
                return await medic.operation.database_answers(), medic.operation.state().database_fault
            finally:
                await medic.close()

    return asyncio.run(ask())


def test_room_enough(tmp_path, free):
    free(disk.LEAST_BYTES)
    assert seen(tmp_path) == (True, None)


def test_too_little_room(tmp_path, free):
    free(disk.LEAST_BYTES - 1)
    assert seen(tmp_path) == (False, "disk_full")


def test_a_folder_that_cannot_be_asked_is_another_fault(tmp_path):
    assert not disk.is_short(tmp_path / "gone" / "cases.db")
