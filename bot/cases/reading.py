"""What is read from the case history. Every method returns a future, set from a reading connection of its own."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from bot.cases import exporting, finding, listing, moving, people, stats
from bot.cases.exporting import Form
from bot.cases.listing import EVERYTHING, PAGE, Filters, Page
from bot.cases.model import Case, FullCase, NewDocument, Scope, Target, stamp
from bot.cases.shards import Shards
from bot.cases.store import Health, Store
from bot.cases.texts import fingerprint

if TYPE_CHECKING:
    from concurrent.futures import Future

    from bot.cases.people import GuildSettings, Moderated, UserSettings
    from bot.cases.stats import Stats


class CaseReader:
    """The half of `book.CaseBook` that changes nothing. It sees every write whose future is set."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def health(self) -> Health:
        """Whether the file can be used, as of the last write."""
        return self.store.health()

    def find(self, target: Target) -> "Future[FullCase]":
        """Everything about a case."""
        return self.store.read(lambda connection: finding.find(connection, target))

    def by_message(self, scope: Scope, message: int) -> "Future[FullCase | None]":
        """The case that a message belongs to, as a paste or as the reply."""
        return self.store.read(lambda connection: finding.by_message(connection, scope, message))

    def replies_to(self, user: int) -> "Future[list[tuple[int, int]]]":
        """The messages that answered a person, wherever it was: channel and id."""
        return self.store.read(lambda connection: finding.replies_to(connection, user))

    def pasted_in(self, scope: Scope, channel: int) -> "Future[list[FullCase]]":
        """The cases of which a paste stood in a channel, thread or forum post."""
        return self.store.read(lambda connection: finding.pasted_in(connection, scope, channel))

    def joinable(self, scope: Scope, channel: int, asker: int, since: datetime) -> "Future[Case | None]":
        """The open case that a further message of this person in this channel belongs to."""
        return self.store.read(lambda connection: finding.joinable(connection, scope, channel, asker, stamp(since)))

    def same_text(self, scope: Scope, documents: Sequence[NewDocument], since: datetime) -> "Future[Case | None]":
        """The latest case made of exactly these (redacted) texts since then."""
        digest = fingerprint(documents) or ""
        return self.store.read(lambda connection: finding.same_text(connection, scope, digest, stamp(since)))

    def unanswered(self, scope: Scope, since: datetime) -> "Future[list[Case]]":
        """Cases from messages since then to which no reply is tied."""
        return self.store.read(lambda connection: finding.unanswered(connection, scope, stamp(since)))

    def listed(
        self, scope: Scope, filters: Filters = EVERYTHING, *, after: int | None = None, size: int = PAGE
    ) -> "Future[Page]":
        """A page of cases, newest first; `after` is the page before's `after`. Search: `Filters(words=…)`."""
        return self.store.read(lambda connection: listing.listed(connection, scope, filters, after=after, size=size))

    def stats(self, scope: Scope, since: datetime | None = None) -> "Future[Stats]":
        """Numbers of cases, levers and rules."""
        start = None if since is None else stamp(since)
        return self.store.read(lambda connection: stats.stats(connection, scope, start))

    # What people and servers have set; what the bot remembers across restarts

    def user_settings(self, user: int) -> "Future[UserSettings]":
        """A person's settings, or the defaults."""
        return self.store.read(lambda connection: people.user_settings(connection, user))

    def moderated(self, user: int) -> "Future[Moderated]":
        """What is held on a person as a moderator."""
        return self.store.read(lambda connection: people.moderated(connection, user))

    def guild_settings(self, guild: int) -> "Future[GuildSettings]":
        """A server's settings, or the defaults."""
        return self.store.read(lambda connection: people.guild_settings(connection, guild))

    def recall(self, key: str) -> "Future[str | None]":
        """What was remembered under a key."""
        return self.store.read(lambda connection: people.recall(connection, key))

    # Out

    def export(self, scope: Scope, filters: Filters = EVERYTHING, form: Form = "json") -> "Future[str]":
        """The cases of a scope as a file's text: `json` is everything, `csv` one line a case."""
        return self.store.read(lambda connection: "".join(exporting.written(connection, scope, filters, form)))

    def export_user(self, user: int) -> "Future[str]":
        """All that is held on a person, as JSON."""
        return self.export(Scope.person(user))

    def leaving(self, stays: Shards) -> "Future[list[int]]":
        """The servers of this file that do not belong to these shards."""
        return self.store.read(lambda connection: moving.leaving(connection, stays))
