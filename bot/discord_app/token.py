"""Where the bot's token comes from. It is never taken from the command line and never logged."""

import os
from pathlib import Path

from bot.settings import Settings

CREDENTIAL = "token"


class NoTokenError(Exception):
    """No token was given, or its file cannot be read. What to do: words `discord.token.<lack>`."""

    def __init__(self, lack: str, **values: str) -> None:
        super().__init__(lack)
        self.lack, self.values = lack, values


def read_token(settings: Settings) -> str:
    """The token from OOM_MEDIC_TOKEN, from the file of OOM_MEDIC_TOKEN_FILE, or from systemd. Raises NoTokenError."""
    if settings.token is not None and settings.token.get_secret_value().strip():
        return settings.token.get_secret_value().strip()
    place = settings.token_file
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    if place is None and folder:
        place = Path(folder) / CREDENTIAL
    if place is None:
        raise NoTokenError("none")
    try:
        token = place.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise NoTokenError("unreadable", path=str(place), reason=error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise NoTokenError("no_text", path=str(place)) from None
    if not token:
        raise NoTokenError("empty", path=str(place))
    return token
