"""Where the bot's token comes from. It is never taken from the command line and never logged."""

import os
from pathlib import Path

from bot.settings import Settings

CREDENTIAL = "token"


class NoTokenError(Exception):
    """No token was given, or its file cannot be read. The message says what to do."""


def read_token(settings: Settings) -> str:
    """The token from OOM_MEDIC_TOKEN, from the file of OOM_MEDIC_TOKEN_FILE, or from systemd. Raises NoTokenError."""
    if settings.token is not None and settings.token.get_secret_value().strip():
        return settings.token.get_secret_value().strip()
    place = settings.token_file
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    if place is None and folder:
        place = Path(folder) / CREDENTIAL
    if place is None:
        raise NoTokenError(
            "There is no token. Copy it from discord.com/developers/applications (your application, Bot, Reset Token) "
            "into the variable OOM_MEDIC_TOKEN, or into a file named by OOM_MEDIC_TOKEN_FILE."
        )
    try:
        token = place.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise NoTokenError(f"The token file {place} cannot be read: {error.strerror or error}.") from None
    if not token:
        raise NoTokenError(f"The token file {place} is empty.")
    return token
