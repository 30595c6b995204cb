"""`oom-medic cases move out | in`: servers that another host serves from now on."""

from pathlib import Path

import click

from bot.cases.shards import Shards
from bot.cli.cases.desk import NUMBER, Desk


def _shards(_context: click.Context, _parameter: click.Parameter, text: str | None) -> Shards | None:
    try:
        return None if text is None else Shards.parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.group()
def move() -> None:
    """Move servers to another host, with all that is kept of them. Stop the bot on both hosts first."""


@move.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--keep", callback=_shards, metavar="FROM-TO/COUNT", help="The shards of this host; all other servers leave."
)
@click.option("--guild", "guilds", type=NUMBER, multiple=True, metavar="ID", help="Or these servers leave.")
@click.option("--delete", is_flag=True, help="Delete here what was written, once it is on the disk.")
@click.pass_obj
def out(desk: Desk, file: Path, keep: Shards | None, guilds: tuple[int, ...], delete: bool) -> None:
    """Write the servers that leave to FILE."""
    if (keep is None) is not bool(guilds):
        raise desk.refused("errors.what_to_move")
    with desk.book() as book:
        wanted = list(guilds) if keep is None else book.leaving(keep).result()
        written = book.move_out(file, wanted).result()
        if delete:
            for guild in wanted:
                book.forget_guild(guild).result()
    desk.say("done.moved_out", servers=len(wanted), count=written, path=str(file))


@move.command("in")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.pass_obj
def in_(desk: Desk, file: Path) -> None:
    """Take in the servers that `move out` wrote on another host."""
    if not file.is_file():
        raise desk.refused("errors.unreadable", path=str(file), reason="there is no such file")
    with desk.book(create=True) as book:
        done = book.move_in(file).result()
    desk.say("done.moved_in", servers=done.servers, count=done.taken, present=done.present)
