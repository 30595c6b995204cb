"""Interactions: callbacks of every type, the original response, follow-ups, and their deadlines."""

from dataclasses import dataclass, field

from aiohttp import web

from standin import rules
from standin.errors import UNKNOWN_INTERACTION, UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK, ApiError, unknown
from standin.keys import STANDIN
from standin.rest import API, apply_edit, bot_message, need_open, read_body
from standin.world import Channel, User

ACKNOWLEDGE_S, TOKEN_S = 3.0, 15 * 60.0
LOADING = 1 << 7
routes = web.RouteTableDef()


@dataclass
class Interaction:
    """One interaction as the stand-in keeps it. `original` is the message its `@original` stands for."""

    id: str
    token: str
    kind: int
    user: User
    channel: Channel
    created: float
    source: dict | None = None  # message of a component
    answered: int = 0  # callback type
    answered_at: float = 0.0
    original: dict | None = None
    modal: dict | None = None
    choices: list | None = None
    followups: list = field(default_factory=list)
    payload: dict = field(default_factory=dict)

    @property
    def loading(self):
        return self.original is None or bool(self.original["flags"] & LOADING)


def of(request):
    found = request.app[STANDIN].interactions.get(request.match_info["token"])
    if found is None:
        raise unknown(*UNKNOWN_WEBHOOK)
    if request.app[STANDIN].clock.now() - found.created > TOKEN_S:
        raise ApiError(401, 50027, "Invalid Webhook Token")
    return found


@routes.post(f"{API}/interactions/{{id}}/{{token}}/callback")
async def callback(request):
    standin = request.app[STANDIN]
    body, files = await read_body(request)
    now = standin.clock.now()
    interaction = standin.interactions.get(request.match_info["token"])
    if interaction is None or interaction.id != request.match_info["id"] or now - interaction.created > ACKNOWLEDGE_S:
        standin.late.append(request.match_info["id"])
        standin.changed()
        raise unknown(*UNKNOWN_INTERACTION)
    if interaction.answered:
        raise ApiError(400, 40060, "Interaction has already been acknowledged.")
    kind, data = body["type"], body.get("data") or {}
    try:
        await CALLBACKS[kind](standin, interaction, data, files)
    except KeyError:
        raise ApiError(
            400,
            50035,
            "Invalid Form Body",
            {"type": {"_errors": [{"code": "BASE_TYPE_CHOICES", "message": "unknown callback type"}]}},
        ) from None
    interaction.answered, interaction.answered_at = kind, now
    standin.changed()
    resource = {"type": kind}
    if interaction.original is not None and kind in {4, 5, 7}:
        resource["message"] = interaction.original
    about = {
        "id": interaction.id,
        "type": interaction.kind,
        "response_message_id": interaction.original and interaction.original["id"],
    }
    return web.json_response({"interaction": about, "resource": resource})


def nested(error):
    """A callback's form errors stand under `data`."""
    if "errors" in error.body:
        error.body["errors"] = {"data": error.body["errors"]}
    return error


async def show(standin, interaction, data, files):
    try:
        rules.check_message(data, has_files=bool(files))
    except ApiError as error:
        raise nested(error) from None
    interaction.original = await post(standin, interaction, data, files)


async def defer(standin, interaction, data, _files):
    flags = (data.get("flags") or 0) | LOADING
    interaction.original = await post(standin, interaction, {"flags": flags}, [])


async def defer_update(_standin, interaction, _data, _files):
    only_from_a_message(interaction)
    interaction.original = interaction.source


async def update(standin, interaction, data, files):
    only_from_a_message(interaction)
    interaction.original = interaction.source
    try:
        await apply_edit(
            standin,
            interaction.channel,
            interaction.source,
            data,
            files,
            publish=not standin.is_ephemeral(interaction.source),
        )
    except ApiError as error:
        raise nested(error) from None


