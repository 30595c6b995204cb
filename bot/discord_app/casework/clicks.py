"""What each button of a case does.

Every press is acknowledged before any work: those that change the case defer an update of the message they stand
under, the others open an answer that only the presser sees.
"""

import logging
from functools import partial
from typing import Any

import discord

from bot.cases.model import FullCase
from bot.discord_app.casework import history, modals
from bot.discord_app.casework.archived import opening
from bot.discord_app.casework.buttons import Action
from bot.discord_app.casework.found import find_case
from bot.discord_app.casework.history import Given, as_the_case
from bot.discord_app.casework.layout import TextFile
from bot.discord_app.casework.outbox import Outbox
from bot.discord_app.casework.replies import Message, case_message, fill_in, plain, why_message
from bot.discord_app.casework.shown import Shown
from bot.discord_app.casework.solved import Solved
from bot.discord_app.parts import Parts
from bot.discord_app.people import languages_of, may_act
from bot.reply.markdown import inline

log = logging.getLogger(__name__)
Press = discord.Interaction[Any]
# They show what everybody can read under the public reply anyway, each in the reader's own language.
FOR_ALL: frozenset[Action] = frozenset({"why", "language"})
CHANGES: frozenset[Action] = frozenset({"works", "fails", "undo"})


class Clicks:
    """One for the bot; `press` is called by every button."""

    def __init__(self, parts: Parts, outbox: Outbox) -> None:
        self.parts, self.outbox, self.solved = parts, outbox, Solved(parts)
        self.desk, self.prefs, self.speech = parts.desk, parts.prefs, parts.speech

    async def press(self, press: Press, case_id: str, action: Action, seen: int | None) -> None:
        """Deal with one press; `seen` is the round of steps that the button stood under."""
        languages = await languages_of(press, self.prefs)
        words = self.speech.say(languages)
        case = await find_case(self.parts.book, press, case_id)
        if case is None:
            await press.response.send_message(words.text("discord.case.unknown"), ephemeral=True)
            return
        if action not in FOR_ALL and not await may_act(press, case.case, self.prefs):
            await press.response.send_message(words.text("discord.case.not_yours"), ephemeral=True)
            return
        if action == "log":
            await press.response.send_modal(modals.log_modal(words, case_id))
        elif action in CHANGES:
            await self._change(press, case, action, seen)
        else:
            await press.response.defer(ephemeral=action != "show", thinking=True)
            await self._recall(case)
            await getattr(self, f"_{action}")(press, case)

    async def _change(self, press: Press, case: FullCase, action: Action, seen: int | None) -> None:
        """What "It works", "Still fails" and "Undo" do: the message under which the button stands follows."""
        await press.response.defer()
        await self._recall(case)
        languages = as_the_case(case)
        receipt = f"click:{press.id}"
        step = {"works": self.desk.works, "fails": self.desk.still_fails, "undo": self.desk.undo}[action]
        # Of two presses the one that counts last is shown last.
        async with self.outbox.showing(case.case.id):
            # Somebody else was quicker: what this press was about is answered, and what comes next was not tried yet.
            late = seen not in {None, case.round}
            shown = await (self.desk.current(case, languages) if late else step(case, languages, receipt))
            await opening(press.client, press.channel_id or 0, partial(self._put, press, shown))
        await self.outbox.update(case, shown, but=press.message.id if press.message else None)
        if action == "works":
            await self.solved.mark(case)

    async def _put(self, press: Press, shown: Shown) -> None:
        private = press.message is not None and press.message.flags.ephemeral
        message = case_message(shown, self.speech.locale(shown.answer.locale), private=private)
        await press.edit_original_response(**message.edit(press.app_permissions))

    async def _recall(self, case: FullCase) -> None:
        """Read the pasted messages again where no text is stored: whoever opted out can go on all the same."""
        if case.pastes and not history.stored_texts(case) and not self.desk.originals.of(case.case.id):
            self.desk.originals.keep(case.case.id, await self._originals(case))

    async def _why(self, press: Press, case: FullCase) -> None:
        shown = await self.desk.current(case, await languages_of(press, self.prefs))
        await fill_in(press, why_message(shown))

    async def _language(self, press: Press, case: FullCase) -> None:
        """The whole reply in the presser's language, without buttons: those stand under the reply itself."""
        shown = await self.desk.current(case, await languages_of(press, self.prefs))
        message = case_message(shown, self.speech.locale(shown.answer.locale))
        message.view = None
        await fill_in(press, message)

    async def _show(self, press: Press, case: FullCase) -> None:
        """The answer once more, for everybody; its later steps happen there too."""
        shown = await self.desk.current(case, as_the_case(case))
        # Who presses a button under it before it is known as a reply waits until it is.
        async with self.outbox.showing(case.case.id):
            sent = await fill_in(press, case_message(shown, self.speech.locale(shown.answer.locale)))
            await self.outbox.attach(case.case.guild, press.user.id, case.case.id, sent)

    async def _secret(self, press: Press, case: FullCase) -> None:
        """For the one who pasted a secret, and for nobody else: a moderator is told only to remove the message."""
        words = self.speech.say(await languages_of(press, self.prefs))
        shown = await self.desk.current(case, as_the_case(case))
        own = case.case.asker == press.user.id
        kinds = ", ".join(shown.answer.secrets) if own else ""
        key = "discord.secret.advice" if own else "discord.secret.moderator"
        link = case.case.link or ""
        text = inline(words.text(key, kinds=kinds))
        await fill_in(press, plain(f"{text}\n{link}".strip()))

    async def _fixed(self, press: Press, case: FullCase) -> None:
        """The patched file. From the original, which may hold what was redacted, for the asker's eyes alone."""
        words = self.speech.say(await languages_of(press, self.prefs))
        own = case.case.asker == press.user.id
        originals = await self._originals(case) if own else ()
        fixed, from_original = await self.desk.fixed(case, originals) if own else await self._from_stored(case)
        if fixed.data is None:
            await fill_in(press, plain(words.text("discord.fixed.none")))
            return
        note = "" if from_original else words.text("discord.fixed.from_stored")
        if from_original and fixed.redacted:
            note = words.text("discord.fixed.private")
        text = "\n".join(part for part in (words.text("discord.fixed.here"), note) if part)
        file = TextFile(fixed_name(fixed.name), fixed.data)
        await fill_in(press, Message("", inline(text), files=(file,)))

    async def _from_stored(self, case: FullCase) -> Any:
        """For a moderator: never the original, only what is stored."""
        self.desk.originals.drop(case.case.id)
        return await self.desk.fixed(case, ())

    async def _originals(self, case: FullCase) -> tuple[Given, ...]:
        """The pasted messages, fetched again; nothing where one of them is gone.

        What was said before a paste, or handed in with a button, stands in no message of the paste: as it is stored.
        """
        texts = history.stored_texts(case)
        found: list[Given] = []
        for message_id in case.pastes:
            stored = [item for item in texts if item.message == message_id]
            fetched = await self._fetched(case.places[message_id], message_id)
            # Without the message-content intent Discord hands out blank messages.
            if not fetched or (stored and len(fetched) > len(stored)):
                return ()
            found += [*stored[: len(stored) - len(fetched)], *fetched]
        return (*found, *(item for item in texts if item.message is None)) if found else ()

    async def _fetched(self, channel: int, message_id: int) -> tuple[Given, ...]:
        try:
            message = await self.parts.client.get_partial_messageable(channel).fetch_message(message_id)
        except (discord.NotFound, discord.Forbidden):
            return ()
        return await self.parts.gatherer.message(message)


def fixed_name(name: str) -> str:
    """`config.yaml` becomes `config.fixed.yaml`; text pasted into a message becomes a config file."""
    safe = "".join(char if char.isalnum() or char in "-_. " else "_" for char in name)
    stem, dot, ending = safe.rpartition(".")
    if ending.lower() in {"yaml", "yml", "json"} and dot:
        return f"{stem}.fixed.{ending}"[-100:]
    return "config.fixed.yaml"
