"""`oom-medic cases export | import | backup`."""

from pathlib import Path
from typing import Any

import click

from bot.cases import exporting, returned
from bot.cases.book import CaseBook
from bot.cases.exporting import Form
from bot.cases.listing import Filters
from bot.cases.model import Scope
from bot.cli.cases.desk import Desk, filter_options, filters_of, writing


@click.command()
@filter_options
@click.option("--format", "form", type=click.Choice(("json", "csv")), default="json", help="All of it, or a table.")
@click.option("--as-test", "case_id", metavar="ID", help="Write this case as a test, with invented names.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="A file; with --as-test a folder (default: tests/rules).",
)
@click.pass_obj
def export(desk: Desk, /, form: Form, case_id: str | None, out: Path | None, **options: Any) -> None:
    """Write cases out, or one case as a test of its rule.

    To standard output, or to a file.
    """
    if case_id is not None:
        _as_test(desk, case_id, out or Path("tests/rules"))
        return
    scope, filters = filters_of(desk, options)
    with desk.book() as book:
        if out is None:
            _write(book, scope, filters, form)
            return
        with writing(out), out.open("x", encoding="utf-8", newline="") as file:
            out.chmod(0o600)
            _write(book, scope, filters, form, file)
    desk.say("done.written", path=str(out))


def _write(book: CaseBook, scope: Scope, filters: Filters, form: Form, file: Any = None) -> None:
    """Piece by piece, so that the whole history need not fit into memory."""

    def write(connection: Any) -> None:
        for piece in exporting.written(connection, scope, filters, form):
            click.echo(piece, file=file, nl=False)

    book.store.read(write).result()


def _as_test(desk: Desk, case_id: str, folder: Path) -> None:
    with desk.book() as book:
        found = book.find(Scope.operator().of(case_id)).result()
        for path in returned.write(found, desk.knowledge, folder):
            desk.say("done.written", path=str(path))


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--again", is_flag=True, help="Take in cases, too, that were deleted here before.")
@click.pass_obj
def import_(desk: Desk, file: Path, again: bool) -> None:
    """Take in cases that `export` wrote as JSON."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise desk.refused("errors.unreadable", path=str(file), reason=reason) from error
    with desk.book(create=True) as book:
        made = book.import_(text, again=again).result()
    desk.say("done.imported", taken=made.taken, present=made.present, deleted=made.deleted)


@click.command()
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False))
@click.pass_obj
def backup(desk: Desk, path: Path) -> None:
    """Write a checked copy of the case file to PATH.

    Also while the bot runs. Restore it by copying it back.
    """
    with desk.book() as book:
        book.backup(path).result()
    desk.say("done.backup", path=str(path))
