"""`oom-medic cases browse`."""

import sys

import click

from bot.cases import browse as datasette
from bot.cli.cases.desk import Desk


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8001, help="Port on this machine.")
@click.option("--open/--no-open", "opening", default=True, help="Open a browser.")
@click.pass_obj
def browse(desk: Desk, port: int, opening: bool) -> None:
    """Look through the cases in a browser, read-only.

    On this machine alone; needs the extra `browse`.
    """
    if not datasette.is_available():
        raise desk.refused("errors.no_browse")
    with desk.book():
        # Opening it once brings an older file to this version, and refuses one that cannot be read.
        pass
    # Datasette writes other names in a way of its own; its first page leads there too.
    name = desk.path.stem if desk.path.stem.isidentifier() else ""
    desk.say("done.browse", address=f"http://{datasette.HOST}:{port}/{name}")
    sys.exit(datasette.serve(desk.path, port, opening=opening))
