"""What an operator may set: the fields, the file they may stand in, and where each value in force comes from."""

from bot.settings.fields import Settings

__all__ = ["Settings"]
