"""A case as a Discord message: embed, buttons, files; and plain text where a channel allows no embeds."""

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.discord_app.casework.buttons import buttons_for
from bot.discord_app.casework.layout import DESCRIPTION, FOOTER, Laid, TextFile, clipped, cut, length
from bot.discord_app.casework.shown import ASK, Shown, Stage
from bot.knowledge.locale import Locale
from bot.reply.markdown import inline

CONTENT = 2000
COLOURS: dict[Stage, int] = {"open": 0xE67E22, "works": 0x2ECC71, "ended": 0xE74C3C, "closed": 0x95A5A6}


@dataclass(slots=True)
class Message:
    """What is to be sent. Files are made anew for each sending: discord.py closes them behind it."""

    title: str
    description: str
    colour: int = 0x3498DB
    footer: str = ""
    files: Sequence[TextFile] = ()
    # What is said where the files may not be attached.
    unattached: str = ""
    view: discord.ui.View | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    def new(self, allowed: discord.Permissions | None = None) -> dict[str, Any]:
        """Arguments for sending. `allowed` is what the bot may do in the channel; None: everything."""
        made: dict[str, Any] = dict(self.extra)
        lacking = self.unattached if self.files and allowed is not None and not allowed.attach_files else ""
        if allowed is None or allowed.embed_links:
            made["embed"] = self._embed(lacking)
        else:
            made["content"] = self._content(lacking)
        if self.view is not None and self.view.children:
            made["view"] = self.view
        if self.files and (allowed is None or allowed.attach_files):
            made["files"] = self._files()
        return made

    def edit(self, allowed: discord.Permissions | None = None) -> dict[str, Any]:
        """Arguments for replacing a message by this one, by what may be done where it stands."""
        made = {"content": None, "embed": None, "attachments": ()} | self.new(allowed) | {"view": self.view}
        made["attachments"] = made.pop("files", ())
        return made

    def _embed(self, lacking: str) -> discord.Embed:
        description = f"{cut(self.description, DESCRIPTION - length(lacking) - 2)}\n\n{lacking}".strip()
        embed = discord.Embed(title=self.title or None, description=description, colour=self.colour)
        if self.footer:
            embed.set_footer(text=clipped(self.footer, FOOTER))
        return embed

    def _content(self, lacking: str) -> str:
        """The same as plain text: what is too long is cut before the footer, which names the case."""
        head, foot = f"**{self.title}**\n{lacking}".strip(), clipped(self.footer, CONTENT // 4)
        room = CONTENT - length(head) - length(foot) - 2
        return "\n".join(part for part in (head, cut(self.description, room), foot) if part)

    def _files(self) -> list[discord.File]:
        return [discord.File(io.BytesIO(file.data), file.name) for file in self.files]


def case_message(shown: Shown, locale: Locale, *, private: bool = False) -> Message:
    """The reply to a paste as the case stands. `private`: it is seen by the asker alone, and can be shown to all."""
    head = _head(shown, locale)
    laid = shown.answer.laid if shown.stage in {"open", "closed"} else _without_change(shown, locale)
    tail = "\n".join(_tail(shown, locale))
    description = "\n\n".join(part for part in (head, laid.description, tail) if part)
    if length(description) > DESCRIPTION:
        room = DESCRIPTION - length(head) - length(tail) - 4
        description = "\n\n".join(part for part in (head, cut(laid.description, room), tail) if part)
    return Message(
        title=laid.title,
        description=description,
        colour=COLOURS[shown.stage],
        footer=_footer(shown, locale),
        files=laid.files,
        unattached=f"⚠️ {inline(locale.text('discord.reply.unattached'))}",
        view=buttons_for(shown, locale, private=private),
    )


async def fill_in(interaction: discord.Interaction[Any], message: Message) -> discord.Message:
    """Fill in a deferred response. Editing it twice is harmless, unlike a follow-up sent twice."""
    arguments = message.edit()
    if message.view is None or not message.view.children:
        arguments["view"] = None
    return await interaction.edit_original_response(**arguments)


def plain(text: str) -> Message:
    """One or a few sentences of ours."""
    return Message("", text)


def why_message(shown: Shown) -> Message:
    """The evidence behind an answer."""
    return Message(shown.answer.why.title, shown.answer.why.description or "…", files=shown.answer.why.files)


def _head(shown: Shown, locale: Locale) -> str:
    if shown.stage == "works":
        return f"✅ {inline(locale.text('discord.case.works'))}"
    if shown.stage == "ended":
        return f"🛑 {inline(locale.text('discord.case.ended'))}"
    if shown.stage == "closed":
        return f"⏹️ {inline(locale.text('discord.case.closed'))}"
    if shown.step > 1:
        return inline(locale.text("discord.case.next_step", step=shown.step))
    return ""


def _without_change(shown: Shown, locale: Locale) -> Laid:
    """What stays once a case has ended: what it was about, and what was tried."""
    cause = shown.answer.laid.description.split("\n\n", 1)[0]
    lines = [cause]
    tried = [lever for lever in dict.fromkeys(shown.tried) if lever != ASK]
    if tried:
        names = [locale.find(f"levers.{lever}.name") or lever for lever in tried]
        lines.append("\n".join([f"**{locale.text('discord.case.tried')}**", *(f"- {inline(name)}" for name in names)]))
    if shown.stage == "ended":
        lines.append(inline(locale.text("discord.case.call_human")))
    return Laid(shown.answer.laid.title, "\n\n".join(lines))


def _tail(shown: Shown, locale: Locale) -> list[str]:
    lines = []
    if shown.answer.secrets:
        lines.append(f"🔒 {inline(locale.text('discord.secret.hint'))}")
    if shown.stage == "open" and shown.step > 1 and shown.answer.wants_log:
        lines.append(inline(locale.text("discord.case.new_log")))
    return lines


def _footer(shown: Shown, locale: Locale) -> str:
    count = int(shown.answer.diagnosis["redactions"])
    parts = [locale.text("discord.case.id", case=shown.case_id)] if shown.case_id else []
    if count:
        parts.append(locale.text("discord.case.redactions", count=count))
    return " · ".join(parts)
