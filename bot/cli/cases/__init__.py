"""`oom-medic cases`: the case history in a terminal, on the same file as the bot, also while it runs."""

from pathlib import Path

import click

from bot.cli.cases.desk import Desk
from bot.cli.group import LazyGroup
from bot.cli.operating import config_option
from bot.cli.options import language_option

COMMANDS = {
    "list": "bot.cli.cases.read:list_",
    "search": "bot.cli.cases.read:search",
    "show": "bot.cli.cases.read:show",
    "stats": "bot.cli.cases.read:stats",
    "report": "bot.cli.cases.read:report",
    "export": "bot.cli.cases.files:export",
    "import": "bot.cli.cases.files:import_",
    "backup": "bot.cli.cases.files:backup",
    "move": "bot.cli.cases.move:move",
    "delete": "bot.cli.cases.delete:delete",
    "purge": "bot.cli.cases.delete:purge",
    "privacy": "bot.cli.cases.delete:privacy",
    "browse": "bot.cli.cases.browse:browse",
}


@click.group(cls=LazyGroup, commands_at=COMMANDS)
@click.option(
    "--database",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="PATH",
    help="The case file. Default: OOM_MEDIC_DATABASE, or oom-medic.db in this folder.",
)
@config_option
@language_option
@click.pass_context
def cases(context: click.Context, database: Path | None, lang: str) -> None:
    """Look through, export, delete and back up kept cases."""
    context.obj = Desk(database, lang)
