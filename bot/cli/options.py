"""Options that several commands share."""

from typing import Any

import click

from bot.cli.language import AUTO
from bot.cli.refuse import refuse
from bot.knowledge.load import data_folder
from bot.knowledge.locale import locale_tags


class LanguageType(click.ParamType):
    """`auto`, or a language that knowledge/ has words for."""

    name = "language"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002 click's signature
        """The tag. Raises Refused on a language without a locale file."""
        tags = locale_tags(data_folder())
        if value != AUTO and value not in tags:
            raise refuse("no_language", name=value, known=[AUTO, *tags])
        return str(value)


language_option = click.option(
    "--lang", type=LanguageType(), default=AUTO, metavar="auto|en|de|it", help="Language of the answer."
)
