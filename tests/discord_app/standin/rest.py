"""The HTTP interface but for interactions: accounts, channels, messages, commands, attachments."""

import json
import re

from aiohttp import web

from standin import command_rules, rules
from standin.errors import (
    UNKNOWN_GUILD,
    UNKNOWN_MEMBER,
    UNKNOWN_MESSAGE,
    ApiError,
    Form,
    missing_access,
    missing_permissions,
    unknown,
)
from standin.gateway import DM_MESSAGES, GUILD_MESSAGES
from standin.keys import STANDIN
from standin.world import (
    ATTACH,
    CREATE_THREADS,
    EMBED,
    HISTORY,
    MANAGE_MESSAGES,
    MANAGE_THREADS,
    PUBLIC_THREAD,
    SEND,
    SEND_IN_THREADS,
    TOKEN,
    VIEW,
    Channel,
)

UPLOAD_LIMIT = 10 * 1024 * 1024
routes = web.RouteTableDef()
API = "/api/v10"


def need_token(request):
    if request.headers.get("Authorization") != f"Bot {TOKEN}":
        raise ApiError(401, 0, "401: Unauthorized")


async def read_body(request):
    """JSON body and uploaded files, from either of the two ways a client may send them."""
    if request.content_type != "multipart/form-data":
        return await request.json(), []
    body, files = {}, []
    async for part in await request.multipart():
        if part.name == "payload_json":
            body = json.loads(await part.text())
        else:
            assert re.fullmatch(r"files\[\d+\]", part.name), part.name
            data = bytes(await part.read())
            if len(data) > UPLOAD_LIMIT:
                raise ApiError(413, 40005, "Request entity too large")
            files.append((part.filename, data))
    return body, files


def store_files(world, body, files, kept):
    """Attachments of a message after a request: those it keeps, then those it brings."""
    wanted = body.get("attachments")
    keep = kept if wanted is None else [a for a in kept if a["id"] in {str(w["id"]) for w in wanted}]
    return [*keep, *(world.add_file(name, data) for name, data in files)]


def need(standin, channel, wanted):
    """Refuse what the bot may not do in a channel, and remember what it wanted to be allowed."""
    standin.used_permissions |= VIEW | wanted
    allowed = standin.world.bot_permissions(channel)
    if not allowed & VIEW:
        raise missing_access()
    if allowed & wanted != wanted:
        raise missing_permissions()


def need_open(channel):
    """Nothing in an archived thread can be changed."""
    if channel.archived:
        raise ApiError(400, 50083, "Thread is archived")


def find_message(channel, message_id):
    if message_id not in channel.messages:
        raise unknown(*UNKNOWN_MESSAGE)
    return channel.messages[message_id]


def intent_of(channel):
    return GUILD_MESSAGES if channel.guild else DM_MESSAGES


@routes.get(f"{API}/users/@me")
async def me(request):
    need_token(request)
    return web.json_response(
        request.app[STANDIN].world.bot.json() | {"flags": 0, "verified": True, "mfa_enabled": False}
    )


@routes.get(f"{API}/gateway/bot")
async def gateway_bot(request):
    need_token(request)
    standin = request.app[STANDIN]
    limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
    return web.json_response({"url": standin.gateway_url, "shards": standin.shards, "session_start_limit": limit})


@routes.get(f"{API}/applications/@me")
@routes.get(f"{API}/oauth2/applications/@me")
async def application(request):
    need_token(request)
    world = request.app[STANDIN].world
    owner = {"id": "1", "username": "owner", "discriminator": "0", "avatar": None, "global_name": None}
    return web.json_response({
        "id": world.application_id, "name": "oom-medic", "icon": None, "description": "", "summary": "", "bot_public": True, "bot_require_code_grant": False,
        "verify_key": "0" * 64, "owner": owner, "flags": world.application_flags, "team": None, "integration_types_config": {"0": {}, "1": {}},
    })  # fmt: skip


@routes.get(f"{API}/users/@me/guilds")
async def my_guilds(request):
    need_token(request)
    world = request.app[STANDIN].world
    return web.json_response(
        [
            {
                "id": g.id,
                "name": g.name,
                "icon": None,
                "owner": False,
                "permissions": str(g.bot_permissions),
                "features": [],
            }
            for g in world.guilds.values()
        ]
    )


def needed(command):
    """Permissions come as a number or a string, and are given back as a string."""
    value = command.get("default_member_permissions")
    return None if value is None else str(value)


