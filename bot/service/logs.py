"""Log lines for the operator: one JSON object a line, or plain text. What people pasted is in none of them.

An exception's own message may quote a paste, so an error is written as its types and places, without messages. The
bot's token is replaced wherever it would turn up.
"""

import json
import logging
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from typing import Any, Literal

# discord.py logs whole events at DEBUG, which would put messages into the log whatever our own level is.
_QUIET = {"discord": logging.INFO, "aiohttp": logging.WARNING, "asyncio": logging.WARNING}
# Discord's own refusals, as its documentation numbers them, name no text of anybody's.
_NUMBERS = ("status", "code", "errno")


def fields(**values: Any) -> Mapping[str, Any]:
    """For `extra=`: values of a line, such as a case's id, that become keys of its JSON object."""
    return {"fields": {name: value for name, value in values.items() if value is not None}}


def story(error: BaseException | None) -> str:
    """Types and places of an error and of what led to it, the innermost place first; no message but for numbers."""
    parts = []
    while error is not None:
        numbers = [str(found) for name in _NUMBERS if isinstance(found := getattr(error, name, None), int)]
        places = " < ".join(
            f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}:{frame.name}"
            for frame in reversed(traceback.extract_tb(error.__traceback__))
        )
        parts.append(f"{' '.join([type(error).__name__, *numbers])} at {places}")
        error = error.__cause__ or error.__context__
    return " | from ".join(parts)


class _Lines(logging.Formatter):
    """What both shapes share."""

    @staticmethod
    def converter(seconds: float | None) -> time.struct_time:
        """UTC, whatever the machine's zone."""
        return time.gmtime(seconds)

    def __init__(self, secret: str) -> None:
        super().__init__()
        self.secret = secret

    def clean(self, text: str) -> str:
        """A line without the token."""
        return text.replace(self.secret, "<token>") if self.secret else text

    def moment(self, record: logging.LogRecord) -> str:
        """UTC with milliseconds."""
        return f"{self.formatTime(record, '%Y-%m-%dT%H:%M:%S')}.{int(record.msecs):03}Z"


class JsonLines(_Lines):
    """Time (UTC), level, logger, message, the line's own fields, and the story of an error."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line = {
            "time": self.moment(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = story(record.exc_info[1])
        return self.clean(json.dumps(line, ensure_ascii=False, default=str))


class ConsoleLines(_Lines):
    """The same for eyes."""

    def format(self, record: logging.LogRecord) -> str:
        """One line; line breaks in a message become blanks."""
        message = " ".join(record.getMessage().split("\n"))
        parts = [f"{self.moment(record)} {record.levelname:<7} {record.name}: {message}"]
        parts += [f"{name}={value}" for name, value in getattr(record, "fields", {}).items()]
        if record.exc_info and record.exc_info[1] is not None:
            parts.append(f"[{story(record.exc_info[1])}]")
        return self.clean(" ".join(parts))


class Counting(logging.Handler):
    """Hands each line's level and logger to `count`, so that errors are counted wherever they are logged."""

    def __init__(self, count: Callable[[str, str], None]) -> None:
        super().__init__(logging.WARNING)
        self._count = count

    def emit(self, record: logging.LogRecord) -> None:
        """Count one line."""
        self._count(record.levelname.lower(), ".".join(record.name.split(".")[:3]))


def set_up(form: Literal["json", "console"], level: str, *, secret: str = "") -> None:
    """Send everything to standard error. `secret` is never written."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(secret) if form == "json" else ConsoleLines(secret))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.captureWarnings(capture=True)
    for name, least in _QUIET.items():
        logging.getLogger(name).setLevel(max(least, logging.getLevelName(level)))
