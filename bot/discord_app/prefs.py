"""What people and servers have set, kept at hand: a line of talk must not cost a look into the database."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from bot.cases.book import CaseBook
from bot.cases.errors import StoreError
from bot.cases.people import GuildSettings, UserSettings

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
# Another process on the same file may change a person's settings; a server's are changed by the process that serves it.
USER_S, GUILD_S = 60.0, 3600.0
_AT_MOST = 20_000


class _Kept(Generic[T]):
    def __init__(self, seconds: float, default: T, load: Callable[[int], "Future[T]"]) -> None:
        self.seconds, self.default, self.load = seconds, default, load
        self.values: dict[int, tuple[float, T]] = {}

    def at_hand(self, key: int) -> T | None:
        """The value, if it is known and not too old."""
        found = self.values.get(key)
        return found[1] if found is not None and found[0] > time.monotonic() else None

    async def get(self, key: int) -> T:
        """The value; the default while the case history cannot be read."""
        found = self.at_hand(key)
        if found is not None:
            return found
        try:
            loaded = await asyncio.wrap_future(self.load(key))
        except StoreError:
            return self.default
        return self.put(key, loaded)

    def put(self, key: int, value: T) -> T:
        if len(self.values) >= _AT_MOST:
            self.values.clear()
        self.values[key] = (time.monotonic() + self.seconds, value)
        return value


class Preferences:
    """Read and change settings of people and servers."""

    def __init__(self, book: CaseBook) -> None:
        self.book = book
        self._users: _Kept[UserSettings] = _Kept(USER_S, UserSettings(), book.user_settings)
        self._guilds: _Kept[GuildSettings] = _Kept(GUILD_S, GuildSettings(), book.guild_settings)

    def guild_at_hand(self, guild: int) -> GuildSettings | None:
        """A server's settings if they have been read already."""
        return self._guilds.at_hand(guild)

    def guild(self, guild: int) -> Awaitable[GuildSettings]:
        """A server's settings."""
        return self._guilds.get(guild)

    def user(self, user: int) -> Awaitable[UserSettings]:
        """A person's settings."""
        return self._users.get(user)

    async def set_guild(self, guild: int, settings: GuildSettings) -> None:
        """Replace a server's settings. Raises StoreError."""
        await asyncio.wrap_future(self.book.set_guild_settings(guild, settings))
        self._guilds.put(guild, settings)

    async def set_language(self, user: int, language: str | None) -> None:
        """Set a person's language. Raises StoreError."""
        await asyncio.wrap_future(self.book.set_language(user, language))
        self.forget_user(user)

    async def opt_out(self, user: int, *, out: bool) -> None:
        """Store no text of a person, or store it again. Raises StoreError."""
        await asyncio.wrap_future(self.book.opt_out(user, out=out))
        self.forget_user(user)

    def forget_user(self, user: int) -> None:
        """Read a person's settings anew next time."""
        self._users.values.pop(user, None)

    def forget_guild(self, guild: int) -> None:
        """Read a server's settings anew next time."""
        self._guilds.values.pop(guild, None)
