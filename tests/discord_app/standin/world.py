"""The people, servers, channels and messages of the stand-in, as Discord's own JSON objects."""

from dataclasses import dataclass, field

from standin.errors import UNKNOWN_CHANNEL, unknown

VIEW, SEND, EMBED, ATTACH, HISTORY = 1 << 10, 1 << 11, 1 << 14, 1 << 15, 1 << 16
MANAGE_GUILD, MANAGE_MESSAGES, MANAGE_THREADS, SEND_IN_THREADS, ADMIN = 1 << 5, 1 << 13, 1 << 34, 1 << 38, 1 << 3
CREATE_THREADS = 1 << 35
EVERYTHING = VIEW | SEND | EMBED | ATTACH | HISTORY | SEND_IN_THREADS | MANAGE_THREADS | CREATE_THREADS
TEXT, DM, PUBLIC_THREAD, FORUM = 0, 1, 11, 15
TOKEN = "bm90LWEtdG9rZW4.stand-in.only-for-tests"


@dataclass
class User:
    id: str
    name: str
    locale: str = "en-US"
    bot: bool = False

    def json(self):
        return {
            "id": self.id,
            "username": self.name,
            "global_name": self.name,
            "discriminator": "0",
            "avatar": None,
            "bot": self.bot,
        }


@dataclass
class Channel:
    id: str
    type: int
    name: str
    guild: "Guild | None" = None
    parent: "Channel | None" = None
    owner: User | None = None
    recipient: User | None = None
    deny: int = 0  # what the bot may not do here
    tags: list = field(default_factory=list)
    applied_tags: list = field(default_factory=list)
    archived: bool = False
    locked: bool = False
    messages: dict = field(default_factory=dict)

    def json(self):
        body = {
            "id": self.id,
            "type": self.type,
            "name": self.name,
            "position": 0,
            "permission_overwrites": [],
            "nsfw": False,
            "last_message_id": next(reversed(self.messages), None),
            "rate_limit_per_user": 0,
            "flags": 0,
        }
        if self.guild:
            body["guild_id"] = self.guild.id
        if self.deny and self.guild:
            body["permission_overwrites"] = [
                {"id": self.guild.bot_role, "type": 0, "allow": "0", "deny": str(self.deny)}
            ]
        if self.type == DM:
            return {"id": self.id, "type": DM, "recipients": [self.recipient.json()], "last_message_id": None}
        if self.type == FORUM:
            body["available_tags"] = [
                {"id": tag, "name": name, "moderated": False, "emoji_id": None, "emoji_name": None}
                for tag, name in self.tags
            ]
            body["default_reaction_emoji"] = None
        if self.parent:
            body |= {
                "parent_id": self.parent.id,
                "owner_id": self.owner.id,
                "applied_tags": self.applied_tags,
                "message_count": 0,
                "member_count": 1,
                "total_message_sent": 0,
                "thread_metadata": {
                    "archived": self.archived,
                    "auto_archive_duration": 1440,
                    "archive_timestamp": "2026-11-01T00:00:00+00:00",
                    "locked": self.locked,
                },
            }
        else:
            body["parent_id"] = None
        return body


@dataclass
class Guild:
    id: str
    name: str
    bot_role: str
    preferred_locale: str = "en-US"
    bot_permissions: int = EVERYTHING
    channels: list = field(default_factory=list)
    roles: dict = field(default_factory=dict)  # role id -> name
    member_roles: dict = field(default_factory=dict)  # user id -> role ids
    member_permissions: dict = field(default_factory=dict)  # user id -> permissions in the whole server
    overwrites: dict = field(default_factory=dict)  # user id -> permissions on top, in a channel

    def role(self, role_id, name, permissions):
        return {
            "id": role_id,
            "name": name,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "position": 1,
            "permissions": str(permissions),
            "managed": False,
            "mentionable": False,
            "flags": 0,
        }

    def giving(self):
        """A role for each permission that tests give: what a member may do in a server comes from roles."""
        return {bit: str(int(self.id) + (1 << 50) + bit.bit_length()) for bit in (MANAGE_GUILD, MANAGE_MESSAGES, ADMIN)}

    def member(self, user, bot):
        held = self.member_permissions.get(user.id, 0)
        giving = [role_id for bit, role_id in self.giving().items() if held & bit]
        roles = [self.bot_role] if user is bot else [*giving, *self.member_roles.get(user.id, [])]
        return {
            "user": user.json(),
            "roles": roles,
            "joined_at": "2026-01-01T00:00:00+00:00",
            "deaf": False,
            "mute": False,
            "flags": 0,
        }

    def json(self, bot):
        threads = [c.json() for c in self.channels if c.parent]
        roles = [
            self.role(self.id, "@everyone", 0),
            self.role(self.bot_role, "oom-medic", self.bot_permissions) | {"tags": {"bot_id": bot.id}},
        ]
        roles += [self.role(role_id, name, 0) for role_id, name in self.roles.items()]
        roles += [self.role(role_id, f"may-{bit}", bit) for bit, role_id in self.giving().items()]
        return {
            "id": self.id, "name": self.name, "icon": None, "splash": None, "discovery_splash": None, "owner_id": "1", "region": "deprecated",
            "afk_channel_id": None, "afk_timeout": 300, "verification_level": 0, "default_message_notifications": 1, "explicit_content_filter": 0,
            "roles": roles, "emojis": [], "stickers": [], "features": ["COMMUNITY"], "mfa_level": 0, "nsfw_level": 0, "application_id": None,
            "system_channel_id": None, "system_channel_flags": 0, "rules_channel_id": None, "vanity_url_code": None, "banner": None, "description": None,
            "premium_tier": 0, "preferred_locale": self.preferred_locale, "public_updates_channel_id": None, "joined_at": "2026-01-01T00:00:00+00:00",
            "large": False, "unavailable": False, "member_count": 3, "voice_states": [], "members": [self.member(bot, bot)], "threads": threads,
            "channels": [c.json() for c in self.channels if not c.parent], "presences": [], "stage_instances": [], "guild_scheduled_events": [], "soundboard_sounds": [],
        }  # fmt: skip


