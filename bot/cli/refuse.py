"""Ending a call with one clear sentence and exit status 2, in the language asked for, else the terminal's."""

from typing import Any

import click

from bot.cli.language import AUTO, terminal_language
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import FALLBACK, locale_tags


class Refused(click.ClickException):
    """The input cannot be read, or the words of the call are off."""

    exit_code = 2


def refuse(key: str, **values: Any) -> Refused:
    """The exception to raise: words `errors.<key>`."""
    knowledge = Knowledge()
    language = _asked_for() or terminal_language()
    known = language in locale_tags(knowledge.folder)
    return Refused(knowledge.locale(language if known and language else FALLBACK).text(f"errors.{key}", values))


def _asked_for() -> str | None:
    """The value of --lang, where the command has one and it was read before what is refused."""
    context = click.get_current_context(silent=True)
    asked = context.params.get("lang") if context is not None else None
    return asked if asked != AUTO else None
