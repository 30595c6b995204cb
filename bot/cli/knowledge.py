"""`oom-medic knowledge check`: what a moderator runs after a change to knowledge/."""

import click

from bot.cli.language import pick_language
from bot.cli.options import language_option
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import locale_tags


@click.group()
def knowledge() -> None:
    """Look after the rules, words and tables in knowledge/."""


@knowledge.command()
@language_option
def check(lang: str) -> None:
    """Check everything in knowledge/; each complaint names file, line and remedy. Exit status 1 if there is any."""
    from bot.service.checking import complaints_in

    data = Knowledge()
    complaints = complaints_in(data)
    for complaint in complaints:
        click.echo(complaint)
    locale = data.locale(pick_language(lang, data))
    if complaints:
        click.echo(locale.text("cli.knowledge_bad", count=len(complaints)), err=True)
        raise SystemExit(1)
    counts = {"rules": len(data.rules), "nodes": len(data.tree.nodes), "languages": len(locale_tags(data.folder))}
    click.echo(locale.text("cli.knowledge_ok", counts))