@routes.put(f"{API}/applications/{{app}}/commands")
async def put_commands(request):
    need_token(request)
    standin = request.app[STANDIN]
    payload = await request.json()
    command_rules.check_commands(payload)
    standin.world.commands = [
        command
        | {
            "id": standin.clock.snowflake(),
            "application_id": standin.world.application_id,
            "version": "1",
            "description": command.get("description", ""),
            "default_member_permissions": needed(command),
        }
        for command in payload
    ]
    standin.syncs += 1
    standin.changed()
    return web.json_response(standin.world.commands)


@routes.get(f"{API}/applications/{{app}}/commands")
async def get_commands(request):
    need_token(request)
    return web.json_response(request.app[STANDIN].world.commands)


@routes.get(f"{API}/guilds/{{guild}}/members/{{user}}")
async def get_member(request):
    need_token(request)
    world = request.app[STANDIN].world
    guild, user = world.guilds.get(request.match_info["guild"]), world.users.get(request.match_info["user"])
    if guild is None:
        raise unknown(*UNKNOWN_GUILD)
    if user is None:
        raise unknown(*UNKNOWN_MEMBER)
    return web.json_response(guild.member(user, world.bot))


@routes.post(f"{API}/users/@me/channels")
async def open_dm(request):
    need_token(request)
    world = request.app[STANDIN].world
    return web.json_response(world.dm(world.users[str((await request.json())["recipient_id"])]).json())


@routes.get(f"{API}/channels/{{channel}}")
async def get_channel(request):
    need_token(request)
    world = request.app[STANDIN].world
    channel = world.channel(request.match_info["channel"])
    if not world.bot_permissions(channel) & VIEW:
        raise missing_access()
    return web.json_response(channel.json())


@routes.patch(f"{API}/channels/{{channel}}")
async def patch_channel(request):
    need_token(request)
    standin = request.app[STANDIN]
    channel = standin.world.channel(request.match_info["channel"])
    body = await request.json()
    # An archived thread that is not locked may be opened by whoever may write in it.
    need(standin, channel, MANAGE_THREADS if channel.locked or set(body) != {"archived"} else SEND_IN_THREADS)
    if body.get("archived") is not False:
        need_open(channel)
    channel.applied_tags = [str(tag) for tag in body.get("applied_tags", channel.applied_tags)]
    channel.archived = body.get("archived", channel.archived)
    await standin.gateway.dispatch("THREAD_UPDATE", channel.json(), guild=channel.guild)
    standin.changed()
    return web.json_response(channel.json())


@routes.post(f"{API}/channels/{{channel}}/typing")
async def typing(request):
    need_token(request)
    return web.Response(status=204)


@routes.post(f"{API}/channels/{{channel}}/messages")
async def create_message(request):
    need_token(request)
    standin = request.app[STANDIN]
    world, channel = standin.world, standin.world.channel(request.match_info["channel"])
    body, files = await read_body(request)
    permissions = world.bot_permissions(channel)
    send = SEND_IN_THREADS if channel.parent else SEND
    need(standin, channel, send | (EMBED if body.get("embeds") else 0) | (ATTACH if files else 0))
    rules.check_message(body, has_files=bool(files))
    key = (channel.id, str(body.get("nonce")))
    if body.get("enforce_nonce") and key in world.nonces:
        return web.json_response(world.nonces[key])
    reference = referenced(standin, channel, body, permissions)
    message = bot_message(standin, channel, body, files, reference)
    if body.get("enforce_nonce"):
        world.nonces[key] = message
    await standin.publish(channel, message)
    return web.json_response(message)


def referenced(standin, channel, body, permissions):
    reference = body.get("message_reference")
    if reference is None:
        return None
    standin.used_permissions |= HISTORY
    if not permissions & HISTORY:
        raise ApiError(400, 160002, "Cannot reply without permission to read message history")
    found = channel.messages.get(str(reference["message_id"]))
    if found is None and reference.get("fail_if_not_exists", True):
        raise ApiError(
            400,
            50035,
            "Invalid Form Body",
            {"message_reference": {"_errors": [{"code": "REPLIES_UNKNOWN_MESSAGE", "message": "Unknown message"}]}},
        )
    return found


def bot_message(standin, channel, body, files, reference=None, **extra):
    world = standin.world
    kept = {key: body[key] for key in ("embeds", "components", "nonce", "flags") if body.get(key) is not None}
    attachments = store_files(world, body | {"attachments": None}, files, [])
    message = world.message(
        channel, world.bot, body.get("content") or "", attachments=attachments, reference=reference, **(kept | extra)
    )
    allowed = body.get("allowed_mentions")
    message["pings"] = pings(message, allowed)
    return message


