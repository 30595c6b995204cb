from datetime import UTC, datetime, timedelta

import pytest

from bot.cases.since import moment
from tests.cases.making import NOW


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("36h", NOW - timedelta(hours=36)),
        (" 7D ", NOW - timedelta(days=7)),
        ("4 w", NOW - timedelta(weeks=4)),
        ("2026-07-01", datetime(2026, 7, 1, tzinfo=UTC)),
        ("2026-07-01T10:00:00+02:00", datetime(2026, 7, 1, 8, tzinfo=UTC)),
    ],
)
def test_a_time_is_understood(text: str, found: datetime) -> None:
    assert moment(text, NOW) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7",
        "d",
        "yesterday",
        "99999d",
        "2026-13-01",
        "-7d",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
    ],
)
def test_anything_else_is_none(text: str) -> None:
    assert moment(text, NOW) is None
