"""`oom-medic cases`: the case history in a terminal, on the same file as the bot, also while it runs."""

from pathlib import Path

import click

from bot.cases.cli_shared import Desk
from bot.cli.group import LazyGroup
from bot.cli.operating import config_option
from bot.cli.options import language_option

COMMANDS = {
    "list": "bot.cases.cli_read:list_",
    "search": "bot.cases.cli_read:search",
    "show": "bot.cases.cli_read:show",
    "stats": "bot.cases.cli_read:stats",
    "report": "bot.cases.cli_read:report",
    "export": "bot.cases.cli_files:export",
    "import": "bot.cases.cli_files:import_",
    "backup": "bot.cases.cli_files:backup",
    "move": "bot.cases.cli_move:move",
    "delete": "bot.cases.cli_delete:delete",
    "purge": "bot.cases.cli_delete:purge",
    "privacy": "bot.cases.cli_delete:privacy",
    "browse": "bot.cases.cli_browse:browse",
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
    """Look through, export, delete and back up the cases that the bot has kept."""
    context.obj = Desk(database, lang)
