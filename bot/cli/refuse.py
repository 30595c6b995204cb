"""Ending a call with one clear sentence and exit status 2, in the terminal's language."""

from typing import Any

import click

from bot.cli.language import terminal_language
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import FALLBACK, locale_tags


class Refused(click.ClickException):
    """The input cannot be read, or the words of the call are off."""

    exit_code = 2


def refuse(key: str, **values: Any) -> Refused:
    """The exception to raise: words `errors.<key>`."""
    knowledge = Knowledge()
    language = terminal_language()
    known = language in locale_tags(knowledge.folder)
    return Refused(knowledge.locale(language if known and language else FALLBACK).text(f"errors.{key}", values))
