"""The one door to the case history for the faces. Every method returns a future.

From sync code: `book.find(target).result()`; in asyncio: `await asyncio.wrap_future(book.find(target))`.
A future raises StoreError where the file cannot be used (its `remedy` names words for the operator; the face goes on
answering without a case) and NoSuchCaseError where the scope holds no such case.
"""

import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from bot.cases import backup, deletion, importing, moving, people, progress, recording
from bot.cases.deletion import Policy, Purged
from bot.cases.model import (
    FullCase,
    NewAnswer,
    NewCase,
    NewStep,
    Note,
    Recorded,
    Revision,
    Scope,
    State,
    Target,
    Verdict,
    stamp,
)
from bot.cases.people import GuildSettings
from bot.cases.reading import CaseReader
from bot.cases.shards import Shards
from bot.cases.store import Store

if TYPE_CHECKING:
    from concurrent.futures import Future

    from bot.cases.importing import Imported
    from bot.cases.moving import Moved
    from bot.cases.progress import Answered


class CaseBook(CaseReader):
    """All that can be done with cases. `clock` gives aware moments; tests hand in their own."""

    def __init__(self, store: Store, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        super().__init__(store)
        self._clock = clock

    def _now(self) -> str:
        return stamp(self._clock())

    def probe(self) -> "Future[None]":
        """Try whether the file can be written."""
        return self.store.write(lambda _: None)

    # Cases coming in

    def record(self, new: NewCase) -> "Future[Recorded]":
        """Store a case; the future is set when it is on the disk. Send the answer only after that."""
        at = self._now()
        return self.store.write(lambda db: recording.record(db, new, at))

    def revise(self, target: Target, revision: Revision) -> "Future[bool]":
        """Replace a case's content after an edit or a further message. False for a replayed message."""
        at = self._now()
        return self.store.write(lambda db: recording.revise(db, target, revision, at))

    def attach_reply(self, target: Target, channel: int, message: int) -> "Future[None]":
        """Remember the message that answered a case."""
        return self.store.write(lambda db: recording.attach_reply(db, target, channel, message))

    # A case on its way

    def answer(self, target: Target, new: NewAnswer) -> "Future[Answered]":
        """Note what became of the steps offered last and offer the next; of two answers one counts."""
        at = self._now()
        return self.store.write(lambda db: progress.answer(db, target, new, at))

    def offer(self, target: Target, steps: Sequence[NewStep]) -> "Future[FullCase]":
        """Offer further steps as a round of their own."""
        at = self._now()
        return self.store.write(lambda db: progress.offer(db, target, steps, at))

    def set_state(self, target: Target, state: State) -> "Future[FullCase]":
        """Close, reopen (`open`), or mark as works or failed."""
        at = self._now()
        return self.store.write(lambda db: progress.set_state(db, target, state, at))

    def assign(self, target: Target, moderator: int | None) -> "Future[FullCase]":
        """Give a case to a moderator, or to nobody."""
        at = self._now()
        return self.store.write(lambda db: progress.assign(db, target, moderator, at))

    def note(self, target: Target, author: int | None, text: str, verdict: Verdict | None = None) -> "Future[FullCase]":
        """Add a moderator's note or, with `verdict`, a judgement and its reason."""
        new = Note(author, self._now(), verdict, text)
        return self.store.write(lambda db: progress.note(db, target, new))

    # Deleting: each future is set once what was deleted is gone from the file

    def delete(self, target: Target) -> "Future[FullCase]":
        """Delete a case; returns what it was."""
        return self.store.write(lambda db: deletion.delete(db, target), scrubbing="soon")

    def forget_messages(self, scope: Scope, messages: Sequence[int]) -> "Future[list[FullCase]]":
        """Deleted messages take their text with them; returns the cases they were pasted for, as they were."""
        return self.store.write(lambda db: deletion.forget_messages(db, scope, messages), scrubbing="soon")

    def forget_user(self, user: int) -> "Future[int]":
        """Delete a person's cases and settings everywhere. Returns how many cases."""
        return self.store.write(lambda db: deletion.forget_user(db, user), scrubbing="soon")

    def forget_guild(self, guild: int) -> "Future[int]":
        """Delete everything of a server now, without grace. Returns how many cases."""
        return self.store.write(lambda db: deletion.forget_guild(db, guild), scrubbing="soon")

    def opt_out(self, user: int, *, out: bool) -> "Future[None]":
        """Store no text of this person any more (and delete what is stored), or store it again."""
        return self.store.write(lambda db: deletion.opt_out(db, user, out=out), scrubbing="soon")

    def purge(self, policy: Policy) -> "Future[Purged]":
        """Do what retention asks. The bot does it once a day."""
        moment = self._clock()
        return self.store.write(lambda db: deletion.purge(db, policy, moment), scrubbing="thorough")

    # People and servers

    def set_language(self, user: int, language: str | None) -> "Future[None]":
        """Set a person's language; None goes by circumstances again."""
        return self.store.write(lambda db: people.set_language(db, user, language))

    def set_guild_settings(self, guild: int, settings: GuildSettings) -> "Future[None]":
        """Replace a server's settings."""
        return self.store.write(lambda db: people.set_guild_settings(db, guild, settings))

    def guild_left(self, guild: int) -> "Future[None]":
        """The bot was removed from a server: its grace period begins."""
        at = self._now()
        return self.store.write(lambda db: people.guild_left(db, guild, at))

    def guild_joined(self, guild: int) -> "Future[None]":
        """The bot is in a server (again): its data stays."""
        return self.store.write(lambda db: people.guilds_joined(db, [guild]))

    def guilds_seen(self, guilds: Sequence[int], shards: Shards) -> "Future[None]":
        """The bot is in these servers of its shards and no others, in one go: it may have been removed unseen."""
        at = self._now()
        return self.store.write(lambda db: people.guilds_seen(db, guilds, shards, at))

    def remember(self, key: str, value: str) -> "Future[None]":
        """Remember a small value across restarts, such as a hash; not for anything about a person."""
        return self.store.write(lambda db: people.remember(db, key, value))

    # Out and in

    def import_(self, text: str, *, again: bool = False) -> "Future[Imported]":
        """Take in cases that `export` wrote. Raises ImportRefusedError where the text is no such file."""
        return self.store.write(lambda db: importing.take_in(db, text, again=again))

    def backup(self, path: Path) -> "Future[Path]":
        """Write a checked copy of the file, while others read and write, with nothing deleted left in it."""
        scrubbed = self.store.write(lambda _: None, scrubbing="thorough")

        def copy(connection: sqlite3.Connection) -> Path:
            scrubbed.result()
            return backup.write(connection, path)

        return self.store.read(copy)

    def move_out(self, path: Path, guilds: Sequence[int]) -> "Future[int]":
        """Write servers to a new file, whole and on the disk. Returns how many cases. Raises OSError."""
        return self.store.read(lambda connection: moving.write(connection, guilds, path))

    def move_in(self, path: Path) -> "Future[Moved]":
        """Take in servers that `move_out` wrote. Raises ImportRefusedError, OSError."""
        return self.store.write(lambda db: moving.take_in(db, path))

    def close(self) -> None:
        """Finish what is under way and let go of the file."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
