"""Points in time as people write them."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

_SPAN: Final = re.compile(r"(\d{1,4}) ?([hdw])")
_HOURS: Final = {"h": 1, "d": 24, "w": 168}


def moment(text: str, now: datetime) -> datetime | None:
    """`36h`, `7d` or `4w` ago, or a day as `2026-07-04` (from its beginning in UTC). None for anything else."""
    span = _SPAN.fullmatch(text.strip().lower())
    if span:
        return now - timedelta(hours=int(span[1]) * _HOURS[span[2]])
    try:
        day = datetime.fromisoformat(text.strip())
        return day.astimezone(UTC) if day.tzinfo else day.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