class World:
    """Everything there is, by id. Adding a server or channel after the bot is ready needs its event; `People` sends it."""

    def __init__(self, clock):
        self.clock = clock
        self.users, self.guilds, self.channels, self.files = {}, {}, {}, {}
        self.bot = self.add_user("oom-medic", bot=True)
        self.application_id = self.bot.id
        self.application_flags = (1 << 18) | (1 << 19)  # message content, as the portal's switch sets it
        self.commands = []
        self.nonces = {}

    def add_user(self, name, locale="en-US", *, bot=False):
        user = User(self.clock.snowflake(), name, locale, bot)
        self.users[user.id] = user
        return user

    def add_guild(self, name="Server", **options):
        guild = Guild(self.clock.snowflake(), name, self.clock.snowflake(), **options)
        self.guilds[guild.id] = guild
        return guild

    def add_channel(self, guild=None, kind=TEXT, name="help", **options):
        channel = Channel(self.clock.snowflake(), kind, name, guild, **options)
        self.channels[channel.id] = channel
        if guild:
            guild.channels.append(channel)
        return channel

    def dm(self, user):
        for channel in self.channels.values():
            if channel.type == DM and channel.recipient is user:
                return channel
        return self.add_channel(kind=DM, name="", recipient=user)

    def channel(self, channel_id):
        if str(channel_id) not in self.channels:
            raise unknown(*UNKNOWN_CHANNEL)
        return self.channels[str(channel_id)]

    def bot_permissions(self, channel):
        """What the bot may do in a channel. In direct messages it may write."""
        if channel.guild is None:
            return EVERYTHING
        if channel.guild.bot_permissions & ADMIN:
            return (1 << 53) - 1
        base = channel.parent or channel
        return channel.guild.bot_permissions & ~base.deny & ~channel.deny

    def add_file(self, name, data, *, channel="0", content_type=None, claimed_size=None):
        file_id = self.clock.snowflake()
        path = f"/cdn/attachments/{channel}/{file_id}/{name}"
        self.files[path] = data
        kind = content_type or ("image/png" if name.endswith(".png") else "text/plain; charset=utf-8")
        return {
            "id": file_id,
            "filename": name,
            "size": len(data) if claimed_size is None else claimed_size,
            "url": self.base + path,
            "proxy_url": self.base + path,
            "content_type": kind,
        }

    base = ""

    def message(
        self, channel, author, content="", *, attachments=(), reference=None, snapshots=(), webhook=False, **extra
    ):
        mentions = [u for u in self.users.values() if f"<@{u.id}>" in content]
        body = {
            "id": self.clock.snowflake(), "channel_id": channel.id, "author": author.json(), "content": content, "timestamp": self.clock.iso(), "edited_timestamp": None,
            "tts": False, "mention_everyone": "@everyone" in content and not author.bot, "mentions": [u.json() for u in mentions], "mention_roles": [], "attachments": list(attachments), "embeds": [],
            "pinned": False, "type": 0, "components": [], "flags": 0, **extra,
        }  # fmt: skip
        if channel.guild:
            body["guild_id"] = channel.guild.id
            if not webhook:
                body["member"] = {k: v for k, v in channel.guild.member(author, self.bot).items() if k != "user"}
        if webhook:
            body["webhook_id"] = author.id
        if reference:
            body["type"] = 19
            body["message_reference"] = {
                "type": 0,
                "message_id": reference["id"],
                "channel_id": reference["channel_id"],
            }
            body["referenced_message"] = reference
        if snapshots:
            kept = (
                "type",
                "content",
                "embeds",
                "attachments",
                "timestamp",
                "edited_timestamp",
                "flags",
                "mentions",
                "mention_roles",
            )
            body["message_reference"] = {
                "type": 1,
                "message_id": snapshots[0]["id"],
                "channel_id": snapshots[0]["channel_id"],
            }
            body["message_snapshots"] = [{"message": {key: s[key] for key in kept}} for s in snapshots]
        return body
