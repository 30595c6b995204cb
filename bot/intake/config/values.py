"""Reading a pasted value the way ai-toolkit would use it."""

import re
from typing import Any

_NUMBER = re.compile(r"\d{1,7}")
_LARGEST = 10_000_000


def whole(value: Any) -> int | None:
    """An integer, also from `4.0`, from digits in quotes and with JSON's comma behind it; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST else None
    if isinstance(value, float):
        return int(value) if value == value // 1 and abs(value) <= _LARGEST else None
    digits = value.strip(" ,") if isinstance(value, str) and len(value) < 20 else ""
    return whole(int(digits)) if digits.isdecimal() else None


def fraction(value: Any) -> float | None:
    """A share between 0 and 1; above 1 the toolkit takes everything."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return min(1.0, number) if number >= 0 else None


def sizes(value: Any) -> tuple[int, ...]:
    """The bucket resolutions in `resolution`: one number, a list, digits in quotes, or `512, 768` in one string."""
    if isinstance(value, list):
        found = [number for item in value[:100] if (number := whole(item)) is not None]
    elif isinstance(value, str):
        found = [int(part) for part in _NUMBER.findall(value[:200])]
    else:
        number = whole(value)
        found = [] if number is None else [number]
    return tuple(size for size in found if size > 0)
