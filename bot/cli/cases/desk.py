"""What the commands of `oom-medic cases` share: the open book, the language, filters, and faults as one sentence."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from bot.cases.book import CaseBook
from bot.cases.errors import NoSuchCaseError, StoreError
from bot.cases.importing import ImportRefusedError
from bot.cases.listing import Filters
from bot.cases.model import STATES, VERDICTS, Scope, stamp
from bot.cases.returned import NoTextError
from bot.cases.since import moment
from bot.cases.store import Store
from bot.cli.language import pick_language
from bot.cli.operating import settings_in_force
from bot.cli.refuse import Refused
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import Locale
from bot.settings import Settings

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass
class Desk:
    """What a command works with: the settings in force, the words, and the book, opened when it is first used."""

    database: Path | None
    language: str

    @cached_property
    def settings(self) -> Settings:
        """The settings in force."""
        return settings_in_force()

    @cached_property
    def path(self) -> Path:
        """The case file."""
        return self.database or self.settings.database

    @cached_property
    def knowledge(self) -> Knowledge:
        """knowledge/, for the words."""
        return Knowledge()

    @cached_property
    def words(self) -> Locale:
        """The words of the language asked for."""
        return self.knowledge.locale(pick_language(self.language, self.knowledge))

    @contextmanager
    def book(self, *, create: bool = False) -> Iterator[CaseBook]:
        """The open case history. What goes wrong ends the command with one sentence and status 2."""
        with self.refusing(), CaseBook(Store(self.path, create=create).ready()) as book:
            yield book

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Turn the faults that a person can mend into their sentence."""
        try:
            yield
        except StoreError as error:
            raise self.refused(f"remedy.{error.remedy}", path=error.path, detail=error.detail) from error
        except NoSuchCaseError as error:
            raise self.refused("errors.no_case", id=str(error.args[0])) from error
        except NoTextError as error:
            raise self.refused("errors.no_text", id=str(error)) from error
        except ImportRefusedError as error:
            raise self.refused("errors.bad_import", reason=str(error)) from error
        except FileExistsError as error:
            raise self.refused("errors.exists", path=str(error.filename)) from error
        except OSError as error:
            raise self.refused("errors.cannot_write", path=str(error.filename), reason=error.strerror) from error

    def refused(self, key: str, **values: Any) -> Refused:
        """The exception that ends the command with words `cases.<key>`."""
        return Refused(self.words.text(f"cases.{key}", values), self.words)

    def say(self, key: str, **values: Any) -> None:
        """Print words `cases.<key>`."""
        click.echo(self.words.text(f"cases.{key}", values))

    def since(self, text: str | None) -> datetime | None:
        """The point in time that was given. Raises Refused."""
        if text is None:
            return None
        found = moment(text, datetime.now(UTC))
        if found is None:
            raise self.refused("errors.bad_since", value=text)
        return found


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """What cannot be finished is not left half written, and the fault names the file that was asked for."""
    try:
        yield
    except OSError as error:
        if not isinstance(error, FileExistsError):
            with suppress(OSError):
                path.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error


def scope_of(guild: int | None) -> Scope:
    """Whoever holds the file sees every case; `--guild` narrows it."""
    return Scope.operator() if guild is None else Scope(guild)


# Discord's ids and the rows they are kept in are whole numbers of 63 bits.
NUMBER: Final = click.IntRange(0, 2**63 - 1)
_FILTERS: Final = (
    click.option("--state", type=click.Choice(STATES), help="Only cases in this state."),
    click.option("--class", "problem_class", metavar="CLASS", help="Only this class of problem, such as vram_oom."),
    click.option("--family", metavar="SLUG", help="Only this model family."),
    click.option("--lever", metavar="LEVER", help="Only cases in which this lever was offered."),
    click.option("--language", "locale", metavar="TAG", help="Only cases answered in this language."),
    click.option("--user", "asker", type=NUMBER, metavar="ID", help="Only cases of this Discord user."),
    click.option("--verdict", type=click.Choice(VERDICTS), help="Only cases judged so."),
    click.option("--assigned", type=NUMBER, metavar="ID", help="Only cases given to this Discord user."),
)
guild_option = click.option(
    "--guild", type=NUMBER, metavar="ID", help="Only this Discord server; 0 is outside servers."
)
since_option = click.option("--since", metavar="TIME", help="Only from then on: 36h, 7d, 4w, or a day as 2026-07-04.")


def filter_options(command: Command) -> Command:
    """Add the options that narrow a list of cases."""
    for option in reversed((*_FILTERS, guild_option, since_option)):
        command = option(command)
    return command


def filters_of(desk: Desk, options: dict[str, Any], words: str | None = None) -> tuple[Scope, Filters]:
    """Scope and filters out of the options of `filter_options`."""
    start = desk.since(options.pop("since"))
    scope = scope_of(options.pop("guild"))
    return scope, Filters(**options, since=None if start is None else stamp(start), words=words)
