"""What the parts of the bot have in common: case history, engine, words, and what is remembered in memory.

Each part is handed this and nothing wider. It knows none of them, so what a part may do is told by its own arguments.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self, cast

import discord

from bot.cases.book import CaseBook
from bot.discord_app.casework.desk import Desk
from bot.discord_app.counted import CountedCooldown, CountedDetector
from bot.discord_app.languages import Speech
from bot.discord_app.pasting.gather import Gatherer, Limits
from bot.discord_app.pasting.links import LinkReader
from bot.discord_app.pasting.pace import JOIN_S, Cooldown, OpenCases, Seen
from bot.discord_app.prefs import Preferences
from bot.discord_app.workers.pool import EnginePool
from bot.knowledge.load import Knowledge
from bot.knowledge.pastes import Pastes
from bot.reply.faq import Faq
from bot.service.tally import Tally
from bot.settings import Settings

MINUTE_S = 60.0
JOINS_EACH = 5


@dataclass(slots=True)
class Paces:
    """How often somebody is answered, or adds to a case.

    `told` is for the sentence that says so, `called` for the one that says what to send.
    """

    user: Cooldown
    channel: Cooldown
    join: Cooldown
    told: Cooldown
    called: Cooldown

    @classmethod
    def by(cls, settings: Settings, tally: Tally) -> Self:
        """As the operator set them."""
        return cls(
            CountedCooldown(settings.user_pastes_a_minute, MINUTE_S, tally, "user_pace"),
            CountedCooldown(settings.channel_pastes_a_minute, MINUTE_S, tally, "channel_pace"),
            # A long config takes many messages of 2,000 characters, and none gets a reply of its own.
            CountedCooldown(JOINS_EACH * settings.user_pastes_a_minute, MINUTE_S, tally, "join_pace"),
            Cooldown(1, MINUTE_S),
            Cooldown(1, JOIN_S),
        )


@dataclass(slots=True)
class Parts:
    """One for the bot. `client` is for asking Discord; `ending` says that the process was told to end."""

    client: discord.AutoShardedClient
    settings: Settings
    book: CaseBook
    tally: Tally
    knowledge: Knowledge
    speech: Speech
    faq: Faq
    detector: CountedDetector
    engine: EnginePool
    prefs: Preferences
    desk: Desk
    gatherer: Gatherer
    open_cases: OpenCases
    seen: Seen
    paces: Paces
    ending: bool = False

    @classmethod
    def make(cls, client: discord.AutoShardedClient, settings: Settings, book: CaseBook, folder: Path | None) -> Self:
        """All of them. `folder` holds the knowledge; None: the shipped one."""
        tally, knowledge = Tally(), Knowledge(folder)
        detector = CountedDetector(Pastes.load(knowledge), tally)
        engine = EnginePool(
            settings.engine_processes,
            limit=settings.queue_limit,
            patience_s=settings.queue_patience_s,
            deadline_s=settings.engine_deadline_s,
            folder=folder,
            tally=tally,
        )
        return cls(
            client=client,
            settings=settings,
            book=book,
            tally=tally,
            knowledge=knowledge,
            speech=Speech(knowledge),
            faq=Faq.load(knowledge),
            detector=detector,
            engine=engine,
            prefs=Preferences(book),
            desk=Desk(engine, book, tally),
            gatherer=Gatherer(Limits(settings.attachment_bytes), detector, LinkReader(settings.link_bytes)),
            open_cases=OpenCases(),
            seen=Seen(),
            paces=Paces.by(settings, tally),
        )

    def adopt(self, knowledge: Knowledge, pastes: Pastes, faq: Faq) -> None:
        """Go on with other knowledge; nothing else runs meanwhile."""
        self.knowledge, self.faq = knowledge, faq
        self.speech.adopt(knowledge)
        self.detector.adopt(pastes)
        self.desk.forget_answers()


class Host(Protocol):
    """A client that carries the parts: what buttons and menus find with an interaction."""

    parts: Parts


def parts_of(interaction: discord.Interaction[Any]) -> Parts:
    """The parts of the bot that an interaction came to."""
    return cast("Host", interaction.client).parts
