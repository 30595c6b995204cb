"""What of a message the decision whether to answer it needs."""

import discord

from bot.cases.people import GuildSettings
from bot.discord_app.parts import Parts
from bot.discord_app.pasting.detect import Look

NOT_HERE = Look(text="")


def look_at(message: discord.Message, settings: GuildSettings, parts: Parts, *, in_hand: bool = False) -> Look:
    """A message as the detector takes it. Where it can be of no concern to the bot, nothing is looked at.

    `in_hand`: a message of the same person in the same channel is just being dealt with.
    """
    channel = message.channel
    opted_in = channel.id in settings.channels or getattr(channel, "parent_id", None) in settings.channels
    addressed = message.guild is None or ("<@" in message.content and is_called(message, parts.client.user))
    case_open = in_hand or parts.open_cases.get(channel.id, message.author.id) is not None
    if not addressed and not opted_in and not case_open:
        return NOT_HERE
    texts, files = [message.content], [file.filename for file in message.attachments]
    for snapshot in message.message_snapshots:
        texts.append(snapshot.content)
        files += [file.filename for file in snapshot.attachments]
    return Look(
        text="\n".join(texts),
        files=files,
        addressed=addressed,
        opted_in=opted_in,
        mention_only=settings.style == "mention",
        case_open=case_open,
        to_somebody=is_to_somebody(message, parts.client.user),
    )


def is_called(message: discord.Message, me: discord.ClientUser | None) -> bool:
    """Whether the bot is mentioned, by its name or by the role that came with it: the two look alike when typed."""
    if me is not None and me.id in message.raw_mentions:
        return True
    if message.guild is None or "<@&" not in message.content:
        return False
    role = message.guild.self_role
    return role is not None and role.id in message.raw_role_mentions


def is_to_somebody(message: discord.Message, me: discord.ClientUser | None) -> bool:
    """Whether a message answers or names another person than its author and the bot."""
    own = {message.author.id, me.id if me else 0}
    reference = message.reference.resolved if message.reference else None
    if isinstance(reference, discord.Message) and reference.author.id not in own:
        return True
    return "<@" in message.content and not own.issuperset(message.raw_mentions)
