"""`oom-medic knowledge check`: what a moderator runs after a change to knowledge/."""

import os
from pathlib import Path

import click

from bot.cli.language import pick_language
from bot.cli.options import language_option
from bot.knowledge.folder import VARIABLE, data_folder
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import locale_tags

BESIDE = Path("knowledge")


@click.group()
def knowledge() -> None:
    """Look after the rules, words and tables in knowledge/."""


@knowledge.command()
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@language_option
def check(folder: Path | None, lang: str) -> None:
    """Check everything in FOLDER.

    Each complaint names file, line and remedy. Exit status 1 if there is any.

    Without FOLDER: OOM_MEDIC_KNOWLEDGE, else the folder `knowledge` here, else what was installed.
    """
    from bot.service.checking import faults

    shipped = Knowledge()
    chosen = _chosen(folder).resolve()
    os.environ[VARIABLE] = str(chosen)  # for what reads its file by itself
    data = Knowledge(chosen)
    complaints = faults(data)
    for complaint in complaints:
        click.echo(complaint)
    words = shipped if complaints else data
    locale = words.locale(pick_language(lang, words))
    if complaints:
        click.echo(locale.text("cli.knowledge_bad", count=len(complaints), folder=str(chosen)), err=True)
        raise SystemExit(1)
    counts = {"rules": len(data.rules), "nodes": len(data.tree.nodes), "languages": len(locale_tags(data.folder))}
    click.echo(locale.text("cli.knowledge_ok", counts, folder=str(chosen)))


def _chosen(folder: Path | None) -> Path:
    """The folder that a moderator who stands in a checkout means, whatever is installed."""
    if folder is not None:
        return folder
    beside = (BESIDE / "tree.yaml").is_file() and not os.environ.get(VARIABLE)
    return BESIDE if beside else data_folder()
