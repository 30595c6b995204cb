"""Modals: the paste box with its file upload, and the one for a new log.

They carry all their state in the `custom_id`, and their submission is read from the event itself, so that a modal that
was open while the bot restarted still arrives.
"""

from dataclasses import dataclass
from typing import Any

import discord
from discord.ui import FileUpload, Label, Modal, Select, TextInput

from bot.knowledge.locale import Locale

PASTE, LOG = "medic:paste", "medic:log"
TEXT_CHARS = 4000
LABEL, HINT = 45, 100


@dataclass(frozen=True, slots=True)
class Submitted:
    """What somebody filled in, by the field's `custom_id`."""

    kind: str
    state: str
    values: dict[str, str]
    files: tuple[discord.Attachment, ...]


def paste_modal(words: Locale, *, gpu: str = "", goal: str = "fit", language: str = "") -> Modal:
    """Paste box, upload, GPU and goal. What options of the command said already is filled in."""
    modal = Modal(title=words.text("discord.modal.title")[:LABEL], custom_id=f"{PASTE}:{language}")
    hint = words.text("discord.modal.paste_hint")[:HINT]
    text = TextInput[Modal](style=discord.TextStyle.paragraph, custom_id="text", required=False, max_length=TEXT_CHARS)
    modal.add_item(_label(words, "paste", text, hint))
    modal.add_item(_label(words, "files", FileUpload(custom_id="files", required=False, min_values=0, max_values=3)))
    card = TextInput[Modal](custom_id="gpu", required=False, max_length=60, default=gpu or None, placeholder="RTX 4090")
    modal.add_item(_label(words, "gpu", card))
    options = [
        discord.SelectOption(label=words.text(f"discord.goal.{name}")[:100], value=name, default=name == goal)
        for name in ("fit", "speed")
    ]
    modal.add_item(_label(words, "goal", Select[Modal](custom_id="goal", options=options, required=False)))
    return modal


def log_modal(words: Locale, case: str) -> Modal:
    """A box and an upload for the log of the newest failure."""
    modal = Modal(title=words.text("discord.modal.log_title")[:LABEL], custom_id=f"{LOG}:{case}")
    text = TextInput[Modal](style=discord.TextStyle.paragraph, custom_id="text", required=False, max_length=TEXT_CHARS)
    modal.add_item(_label(words, "paste", text))
    modal.add_item(_label(words, "files", FileUpload(custom_id="files", required=False, min_values=0, max_values=3)))
    return modal


def _label(words: Locale, name: str, item: discord.ui.Item[Modal], hint: str | None = None) -> Label[Modal]:
    return Label(text=words.text(f"discord.modal.{name}")[:LABEL], component=item, description=hint)


def submitted(interaction: discord.Interaction[Any]) -> Submitted | None:
    """What a modal of ours brought; None for another's."""
    data: Any = interaction.data or {}
    kind, state = str(data.get("custom_id", "")).rsplit(":", 1) if ":" in str(data.get("custom_id", "")) else ("", "")
    if kind not in {PASTE, LOG}:
        return None
    values: dict[str, str] = {}
    wanted: list[str] = []
    for label in data.get("components", ()):
        part = label.get("component") or {}
        if part.get("type") == discord.ComponentType.file_upload.value:
            wanted += part.get("values", ())
        elif "value" in part:
            values[part["custom_id"]] = str(part["value"] or "")
        elif part.get("values"):
            values[part["custom_id"]] = str(part["values"][0])
    found = (data.get("resolved") or {}).get("attachments", {})
    state_of = interaction._state  # noqa: SLF001 the only way to make an Attachment from an event
    files = tuple(discord.Attachment(data=found[name], state=state_of) for name in wanted if name in found)
    return Submitted(kind, state, values, files)
