"""`oom-medic cases list | search | show | stats | report`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from bot.cases import chart, render
from bot.cases.exporting import entry
from bot.cases.listing import Filters
from bot.cases.model import Scope, stamp
from bot.cli.cases.desk import NUMBER, Desk, filter_options, filters_of, guild_option, scope_of, since_option, writing

form_option = click.option("--format", "form", type=click.Choice(("text", "json")), default="text", help="Shape.")
size_option = click.option("--limit", type=click.IntRange(1, 1000), default=20, help="Cases a page.")
after_option = click.option("--after", type=NUMBER, metavar="N", help="Go on after the page before, as it said.")


@click.command("list")
@filter_options
@size_option
@after_option
@form_option
@click.pass_obj
def list_(desk: Desk, /, limit: int, after: int | None, form: str, **options: Any) -> None:
    """List cases, newest first."""
    scope, filters = filters_of(desk, options)
    _page(desk, scope, filters, (limit, after, form))


@click.command()
@click.argument("words", nargs=-1, required=True)
@filter_options
@size_option
@after_option
@form_option
@click.pass_obj
def search(desk: Desk, /, words: tuple[str, ...], limit: int, after: int | None, form: str, **options: Any) -> None:
    """Find cases by words in texts and notes, or by id.

    Every word must occur; `-word` must not; `word*` is a beginning. Put `--` before words that begin with a dash.
    """
    scope, filters = filters_of(desk, options, " ".join(words))
    _page(desk, scope, filters, (limit, after, form))


@click.command()
@click.argument("case_id", metavar="ID")
@form_option
@click.pass_obj
def show(desk: Desk, case_id: str, form: str) -> None:
    """Show everything about a case."""
    with desk.book() as book:
        found = book.find(Scope.operator().of(case_id)).result()
    if form == "json":
        click.echo(json.dumps(entry(found), ensure_ascii=False, indent=2))
    else:
        click.echo(render.case_text(found, desk.words))


@click.command()
@guild_option
@since_option
@form_option
@click.option("--chart", "picture", type=click.Path(path_type=Path), metavar="PNG", help="Write a chart as well.")
@click.pass_obj
def stats(desk: Desk, guild: int | None, since: str | None, form: str, picture: Path | None) -> None:
    """Count cases by kind, and how often each lever helped."""
    if picture is not None and not chart.is_available():
        raise desk.refused("errors.no_charts")
    with desk.book() as book:
        found = book.stats(scope_of(guild), desk.since(since)).result()
    if form == "json":
        click.echo(json.dumps(asdict(found), ensure_ascii=False, indent=2))
    else:
        click.echo(render.stats_text(found, desk.words))
    if picture is not None:
        with desk.refusing(), writing(picture):
            picture.write_bytes(chart.png(found, desk.words))
        desk.say("done.chart", path=str(picture))


@click.command()
@guild_option
@since_option
@click.option("--limit", type=click.IntRange(1, 1000), default=20, help="Unexplained pastes to list.")
@click.pass_obj
def report(desk: Desk, guild: int | None, since: str | None, limit: int) -> None:
    """List rules by measured success, and unexplained pastes."""
    scope, start = scope_of(guild), desk.since(since)
    with desk.book() as book:
        found = book.stats(scope, start).result()
        unexplained = book.listed(
            scope, Filters(since=None if start is None else stamp(start), unexplained=True), size=limit
        ).result()
    click.echo(render.report_text(found, unexplained.cases, desk.words))


def _page(desk: Desk, scope: Scope, filters: Filters, shape: tuple[int, int | None, str]) -> None:
    limit, after, form = shape
    with desk.book() as book:
        page = book.listed(scope, filters, after=after, size=limit).result()
    if form == "json":
        rows = [asdict(case) for case in page.cases]
        click.echo(json.dumps({"cases": rows, "after": page.after}, ensure_ascii=False, indent=2))
        return
    for case in page.cases:
        click.echo(render.case_line(case, desk.words))
    if not page.cases:
        desk.say("list.empty")
    if page.after is not None:
        desk.say("list.more", after=page.after)
