"""`/cases`: the history of a server's cases, for its moderators alone.

Each command sees the server it is used in and nothing else: the scope is made from the interaction, never from what
somebody typed, so an id of another server's case is as unknown as one that never was.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.cases import render
from bot.cases.errors import NoSuchCaseError
from bot.cases.listing import Filters
from bot.cases.model import NO_GUILD, STATES, VERDICTS, Case, FullCase, Scope
from bot.discord_app.casework.history import as_the_case
from bot.discord_app.casework.outbox import Outbox
from bot.discord_app.casework.replies import fill_in, plain
from bot.discord_app.casework.shown import TextGoneError
from bot.discord_app.commands import cases_list
from bot.discord_app.commands.case_details import case_details
from bot.discord_app.commands.cases_numbers import add_numbers
from bot.discord_app.parts import Parts
from bot.discord_app.people import home, is_moderator, languages_of
from bot.discord_app.translator import Words
from bot.discord_app.trouble import NotHereError
from bot.discord_app.workers.jobs import EngineError
from bot.intake.text.redact import Redactor
from bot.knowledge.locale import Locale
from bot.knowledge.schema import FAQ_ORDER

if TYPE_CHECKING:
    from concurrent.futures import Future

Interaction = discord.Interaction[Any]
CHOICES = 25
DONE = {"close": "closed", "reopen": "reopened"}
Id = app_commands.Range[str, 3, 12]


def group(parts: Parts, words: Words, outbox: Outbox) -> Any:
    """The command group. Discord cannot hide it by a role that a server configured, so every command checks."""
    made = app_commands.Group(
        name=words("cases.name"),
        description=words("cases.description"),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
    )
    desk = Moderation(parts, words, made, outbox)
    desk.add_reading()
    add_numbers(desk.command, desk.begin, parts.book)
    desk.add_words()
    desk.add_states()
    return made


class Moderation:
    """Makes the commands of the group."""

    def __init__(self, parts: Parts, words: Words, made: app_commands.Group, outbox: Outbox) -> None:
        self.outbox = outbox
        self.parts, self.words, self.group, self.book = parts, words, made, parts.book
        self.names, self.about = words.options(
            "cases", "case", "state", "family", "lever", "language", "user", "since", "words", "note", "verdict",
            "reason", "form", "confirm", "assigned",
        )  # fmt: skip

    def command(self, name: str, *options: str) -> Callable[[Any], Any]:
        """Declare a command of the group with its words."""

        def declare(callback: Any) -> Any:
            callback = app_commands.rename(**{one: self.names[one] for one in options})(callback)
            callback = app_commands.describe(**{one: self.about[one] for one in options})(callback)
            made: Any = self.group.command(
                name=self.words(f"cases.{name}.name"), description=self.words(f"cases.{name}.description")
            )(callback)
            if "case" in options:
                made.autocomplete("case")(self._suggest)
            return made

        return declare

    async def begin(self, interaction: Interaction) -> tuple[Scope, Locale]:
        """Check who asks, acknowledge, and give the server's scope. Raises CheckFailure."""
        guild = home(interaction)
        if guild == NO_GUILD or not is_moderator(interaction, await self.parts.prefs.guild(guild)):
            raise app_commands.CheckFailure("not a moderator")
        await interaction.response.defer(ephemeral=True, thinking=True)
        return Scope.server(guild), self.parts.speech.say(await languages_of(interaction, self.parts.prefs))

    async def _suggest(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        guild = home(interaction)
        if guild == NO_GUILD or not is_moderator(interaction, await self.parts.prefs.guild(guild)):
            return []
        locale = self.parts.speech.say(await languages_of(interaction, self.parts.prefs))
        page = await asyncio.wrap_future(self.book.listed(Scope.server(guild), Filters(), size=200))
        wanted = typed.strip().lstrip("#").upper()
        fitting: Sequence[Case] = [case for case in page.cases if case.id.startswith(wanted)][:CHOICES]
        if not fitting:
            # An older case by its whole id, or any by words of its texts and notes.
            found = self.book.listed(Scope.server(guild), Filters(words=typed), size=CHOICES)
            fitting = (await asyncio.wrap_future(found)).cases
        return [Choice(name=render.case_line(case, locale)[:100], value=case.id) for case in fitting]

    async def _shown(self, interaction: Interaction, full: FullCase, locale: Locale, done: str = "") -> None:
        await fill_in(interaction, case_details(full, locale, done))

    # --- reading

    def add_reading(self) -> None:
        """`list`, `search`, `show`."""
        families = [
            Choice(name=name[:100], value=name) for name in list(self.parts.knowledge.families.families)[:CHOICES]
        ]
        tags = [Choice(name=tag, value=tag) for tag in self.parts.speech.tags]

        @app_commands.choices(
            state=self.words.choices("state", *STATES),
            language=tags,
            lever=[Choice(name=lever, value=lever) for lever in FAQ_ORDER],
        )
        async def listed(  # noqa: PLR0913, PLR0917 one parameter an option
            interaction: Interaction,
            state: Choice[str] | None = None,
            family: app_commands.Range[str, 1, 30] | None = None,
            lever: Choice[str] | None = None,
            language: Choice[str] | None = None,
            user: discord.User | None = None,
            since: cases_list.Since | None = None,
            assigned: discord.User | None = None,
        ) -> None:
            _, locale = await self.begin(interaction)
            wanted = cases_list.Wanted(
                state=state.value if state else "",
                family=family or "",
                lever=lever.value if lever else "",
                language=language.value if language else "",
                user=user.id if user else 0,
                since=since or "",
                assigned=assigned.id if assigned else 0,
            )
            await cases_list.show(self.parts, interaction, wanted, locale)

        options = ("state", "family", "lever", "language", "user", "since", "assigned")
        command: app_commands.Command[Any, ..., None] = self.command("list", *options)(listed)

        @command.autocomplete("family")
        async def suggest_family(_interaction: Interaction, typed: str) -> list[Choice[str]]:
            return [choice for choice in families if typed.casefold() in choice.value][:CHOICES]

        @self.command("search", "words")
        async def search(interaction: Interaction, words: app_commands.Range[str, 2, 60]) -> None:
            _, locale = await self.begin(interaction)
            await cases_list.show(self.parts, interaction, cases_list.Wanted(words=words), locale)

        @self.command("show", "case")
        async def show(interaction: Interaction, case: Id) -> None:
            scope, locale = await self.begin(interaction)
            await self._shown(interaction, await _found(self.book.find(scope.of(case))), locale)

    # --- judging

    def _redacted(self, text: str) -> str:
        """A moderator may quote a paste: only redacted text is stored."""
        return Redactor(self.parts.knowledge).redact(0, text)[0]

    def add_words(self) -> None:
        """`note`, `verdict`."""

        @self.command("note", "case", "note")
        async def note(interaction: Interaction, case: Id, note: app_commands.Range[str, 1, 1000]) -> None:
            scope, locale = await self.begin(interaction)
            full = await _found(self.book.note(scope.of(case), interaction.user.id, self._redacted(note)))
            await self._shown(interaction, full, locale, locale.text("discord.moderation.noted"))

        @app_commands.choices(verdict=self.words.choices("verdict", *VERDICTS))
        async def verdict(
            interaction: Interaction, case: Id, verdict: Choice[str], reason: app_commands.Range[str, 1, 1000]
        ) -> None:
            scope, locale = await self.begin(interaction)
            judged = next(one for one in VERDICTS if one == verdict.value)
            new = self.book.note(scope.of(case), interaction.user.id, self._redacted(reason), judged)
            full = await _found(new)
            await self._shown(interaction, full, locale, locale.text("discord.moderation.judged"))

        self.command("verdict", "case", "verdict", "reason")(verdict)

    def add_states(self) -> None:
        """`close`, `reopen`, `assign`, `delete`."""
        self._state("close", lambda scope, case: _found(self.book.set_state(scope.of(case), "closed")))
        self._state("reopen", lambda scope, case: _found(self.book.set_state(scope.of(case), "open")))

        @self.command("assign", "case", "user")
        async def assign(interaction: Interaction, case: Id, user: discord.User | None = None) -> None:
            scope, locale = await self.begin(interaction)
            full = await _found(self.book.assign(scope.of(case), user.id if user else None))
            done = "assigned" if user else "unassigned"
            await self._shown(interaction, full, locale, locale.text(f"discord.moderation.{done}"))

        @self.command("delete", "case", "confirm")
        async def delete(interaction: Interaction, case: Id, confirm: bool) -> None:
            scope, locale = await self.begin(interaction)
            if not confirm:
                await fill_in(interaction, plain(locale.text("discord.not_confirmed")))
                return
            full = await _found(self.book.delete(scope.of(case)))
            self.parts.desk.originals.drop(full.case.id)
            self.parts.open_cases.drop(full.case.id)
            await self.outbox.remove(full)
            await fill_in(interaction, plain(locale.text("discord.moderation.deleted", case=full.case.id)))

    def _state(self, name: str, change: Callable[[Scope, str], Awaitable[FullCase]]) -> None:
        @self.command(name, "case")
        async def set_state(interaction: Interaction, case: Id) -> None:
            scope, locale = await self.begin(interaction)
            full = await change(scope, case)
            await self._shown(interaction, full, locale, locale.text(f"discord.moderation.{DONE[name]}"))
            await self._follow(full)

    async def _follow(self, full: FullCase) -> None:
        """Let the public reply show how the case stands."""
        with contextlib.suppress(TextGoneError, EngineError):
            await self.outbox.update(full, await self.parts.desk.current(full, as_the_case(full)))


async def _found(future: "Future[FullCase]") -> FullCase:
    """The case that a moderator named. Raises NotHereError where it is none of their server's, whatever else it is."""
    try:
        return await asyncio.wrap_future(future)
    except NoSuchCaseError as error:
        raise NotHereError(*error.args) from error
