"""What people do in front of Discord: write, edit, delete, use commands, click, fill in modals; and what they see."""

from standin.rest import intent_of
from standin.rest_interactions import Interaction
from standin.world import DM, FORUM, MANAGE_MESSAGES, PUBLIC_THREAD, SEND, VIEW

OPTION_TYPES = {str: 3, bool: 5, int: 4, float: 10}
CHAT_INPUT, MESSAGE_MENU = 1, 3


class People:
    """Acts from a test's thread; each call returns once the event is on its way to the bot."""

    def __init__(self, standin):
        self.standin, self.world = standin, standin.world

    def _do(self, coroutine):
        return self.standin.run(coroutine)

    # --- places, announced to a connected bot
    def guild(self, name="Server", *, channels=("help",), **options):
        guild = self.world.add_guild(name, **options)
        made = [self.world.add_channel(guild, name=channel) for channel in channels]
        self._do(self.standin.gateway.dispatch("GUILD_CREATE", guild.json(self.world.bot), guild=guild))
        return guild, *made

    def channel(self, guild, kind=0, name="more", **options):
        channel = self.world.add_channel(guild, kind, name, **options)
        self._do(self.standin.gateway.dispatch("CHANNEL_CREATE", channel.json(), guild=guild))
        return channel

    def leave(self, guild):
        """The bot is removed from a server."""
        del self.world.guilds[guild.id]
        self._do(self.standin.gateway.dispatch("GUILD_DELETE", {"id": guild.id}, guild=guild))

    def forum(self, guild, tags=("open", "solved")):
        return self.channel(guild, FORUM, "forum", tags=[(self.world.clock.snowflake(), tag) for tag in tags])

    def thread(self, parent, owner, name="my post"):
        thread = self.world.add_channel(parent.guild, PUBLIC_THREAD, name, parent=parent, owner=owner)
        self._do(
            self.standin.gateway.dispatch("THREAD_CREATE", thread.json() | {"newly_created": True}, guild=parent.guild)
        )
        return thread

    def archive(self, thread, *, locked=False):
        """A thread has been quiet for long, or was closed by a moderator."""
        thread.archived, thread.locked = True, locked
        self._do(self.standin.gateway.dispatch("THREAD_UPDATE", thread.json(), guild=thread.guild))

    def changed(self, channel):
        """A channel was changed, say what the bot may do there."""
        self._do(self.standin.gateway.dispatch("CHANNEL_UPDATE", channel.json(), guild=channel.guild))

    def remove(self, thread):
        """A thread or forum post is deleted; Discord tells of none of its messages."""
        body = {"id": thread.id, "guild_id": thread.guild.id, "parent_id": thread.parent.id, "type": thread.type}
        self._do(self.standin.gateway.dispatch("THREAD_DELETE", body, guild=thread.guild))

    # --- messages
    def say(self, user, channel, content="", files=(), **extra):
        attachments = [self.world.add_file(name, data, channel=channel.id) for name, data in files]
        message = self.world.message(
            channel, user, content, attachments=attachments + list(extra.pop("attachments", ())), **extra
        )
        self._do(self.standin.publish(channel, message))
        return message

    def edit(self, message, content):
        channel = self.world.channel(message["channel_id"])
        message["content"], message["edited_timestamp"] = content, self.standin.clock.iso()
        self._do(
            self.standin.gateway.dispatch("MESSAGE_UPDATE", message, guild=channel.guild, intent=intent_of(channel))
        )

    def delete(self, message):
        self._do(self.standin.remove(self.world.channel(message["channel_id"]), message))

    def redeliver(self, message):
        """The same event once more, as after a session that could not be resumed cleanly."""
        channel = self.world.channel(message["channel_id"])
        self._do(
            self.standin.gateway.dispatch("MESSAGE_CREATE", message, guild=channel.guild, intent=intent_of(channel))
        )

    # --- interactions
    def _interact(self, user, channel, kind, data, source=None):
        clock = self.standin.clock
        made = Interaction(clock.snowflake(), f"token-{clock.snowflake()}", kind, user, channel, clock.now(), source)
        made.payload = self._payload(made, data)
        self.standin.interactions[made.token] = made
        self._do(self.standin.gateway.dispatch("INTERACTION_CREATE", made.payload, guild=channel.guild, intent=0))
        return made

    def _payload(self, made, data):
        channel, user, world = made.channel, made.user, self.world
        body = {
            "id": made.id, "application_id": world.application_id, "type": made.kind, "token": made.token, "version": 1, "locale": user.locale, "data": data,
            "channel_id": channel.id, "channel": channel.json() | {"permissions": "0"}, "app_permissions": str(world.bot_permissions(channel)), "entitlements": [],
            "attachment_size_limit": 10 * 1024 * 1024, "authorizing_integration_owners": self._owners(channel, user), "context": 1 if channel.type == DM else 0,
        }  # fmt: skip
        if made.source:
            body["message"] = made.source
        if channel.guild is None:
            return body | {"user": user.json()}
        guild = channel.guild
        allowed = guild.member_permissions.get(user.id, VIEW | SEND) | guild.overwrites.get(user.id, 0)
        member = guild.member(user, world.bot) | {"permissions": str(allowed)}
        return body | {
            "guild_id": guild.id,
            "guild": {"id": guild.id, "locale": guild.preferred_locale, "features": []},
            "guild_locale": guild.preferred_locale,
            "member": member,
        }

    def _owners(self, channel, user):
        """By whom the app is installed where it is used: the server, if the bot is in it; else the person."""
        in_server = channel.guild is not None and channel.guild.id in self.world.guilds
        return {"0": channel.guild.id} if in_server else {"1": user.id}

    def _command(self, name, kind):
        for command in self.world.commands:
            if command["name"] == name and command.get("type", 1) == kind:
                return command
        raise AssertionError(f"no command {name!r} was synced")

    def _permitted(self, command, user, channel):
        """Discord hides a command from those without its default permissions; a test cannot use it either."""
        needed = command.get("default_member_permissions")
        if needed is None or channel.guild is None:
            return True
        return channel.guild.member_permissions.get(user.id, 0) & int(needed) == int(needed)

    def slash(self, who, channel, path, *, focused=None, **options):
        user = who
        name, *subs = path.split()
        command = self._command(name, CHAT_INPUT)
        assert self._permitted(command, user, channel), f"/{name} is not shown to {user.name}"
        resolved, made = {}, []
        known = self._option_names(command, subs)
        for word, value in options.items():
            key = word.replace("_", "-")
            assert key in known, f"/{path} has no option {key!r}, only {known}"
            made.append(self._option(key, value, resolved) | ({"focused": True} if key == focused else {}))
        for sub in reversed(subs):
            made = [{"name": sub, "type": 1, "options": made}]
        data = {"id": command["id"], "name": name, "type": CHAT_INPUT, "options": made, "resolved": resolved}
        return self._interact(user, channel, 4 if focused else 2, data)

    def _option_names(self, command, subs):
        for sub in subs:
            command = next(option for option in command["options"] if option["name"] == sub)
        return [option["name"] for option in command["options"]]

    def _option(self, name, value, resolved):
        if isinstance(value, tuple):
            file = self.world.add_file(*value)
            resolved.setdefault("attachments", {})[file["id"]] = file
            return {"name": name, "type": 11, "value": file["id"]}
        if hasattr(value, "guild"):
            resolved.setdefault("channels", {})[value.id] = value.json() | {"permissions": "0"}
            return {"name": name, "type": 7, "value": value.id}
        if type(value) is dict and "color" in value:
            resolved.setdefault("roles", {})[value["id"]] = value
            return {"name": name, "type": 8, "value": value["id"]}
        if hasattr(value, "locale"):
            resolved.setdefault("users", {})[value.id] = value.json()
            return {"name": name, "type": 6, "value": value.id}
        return {"name": name, "type": OPTION_TYPES[type(value)], "value": value}

    def suggest(self, user, channel, path, focused, **options):
        made = self.slash(user, channel, path, focused=focused, **options)
        self.wait(lambda: made.choices is not None, "autocomplete choices")
        return made.choices

    def menu(self, user, channel, name, message):
        command = self._command(name, MESSAGE_MENU)
        data = {
            "id": command["id"],
            "name": name,
            "type": MESSAGE_MENU,
            "target_id": message["id"],
            "resolved": {"messages": {message["id"]: message}},
        }
        return self._interact(user, channel, 2, data)

    def click(self, user, message, label, values=None):
        """Press the button with that label (or part of its custom id), or choose values in that menu."""
        part = self.component(message, label)
        data = {"custom_id": part["custom_id"], "component_type": part["type"]}
        if part["type"] != 2:
            data["values"] = values
        return self._interact(user, self.world.channel(message["channel_id"]), 3, data, source=message)

    def component(self, message, label):
        found = [
            p
            for row in message["components"]
            for p in row["components"]
            if label in (p.get("label") or "") or label in p.get("custom_id", "")
        ]
        assert found, f"no component {label!r} among {self.labels(message)}"
        return found[0]

    def labels(self, message):
        return [
            part.get("label") or part.get("placeholder") or part.get("custom_id")
            for row in message["components"]
            for part in row["components"]
        ]

    def submit(self, asked, *, files=(), **values):
        """Fill in the modal that answered `asked`; values by custom id of the field."""
        assert asked.modal, "no modal was shown"
        resolved = {"attachments": {}}
        parts = []
        for label in asked.modal["components"]:
            part = label.get("component")
            if part is None:
                parts.append({"type": label["type"], "id": 1})
                continue
            parts.append({"type": 18, "id": 1, "component": self._filled(part, values, files, resolved)})
        data = {"custom_id": asked.modal["custom_id"], "components": parts, "resolved": resolved}
        return self._interact(asked.user, asked.channel, 5, data, source=asked.source)

    def _filled(self, part, values, files, resolved):
        base = {"type": part["type"], "id": 2, "custom_id": part["custom_id"]}
        if part["type"] == 19:
            made = [self.world.add_file(name, data) for name, data in files]
            resolved["attachments"] |= {file["id"]: file for file in made}
            return base | {"values": [file["id"] for file in made]}
        value = values.get(part["custom_id"])
        if part["type"] == 4:
            return base | {"value": value or ""}
        if part["type"] in {21, 23}:
            return base | {"value": value}
        return base | {"values": [] if value is None else [value]}

    # --- what people see
    def wait(self, found, what=""):
        return self._do(self.standin.until(found, what))

    def answer(self, interaction):
        """The message that answered an interaction, once it no longer says that the bot is thinking."""
        return self.wait(
            lambda: interaction.answered and not interaction.loading and interaction.original,
            f"an answer to {interaction.payload['data']}",
        )

    def modal(self, interaction):
        return self.wait(lambda: interaction.modal, "a modal")

    def replies(self, message):
        channel = self.world.channels[message["channel_id"]]
        return [
            m
            for m in list(channel.messages.values())
            if m["author"]["id"] == self.world.bot.id
            and (m.get("message_reference") or {}).get("message_id") == message["id"]
        ]

    def reply(self, message):
        return self.wait(lambda: self.replies(message), f"a reply to {message['content'][:60]!r}")[0]

    def role(self, guild, *members, name="helpers"):
        """A new role of the server, given to some people."""
        role = self.world.clock.snowflake()
        guild.roles[role] = name
        for member in members:
            guild.member_roles.setdefault(member.id, []).append(role)
        self._do(
            self.standin.gateway.dispatch(
                "GUILD_ROLE_CREATE", {"guild_id": guild.id, "role": guild.role(role, name, 0)}, guild=guild
            )
        )
        return role

    def moderator(self, guild, name="mod", locale="en-US"):
        user = self.world.add_user(name, locale)
        guild.member_permissions[user.id] = VIEW | SEND | MANAGE_MESSAGES
        return user


def text_of(message):
    """All words of a message as a person reads them: content, embeds, then attached text files by name."""
    parts = [message["content"]]
    for embed in message["embeds"]:
        parts += [embed.get("title") or "", embed.get("description") or ""]
        parts += [f"{f['name']}\n{f['value']}" for f in embed.get("fields") or []]
        parts.append((embed.get("footer") or {}).get("text") or "")
    return "\n".join(parts)
