"""What the bot needs to be allowed in a server, and what each permission is for.

The number in the invite link is made here and nowhere else; a test compares it with the README and with what the bot
uses against the stand-in for Discord.
"""

import discord

# Permission -> why, as the key of a sentence `discord.permission.<name>`. Every one is used.
NEEDED = (
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "create_public_threads",
    "embed_links",
    "attach_files",
    "read_message_history",
    "manage_threads",
)
INVITE = discord.Permissions(**dict.fromkeys(NEEDED, True))


def missing(allowed: discord.Permissions, *, thread: bool = False, forum: bool = False) -> list[str]:
    """The needed permissions that are not given; those that a kind of channel has no use for are left out."""
    unused = set()
    if not forum:
        unused.add("manage_threads")
    if thread or forum:
        unused |= {"send_messages", "create_public_threads"}
    return [name for name in NEEDED if name not in unused and not getattr(allowed, name)]


def invite_url(application: int) -> str:
    """The link with which a server owner adds the bot."""
    return discord.utils.oauth_url(application, permissions=INVITE, scopes=("bot", "applications.commands"))


def has_content(flags: discord.ApplicationFlags) -> bool:
    """Whether the portal's switch for the message-content intent is on (limited: fewer than 10,000 users)."""
    return bool(flags.gateway_message_content or flags.gateway_message_content_limited)
