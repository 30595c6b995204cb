"""A question as it came in, and a case as it is to be shown."""

from dataclasses import dataclass, field
from typing import Literal

from bot.discord_app.casework.history import Given
from bot.discord_app.languages import Languages
from bot.discord_app.workers.jobs import Answer
from bot.intake.read import Told

# The lever that changes nothing: it asks for what is missing.
ASK = "ask"
Stage = Literal["open", "works", "ended", "closed"]


@dataclass(frozen=True, slots=True)
class Arrival:
    """The message that brought something to a case."""

    message: int
    channel: int


@dataclass(frozen=True, slots=True)
class Ask:
    """A paste as it came in. `receipt` is an interaction's id, `message` a message's: each event counts once."""

    given: tuple[Given, ...]
    guild: int
    asker: int
    origin: str
    told: Told = field(default_factory=Told)
    languages: Languages = field(default_factory=Languages)
    channel: int | None = None
    message: int | None = None
    link: str | None = None
    receipt: str | None = None
    store_text: bool = True


@dataclass(frozen=True, slots=True)
class Shown:
    """What is to be shown of a case. `case_id` is None where it could not be stored; `tried` are levers, for `ended`.

    `standing` is what the case was shown by (`history.standing`); None for one that was just opened.
    `round` is that of the steps shown; None where it is not known.
    """

    case_id: str | None
    answer: Answer
    stage: Stage = "open"
    step: int = 1
    tried: tuple[str, ...] = ()
    can_undo: bool = False
    fresh: bool = True
    standing: object = None
    round: int | None = None

    @property
    def can_be_tried(self) -> bool:
        """Whether there is a change whose outcome can be told."""
        return bool(self.answer.offers) and (self.step > 1 or any(offer.lever != ASK for offer in self.answer.offers))


class TextGoneError(Exception):
    """The case's text is no longer stored (deleted, expired, or never kept), so nothing can be worked out anew."""
