"""Options that several commands share."""

import click

from bot.cli.language import AUTO
from bot.cli.refuse import refuse
from bot.knowledge.folder import data_folder
from bot.knowledge.locale import locale_tags


def _known(_context: click.Context, _parameter: click.Parameter, tag: str) -> str:
    tags = locale_tags(data_folder())
    if tag.lower() not in {AUTO, *tags}:
        raise refuse("no_language", name=tag, known=[AUTO, *tags])
    return tag.lower()


language_option = click.option(
    "--lang", callback=_known, default=AUTO, is_eager=True, metavar="auto|en|de|it", help="Language of the answer."
)
