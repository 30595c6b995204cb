from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.cases.book import CaseBook
from bot.cases.store import Store
from tests.cases.making import NOW


class Clock:
    """The time that the book sees; a test moves it."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def pass_(self, **span: float) -> None:
        self.now += timedelta(**span)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cases.db"


@pytest.fixture
def book(path: Path, clock: Clock) -> Iterator[CaseBook]:
    with CaseBook(Store(path).ready(), clock) as opened:
        yield opened
