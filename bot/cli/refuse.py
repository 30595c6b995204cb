"""Ending a call with one clear sentence and exit status 2, in the language asked for, else the terminal's."""

from typing import IO, Any

import click

from bot.cli.language import AUTO, terminal_language
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import FALLBACK, Locale, locale_tags

LANGUAGE = "bot.cli.language"  # where click's contexts, which share it, keep the language asked for


class Refused(click.ClickException):
    """The input cannot be read, or the words of the call are off."""

    exit_code = 2

    def __init__(self, message: str, words: Locale) -> None:
        """`message` is in the language of `words`, and is headed in it."""
        super().__init__(message)
        self._words = words

    def show(self, file: IO[Any] | None = None) -> None:
        """Print it, by default on standard error."""
        click.echo(f"{self._words.text('errors.prefix')} {self.message}", file=file, err=file is None)


class Failed(Refused):
    """The words of the call are right, and what it is to do cannot be done."""

    exit_code = 1


def refuse(key: str, **values: Any) -> Refused:
    """The exception to raise: words `errors.<key>`."""
    words = words_in_force()
    return Refused(words.text(f"errors.{key}", values), words)


def words_in_force() -> Locale:
    """The words of the language asked for, else of the terminal's, before anything was read that could tell it."""
    knowledge = Knowledge()
    language = _asked_for() or terminal_language()
    known = language in locale_tags(knowledge.folder)
    return knowledge.locale(language if known and language else FALLBACK)


def _asked_for() -> str | None:
    """The value of --lang, where the command has one and it was read before what is refused."""
    context = click.get_current_context(silent=True)
    asked: str | None = context.meta.get(LANGUAGE) if context is not None else None
    return asked if asked != AUTO else None
