"""`oom-medic cases delete | purge | privacy`."""

import click

from bot.cases.book import CaseBook
from bot.cases.deletion import Policy
from bot.cases.model import NO_GUILD, Scope
from bot.cases.privacy import Facts, privacy_text
from bot.cli.cases.desk import NUMBER, Desk


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID…]")
@click.option(
    "--guild", type=NUMBER, metavar="ID", help="Everything of this Discord server, settings and counters too."
)
@click.option("--user", type=NUMBER, metavar="ID", help="Everything of this Discord user.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def delete(desk: Desk, ids: tuple[str, ...], guild: int | None, user: int | None, yes: bool) -> None:
    """Delete cases for good.

    From the file, the search index and later backups.
    """
    if sum((bool(ids), guild is not None, user is not None)) != 1 or guild == NO_GUILD:
        raise desk.refused("errors.what_to_delete")
    with desk.book() as book:
        count = _count(book, ids, guild, user)
        if not yes:
            click.confirm(desk.words.text("cases.confirm", count=count), abort=True)
        if guild is not None:
            book.forget_guild(guild).result()
        elif user is not None:
            book.forget_user(user).result()
        else:
            for deletion in [book.delete(Scope.operator().of(case_id)) for case_id in dict.fromkeys(ids)]:
                deletion.result()
    desk.say("done.deleted", count=count)


def _count(book: CaseBook, ids: tuple[str, ...], guild: int | None, user: int | None) -> int:
    """How many cases it is about. Raises NoSuchCaseError, before anything is deleted."""
    if ids:
        return len({book.find(Scope.operator().of(case_id)).result().case.id for case_id in ids})
    return book.stats(Scope(guild, user)).result().live


@click.command()
@click.option("--days", type=click.IntRange(1), help="Instead of OOM_MEDIC_RETENTION_DAYS, where no server says else.")
@click.pass_obj
def purge(desk: Desk, days: int | None) -> None:
    """Delete what retention asks to delete. The running bot does it every day."""
    with desk.book() as book:
        done = book.purge(policy_of(desk, days)).result()
    desk.say("done.purged", cases=done.cases, guilds=done.guilds, unanswered=done.unanswered)


@click.command()
@click.pass_obj
def privacy(desk: Desk) -> None:
    """Print the privacy text that the settings in force amount to."""
    click.echo(privacy_text(Facts(policy_of(desk, None)), desk.words))


def policy_of(desk: Desk, days: int | None) -> Policy:
    """The periods in force."""
    settings = desk.settings
    return Policy(days or settings.retention_days, settings.grace_days, settings.no_answer_days)
