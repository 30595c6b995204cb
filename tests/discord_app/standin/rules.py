"""What Discord refuses in messages, components, modals and choices (developers/resources/message, components/reference)."""

from standin.errors import Form

CONTENT, EMBED_TOTAL, EMBEDS, FILES = 2000, 6000, 10, 10
V2_FLAG = 1 << 15
EPHEMERAL = 1 << 6
V2_TYPES = {9, 10, 11, 12, 13, 14, 17}


def check_message(body, *, has_files=False, edit=False):
    form = Form()
    v2 = bool((body.get("flags") or 0) & V2_FLAG)
    form.length(["content"], body.get("content"), CONTENT)
    check_embeds(form, body.get("embeds") or [])
    components = body.get("components") or []
    check_components(form, components, v2=v2)
    if v2 and (body.get("content") or body.get("embeds")):
        form.at(
            ["content"],
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
            "The 'content' and 'embeds' fields cannot be used",
        )
    form.count(["attachments"], body.get("attachments") or [], FILES)
    if body.get("nonce") is not None:
        form.length(["nonce"], str(body["nonce"]), 25)
    check_mentions(form, body.get("allowed_mentions"))
    form.done()
    if not edit and not (body.get("content") or body.get("embeds") or components or has_files or body.get("poll")):
        from standin.errors import ApiError

        raise ApiError(400, 50006, "Cannot send an empty message")


def check_mentions(form, allowed):
    if not allowed:
        return
    for kind in ("users", "roles"):
        if kind in (allowed.get("parse") or []) and allowed.get(kind):
            form.at(
                ["allowed_mentions"],
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f"parse:{kind} and {kind}: [ids...] are mutually exclusive.",
            )


def check_embeds(form, embeds):
    form.count(["embeds"], embeds, EMBEDS)
    total = 0
    for index, embed in enumerate(embeds):
        at = ["embeds", index]
        form.length([*at, "title"], embed.get("title"), 256)
        form.length([*at, "description"], embed.get("description"), 4096)
        form.length([*at, "footer", "text"], (embed.get("footer") or {}).get("text"), 2048)
        form.length([*at, "author", "name"], (embed.get("author") or {}).get("name"), 256)
        fields = embed.get("fields") or []
        form.count([*at, "fields"], fields, 25)
        for number, field in enumerate(fields):
            form.length([*at, "fields", number, "name"], field.get("name"), 256, 1)
            form.length([*at, "fields", number, "value"], field.get("value"), 1024, 1)
            total += len(field.get("name") or "") + len(field.get("value") or "")
        total += sum(len(embed.get(key) or "") for key in ("title", "description"))
        total += len((embed.get("footer") or {}).get("text") or "") + len((embed.get("author") or {}).get("name") or "")
    if total > EMBED_TOTAL:
        form.at(["embeds"], "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {EMBED_TOTAL}")


def check_components(form, rows, *, v2):
    seen = set()
    if not v2:
        form.count(["components"], rows, 5)
    total = walk(form, ["components"], rows, seen, v2)
    if v2 and total[0] > 40:
        form.at(
            ["components"], "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "The total number of components cannot exceed 40"
        )
    if v2 and total[1] > 4000:
        form.at(["components"], "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "The total text cannot exceed 4000")


def walk(form, path, parts, seen, v2):
    count, text = 0, 0
    for index, part in enumerate(parts):
        at = [*path, index]
        kind = part.get("type")
        count += 1
        if kind in V2_TYPES and not v2:
            form.at([*at, "type"], "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (1,).')
        if kind == 1:
            form.count([*at, "components"], part["components"], 5, 1)
        if kind == 10:
            form.length([*at, "content"], part.get("content"), 4000, 1)
            text += len(part.get("content") or "")
        check_component(form, at, part, seen)
        inner = list(part.get("components") or [])
        if part.get("accessory"):
            inner.append(part["accessory"])
        below = walk(form, [*at, "components"], inner, seen, v2)
        count, text = count + below[0], text + below[1]
    return count, text


def check_component(form, at, part, seen):
    kind = part.get("type")
    if kind == 2:
        form.length([*at, "label"], part.get("label"), 80)
        if not part.get("label") and not part.get("emoji"):
            form.at([*at], "BUTTON_COMPONENT_INVALID", "A button needs a label or an emoji")
        if part.get("style") == 5:
            form.length([*at, "url"], part.get("url"), 512, 1)
            return
    if kind in {2, 3, 4, 5, 6, 7, 8, 19, 21, 22, 23}:
        form.length([*at, "custom_id"], part.get("custom_id"), 100, 1)
        if part.get("custom_id") in seen:
            form.at([*at, "custom_id"], "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
        seen.add(part.get("custom_id"))
    if kind in {3, 5, 6, 7, 8}:
        form.length([*at, "placeholder"], part.get("placeholder"), 150)
    if kind in {3, 21, 22}:
        check_options(form, at, part.get("options") or [])


def check_options(form, at, options):
    form.count([*at, "options"], options, 25, 1)
    if len({option.get("value") for option in options}) != len(options):
        form.at(
            [*at, "options"], "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used"
        )
    for number, option in enumerate(options):
        where = [*at, "options", number]
        form.length([*where, "label"], option.get("label"), 100, 1)
        form.length([*where, "value"], option.get("value"), 100, 1)
        form.length([*where, "description"], option.get("description"), 100)


def check_modal(data):
    form = Form()
    form.length(["data", "title"], data.get("title"), 45, 1)
    form.length(["data", "custom_id"], data.get("custom_id"), 100, 1)
    form.count(["data", "components"], data.get("components") or [], 5, 1)
    seen = set()
    for index, part in enumerate(data.get("components") or []):
        at = ["data", "components", index]
        if part["type"] == 18:
            form.length([*at, "label"], part.get("label"), 45, 1)
            form.length([*at, "description"], part.get("description"), 100)
            check_input(form, [*at, "component"], part["component"], seen)
        elif part["type"] == 10:
            form.length([*at, "content"], part.get("content"), 4000, 1)
        elif part["type"] == 1:
            for number, inner in enumerate(part["components"]):
                form.length([*at, "components", number, "label"], inner.get("label"), 45, 1)
                check_input(form, [*at, "components", number], inner, seen)
        else:
            form.at([*at, "type"], "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (1, 10, 18).')
    form.done()


def check_input(form, at, part, seen):
    check_component(form, at, part, seen)
    if part["type"] == 4:
        form.length([*at, "placeholder"], part.get("placeholder"), 100)
        form.length([*at, "value"], part.get("value"), min(4000, part.get("max_length") or 4000))
        if not 1 <= (part.get("max_length") or 4000) <= 4000:
            form.at([*at, "max_length"], "NUMBER_TYPE_MAX", "int value should be less than or equal to 4000.")
    if part["type"] == 19:
        for key, least, default in (("min_values", 0, 1), ("max_values", 1, 1)):
            if not least <= (part.get(key) if part.get(key) is not None else default) <= 10:
                form.at([*at, key], "NUMBER_TYPE_RANGE", f"int value should be between {least} and 10.")


def check_choices(data):
    form = Form()
    choices = (data or {}).get("choices") or []
    form.count(["data", "choices"], choices, 25)
    for index, choice in enumerate(choices):
        form.length(["data", "choices", index, "name"], choice.get("name"), 100, 1)
        if isinstance(choice.get("value"), str):
            form.length(["data", "choices", index, "value"], choice["value"], 100, 1)
    form.done()
