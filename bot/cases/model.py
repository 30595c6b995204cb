"""What goes into the case history and what comes out. Times are ISO 8601 in UTC to the second (`2026-07-04T12:00:00Z`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal, Self

State = Literal["open", "works", "failed", "closed"]
Outcome = Literal["waiting", "works", "still_fails", "undone", "no_answer"]
Verdict = Literal["right", "wrong", "wrong_lever", "not_oom"]
VERDICTS: Final[tuple[Verdict, ...]] = ("right", "wrong", "wrong_lever", "not_oom")
STATES: Final[tuple[State, ...]] = ("open", "works", "failed", "closed")

# The guild of what was asked outside any server.
NO_GUILD: Final = 0
# The kind of the document that holds, as JSON, what the person said in options beside the paste.
TOLD: Final = "told"


def now() -> str:
    """The time now, as it is stored."""
    return stamp(datetime.now(UTC))


def stamp(moment: datetime) -> str:
    """An aware moment, as it is stored."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose cases may be seen. Every read and every change of a case takes one; outside it nothing exists."""

    guild: int | None
    asker: int | None = None

    @classmethod
    def server(cls, guild: int) -> Self:
        """One server's cases, for its moderators and for buttons pressed in it. Raises ValueError for no server."""
        if guild == NO_GUILD:
            raise ValueError("a case outside a server belongs to its asker alone: use Scope.direct(user)")
        return cls(guild)

    @classmethod
    def direct(cls, user: int) -> Self:
        """What one person asked outside any server."""
        return cls(NO_GUILD, user)

    @classmethod
    def person(cls, user: int) -> Self:
        """What one person asked, wherever it was."""
        return cls(None, user)

    @classmethod
    def operator(cls) -> Self:
        """All cases: for whoever holds the file itself, never for someone in Discord."""
        return cls(None)

    def of(self, case_id: str) -> "Target":
        """One case by its id, if it is within the scope."""
        return Target(self, case_id)

    def condition(self) -> tuple[str, list[int]]:
        """The SQL condition over table `cases` and its parameters."""
        parts, values = ["1"], []
        if self.guild is not None:
            parts.append("cases.guild = ?")
            values.append(self.guild)
        if self.asker is not None:
            parts.append("cases.asker = ?")
            values.append(self.asker)
        return " AND ".join(parts), values


@dataclass(frozen=True, slots=True)
class Target:
    """A case to read or change: its id as somebody typed it, and the scope it must be in."""

    scope: Scope
    id: str


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A pasted text or file after redaction. `message` is the Discord message it came with, if any."""

    name: str
    kind: str
    text: str
    message: int | None = None


@dataclass(frozen=True, slots=True)
class NewStep:
    """One change that is being offered. `ladder` is its index in the diagnosis' `steps`, where it is one of these."""

    lever: str
    rule: str
    diff: str | None = None
    ladder: int | None = None


@dataclass(frozen=True, slots=True)
class NewCase:
    """A case about to be recorded. `guild` is NO_GUILD outside servers; `origin` is how it came in: `paste`, `mention`, `direct`, `slash`, `modal`, `menu` (words `cases.origins`).

    `message` and `receipts` (an interaction's id, a nonce) are what makes a replay of the same event find the case
    that is there instead of making a second one. No text is stored where `store_text` is off, or the asker opted out.
    """

    guild: int
    locale: str
    origin: str
    diagnosis: Mapping[str, Any]
    documents: tuple[NewDocument, ...] = ()
    steps: tuple[NewStep, ...] = ()
    channel: int | None = None
    asker: int | None = None
    link: str | None = None
    message: int | None = None
    receipts: tuple[str, ...] = ()
    store_text: bool = True


@dataclass(frozen=True, slots=True)
class Revision:
    """New content of a case after an edit or a further message: all its documents, the diagnosis, what is offered.

    `message` is the further message. `locale` None leaves the case's language.
    """

    documents: tuple[NewDocument, ...]
    diagnosis: Mapping[str, Any]
    steps: tuple[NewStep, ...]
    message: int | None = None
    channel: int | None = None
    locale: str | None = None


@dataclass(frozen=True, slots=True)
class NewAnswer:
    """What became of the steps of a round, and what is offered next.

    `receipt` is the click's id, so that a click delivered twice counts once. Without `state`, `works` makes the case
    works and anything else makes it open.
    """

    round: int
    outcome: Outcome
    offer: tuple[NewStep, ...] = ()
    state: State | None = None
    receipt: str | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """A case on the disk. `fresh` is False where the same event had been recorded before."""

    id: str
    fresh: bool


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the list of cases."""

    seq: int
    id: str
    guild: int
    channel: int | None
    link: str | None
    asker: int | None
    locale: str
    origin: str
    created_at: str
    changed_at: str
    source_tool: str
    problem_class: str
    phase: str
    family: str | None
    arch: str | None
    gpu: str | None
    vram_gib: float | None
    lever: str | None
    rule: str | None
    findings: int
    state: State
    verdict: Verdict | None
    assigned: int | None


@dataclass(frozen=True, slots=True)
class Document:
    """A stored text: redacted, and cut in its middle where it was very long."""

    name: str
    kind: str
    text: str
    message: int | None


@dataclass(frozen=True, slots=True)
class OfferedStep:
    """A change that was offered. Steps offered together share a `round` (from 1)."""

    position: int
    round: int
    ladder: int | None
    lever: str
    rule: str
    diff: str | None
    offered_at: str
    outcome: Outcome
    answered_at: str | None


@dataclass(frozen=True, slots=True)
class Note:
    """A moderator's remark or, with `verdict`, judgement. `author` is None once that person was forgotten."""

    author: int | None
    at: str
    verdict: Verdict | None
    text: str


@dataclass(frozen=True, slots=True)
class FullCase:
    """Everything kept about one case. `places` are the channels of its pastes, `replies` are channels and ids."""

    case: Case
    diagnosis: Mapping[str, Any]
    documents: tuple[Document, ...]
    steps: tuple[OfferedStep, ...]
    notes: tuple[Note, ...]
    pastes: tuple[int, ...]
    places: Mapping[int, int]
    replies: tuple[tuple[int, int], ...]

    @property
    def round(self) -> int:
        """The round offered last; 0 before the first."""
        return max((step.round for step in self.steps), default=0)

    @property
    def current(self) -> tuple[OfferedStep, ...]:
        """The steps offered last."""
        return tuple(step for step in self.steps if step.round == self.round)
