"""Options that several commands share."""

from typing import Any

import click

from bot.cli.language import AUTO
from bot.cli.refuse import LANGUAGE, refuse
from bot.knowledge.folder import data_folder
from bot.knowledge.locale import locale_tags


def _languages() -> list[str]:
    """What --lang takes: whatever languages the knowledge in force has words in."""
    return [AUTO, *locale_tags(data_folder())]


def _known(context: click.Context, _parameter: click.Parameter, tag: str) -> str:
    known = _languages()
    if tag.lower() not in known:
        raise refuse("no_language", name=tag, known=known)
    context.meta[LANGUAGE] = tag.lower()
    return tag.lower()


class _Language(click.Option):
    """Names the languages when --help is shown, not when the command is loaded."""

    def make_metavar(self, *_: Any, **_context: Any) -> str:
        """As `auto|en|de`."""
        return "|".join(_languages())


language_option = click.option(
    "--lang", cls=_Language, callback=_known, default=AUTO, is_eager=True, help="Language of the answer."
)