def pings(message, allowed):
    """Whom a message of the bot's notifies, by its `allowed_mentions`; no entry at all means everybody named in the text."""
    text = message["content"]
    parse = {"users", "roles", "everyone"} if allowed is None else set(allowed.get("parse") or [])
    hit = [m for m in re.findall(r"<@!?(\d+)>", text) if "users" in parse or m in ((allowed or {}).get("users") or [])]
    hit += re.findall(r"@everyone|@here", text) if "everyone" in parse else []
    if message.get("referenced_message") and (allowed is None or allowed.get("replied_user")):
        hit.append(message["referenced_message"]["author"]["id"])
    return hit


@routes.post(f"{API}/channels/{{channel}}/messages/{{message}}/threads")
async def create_thread(request):
    need_token(request)
    standin = request.app[STANDIN]
    world, channel = standin.world, standin.world.channel(request.match_info["channel"])
    message = find_message(channel, request.match_info["message"])
    need(standin, channel, CREATE_THREADS)
    if message["id"] in world.channels:
        raise ApiError(400, 160004, "A thread has already been created for this message")
    body = await request.json()
    form = Form()
    form.length(["name"], body.get("name"), 100, 1)
    form.done()
    thread = Channel(message["id"], PUBLIC_THREAD, body["name"], channel.guild, channel, world.bot)
    world.channels[thread.id] = thread
    channel.guild.channels.append(thread)
    await standin.gateway.dispatch("THREAD_CREATE", thread.json() | {"newly_created": True}, guild=channel.guild)
    return web.json_response(thread.json(), status=201)


@routes.get(f"{API}/channels/{{channel}}/messages/{{message}}")
async def get_message(request):
    need_token(request)
    channel = request.app[STANDIN].world.channel(request.match_info["channel"])
    return web.json_response(find_message(channel, request.match_info["message"]))


@routes.get(f"{API}/channels/{{channel}}/messages")
async def history(request):
    need_token(request)
    channel = request.app[STANDIN].world.channel(request.match_info["channel"])
    after, before = int(request.query.get("after", 0)), int(request.query.get("before", 1 << 63))
    ids = sorted(int(i) for i in channel.messages if after < int(i) < before)
    most = int(request.query.get("limit", 50))
    chosen = ids[:most] if "after" in request.query else ids[-most:]
    return web.json_response([channel.messages[str(i)] for i in reversed(chosen)])


@routes.patch(f"{API}/channels/{{channel}}/messages/{{message}}")
async def edit_message(request):
    need_token(request)
    standin = request.app[STANDIN]
    channel = standin.world.channel(request.match_info["channel"])
    message = find_message(channel, request.match_info["message"])
    if message["author"]["id"] != standin.world.bot.id:
        raise ApiError(403, 50005, "Cannot edit a message authored by another user")
    need_open(channel)
    body, files = await read_body(request)
    await apply_edit(standin, channel, message, body, files)
    return web.json_response(message)


async def apply_edit(standin, channel, message, body, files, *, publish=True):
    rules.check_message(body | {"flags": (body.get("flags") or 0) | message["flags"]}, has_files=bool(files), edit=True)
    message["attachments"] = store_files(standin.world, body, files, message["attachments"])
    for key in ("content", "embeds", "components"):
        if key in body:
            message[key] = body[key] if body[key] is not None else ("" if key == "content" else [])
    message["edited_timestamp"] = standin.clock.iso()
    message["edits"] = message.get("edits", 0) + 1
    message["pings"] = pings(message, body.get("allowed_mentions"))
    if publish:
        await standin.gateway.dispatch("MESSAGE_UPDATE", message, guild=channel.guild, intent=intent_of(channel))
    standin.changed()


@routes.delete(f"{API}/channels/{{channel}}/messages/{{message}}")
async def delete_message(request):
    need_token(request)
    standin = request.app[STANDIN]
    channel = standin.world.channel(request.match_info["channel"])
    message = find_message(channel, request.match_info["message"])
    if message["author"]["id"] != standin.world.bot.id and not standin.world.bot_permissions(channel) & MANAGE_MESSAGES:
        raise missing_permissions()
    await standin.remove(channel, message)
    return web.Response(status=204)


@routes.get("/cdn/{path:.*}")
async def cdn(request):
    standin = request.app[STANDIN]
    data = standin.world.files.get(request.path)
    if data is None:
        return web.Response(status=404, text="This content is no longer available.")
    wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", request.headers.get("Range", ""))
    if not wanted:
        standin.served[request.path] = len(data)
        return web.Response(body=data, content_type="application/octet-stream")
    first, last = wanted.groups()
    start = int(first) if first else max(0, len(data) - int(last))
    part = data[start : int(last) + 1 if first and last else None]
    standin.served[request.path] = standin.served.get(request.path, 0) + len(part)
    return web.Response(
        status=206,
        body=part,
        headers={"Content-Range": f"bytes {start}-{start + len(part) - 1}/{len(data)}"},
        content_type="application/octet-stream",
    )
