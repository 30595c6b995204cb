"""What people and servers have set, and what the bot itself remembers across restarts."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from sqlite_utils import Database

from bot.cases.model import NO_GUILD
from bot.cases.shards import Shards


class GuildSettings(BaseModel):
    """What those who manage a server have set; ids are Discord's. None: the default, or nothing set."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    channels: tuple[int, ...] = Field(default=(), description="Channels and forums in which pastes are answered.")
    language: str | None = Field(default=None, description="Tag of the language of public replies.")
    style: Literal["public", "thread", "mention"] = Field(default="public", description="How a paste is answered.")
    moderator_role: int | None = Field(default=None, description="Role that may see the server's cases.")
    solved_tags: dict[int, int] = Field(default_factory=dict, description="Forum id -> id of its solved tag.")
    retention_days: int | None = Field(default=None, ge=1, le=3650, description="Days until a case is deleted.")


@dataclass(frozen=True, slots=True)
class UserSettings:
    """What a person has set: the tag of their language, and whether no text of theirs may be stored."""

    language: str | None = None
    opted_out: bool = False


@dataclass(frozen=True, slots=True)
class OwnNote:
    """A note that a person wrote on somebody's case."""

    case: str
    at: str
    verdict: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Moderated:
    """What is held on a person as a moderator: notes of theirs, and ids of the cases they were given."""

    notes: tuple[OwnNote, ...] = ()
    assigned: tuple[str, ...] = ()


def moderated(connection: sqlite3.Connection, user: int) -> Moderated:
    """What a person did as a moderator, wherever it was; each in the order it was done."""
    notes = connection.execute(
        "SELECT cases.id, at, notes.verdict, text FROM notes JOIN cases USING (seq) WHERE author = ? ORDER BY notes.id",
        [user],
    )
    assigned = connection.execute("SELECT id FROM cases WHERE assigned = ? ORDER BY seq", [user])
    return Moderated(tuple(OwnNote(*row) for row in notes), tuple(case_id for (case_id,) in assigned))


def guild_settings(connection: sqlite3.Connection, guild: int) -> GuildSettings:
    """A server's settings; the defaults where it has none."""
    found = connection.execute("SELECT settings FROM guilds WHERE guild = ?", [guild]).fetchone()
    return GuildSettings() if found is None else GuildSettings.model_validate(json.loads(found[0]))


def set_guild_settings(db: Database, guild: int, settings: GuildSettings) -> None:
    """Replace a server's settings."""
    db.execute(
        "INSERT INTO guilds (guild, settings) VALUES (?, ?) ON CONFLICT DO UPDATE SET settings = excluded.settings",
        [guild, settings.model_dump_json()],
    )


def guild_left(db: Database, guild: int, at: str) -> None:
    """The bot was removed from a server: the grace period begins, unless it has begun."""
    db.execute(
        "INSERT INTO guilds (guild, left_at) VALUES (?, ?)"
        " ON CONFLICT DO UPDATE SET left_at = coalesce(left_at, excluded.left_at)",
        [guild, at],
    )


def guilds_joined(db: Database, guilds: Iterable[int]) -> None:
    """The bot is (again) in these servers: nothing is deleted."""
    db.conn.executemany(
        "UPDATE guilds SET left_at = NULL WHERE guild = ? AND left_at IS NOT NULL", ([guild] for guild in guilds)
    )


def servers(connection: sqlite3.Connection) -> set[int]:
    """Every server that anything is kept of; 0 stands for what was asked outside servers."""
    found = connection.execute(
        "SELECT guild FROM cases UNION SELECT guild FROM guilds UNION SELECT guild FROM counted_cases"
        " UNION SELECT guild FROM counted_steps"
    )
    return {guild for (guild,) in found}


def guilds_seen(db: Database, here: Iterable[int], shards: Shards, at: str) -> None:
    """These are all the servers of the shards that the bot is in; it was removed from any other, maybe unseen."""
    present = set(here)
    guilds_joined(db, present)
    for guild in servers(db.conn) - present - {NO_GUILD}:
        if shards.serve(guild):
            guild_left(db, guild, at)


def user_settings(connection: sqlite3.Connection, user: int) -> UserSettings:
    """A person's settings; the defaults where they have none."""
    found = connection.execute("SELECT language, opted_out FROM users WHERE user = ?", [user]).fetchone()
    return UserSettings() if found is None else UserSettings(found[0], bool(found[1]))


def set_language(db: Database, user: int, language: str | None) -> None:
    """Set a person's language, or None to go by circumstances again."""
    db.execute(
        "INSERT INTO users (user, language) VALUES (?, ?) ON CONFLICT DO UPDATE SET language = excluded.language",
        [user, language],
    )


def recall(connection: sqlite3.Connection, key: str) -> str | None:
    """What the bot remembers under a key."""
    found = connection.execute("SELECT value FROM upkeep WHERE key = ?", [f"bot:{key}"]).fetchone()
    return None if found is None else str(found[0])


def remember(db: Database, key: str, value: str) -> None:
    """Remember a value under a key."""
    db.execute("INSERT OR REPLACE INTO upkeep (key, value) VALUES (?, ?)", [f"bot:{key}", value])
