"""`oom-medic knowledge check`: what a moderator runs after a change to knowledge/."""

from typing import TYPE_CHECKING

import click

from bot.cli.language import pick_language
from bot.cli.options import language_option
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import locale_tags

if TYPE_CHECKING:
    from bot.knowledge.check import Reader


def readers() -> dict[str, "Reader"]:
    """The readers of those files of knowledge/ that intake, reply and cases own."""
    from bot.cases import invented
    from bot.intake.kinds import load_line_kinds
    from bot.intake.language import languages_of
    from bot.intake.redact import load_redactions
    from bot.reply.faq import Faq

    return {
        "redactions.yaml": load_redactions, "lines.yaml": load_line_kinds, "languages.yaml": languages_of,
        "faq/answers.yaml": Faq.load, "invented.yaml": invented.load,
    }  # fmt: skip


@click.group()
def knowledge() -> None:
    """Look after the rules, words and tables in knowledge/."""


@knowledge.command()
@language_option
def check(lang: str) -> None:
    """Check everything in knowledge/; each complaint names file, line and remedy. Exit status 1 if there is any."""
    from bot.knowledge.check import check as complaints_in

    data = Knowledge()
    complaints = [str(complaint) for complaint in complaints_in(data, readers())]
    for complaint in complaints:
        click.echo(complaint)
    locale = data.locale(pick_language(lang, data))
    if complaints:
        click.echo(locale.text("cli.knowledge_bad", count=len(complaints)), err=True)
        raise SystemExit(1)
    counts = {"rules": len(data.rules), "nodes": len(data.tree.nodes), "languages": len(locale_tags(data.folder))}
    click.echo(locale.text("cli.knowledge_ok", counts))