def only_from_a_message(interaction):
    if interaction.source is None:
        raise ApiError(
            400,
            50035,
            "Invalid Form Body",
            {
                "type": {
                    "_errors": [{"code": "INTERACTION_RESPONSE_TYPE_INVALID", "message": "Not a component interaction"}]
                }
            },
        )


async def suggest(_standin, interaction, data, _files):
    rules.check_choices(data)
    interaction.choices = data.get("choices") or []


async def ask(_standin, interaction, data, _files):
    rules.check_modal(data)
    if interaction.kind == 5:
        raise ApiError(
            400,
            50035,
            "Invalid Form Body",
            {
                "type": {
                    "_errors": [
                        {"code": "INTERACTION_RESPONSE_TYPE_INVALID", "message": "A modal cannot answer a modal"}
                    ]
                }
            },
        )
    interaction.modal = data


CALLBACKS = {4: show, 5: defer, 6: defer_update, 7: update, 8: suggest, 9: ask}


async def post(standin, interaction, data, files):
    about = {
        "id": interaction.id,
        "type": interaction.kind,
        "user": interaction.user.json(),
        "authorizing_integration_owners": {},
    }
    message = bot_message(
        standin,
        interaction.channel,
        data,
        files,
        interaction_metadata=about,
        webhook_id=standin.world.application_id,
        application_id=standin.world.application_id,
    )
    if message["flags"] & rules.EPHEMERAL:
        standin.ephemeral[message["id"]] = (interaction.user.id, message)
        standin.changed()
    else:
        await standin.publish(interaction.channel, message)
    return message


def target(standin, interaction, message_id):
    if message_id == "@original":
        if interaction.original is None:
            raise unknown(*UNKNOWN_WEBHOOK if not interaction.answered else UNKNOWN_MESSAGE)
        return interaction.original
    for message in interaction.followups:
        if message["id"] == message_id:
            return message
    raise unknown(*UNKNOWN_MESSAGE)


@routes.get(f"{API}/webhooks/{{app}}/{{token}}/messages/{{message}}")
async def get_original(request):
    return web.json_response(target(request.app[STANDIN], of(request), request.match_info["message"]))


@routes.patch(f"{API}/webhooks/{{app}}/{{token}}/messages/{{message}}")
async def edit_original(request):
    standin, interaction = request.app[STANDIN], of(request)
    message = target(standin, interaction, request.match_info["message"])
    body, files = await read_body(request)
    if not (standin.is_ephemeral(message) or message["id"] in interaction.channel.messages):
        raise unknown(*UNKNOWN_MESSAGE)
    if not standin.is_ephemeral(message):
        need_open(interaction.channel)
    loading = message["flags"] & LOADING
    message["flags"] &= ~LOADING
    try:
        await apply_edit(standin, interaction.channel, message, body, files, publish=not standin.is_ephemeral(message))
    except ApiError:
        message["flags"] |= loading
        raise
    return web.json_response(message)


@routes.delete(f"{API}/webhooks/{{app}}/{{token}}/messages/{{message}}")
async def delete_original(request):
    standin, interaction = request.app[STANDIN], of(request)
    message = target(standin, interaction, request.match_info["message"])
    if standin.is_ephemeral(message):
        del standin.ephemeral[message["id"]]
        standin.changed()
    else:
        await standin.remove(interaction.channel, message)
    return web.Response(status=204)


@routes.post(f"{API}/webhooks/{{app}}/{{token}}")
async def follow_up(request):
    standin, interaction = request.app[STANDIN], of(request)
    body, files = await read_body(request)
    if not interaction.answered:
        raise unknown(*UNKNOWN_WEBHOOK)
    rules.check_message(body, has_files=bool(files))
    if interaction.answered == 5 and interaction.loading:
        # The first follow-up after a deferral becomes the original response.
        message = interaction.original
        message["flags"] &= ~LOADING
        await apply_edit(standin, interaction.channel, message, body, files, publish=not standin.is_ephemeral(message))
        return web.json_response(message)
    message = await post(standin, interaction, body, files)
    interaction.followups.append(message)
    return web.json_response(message)
