"""What the bot asks of an engine process, and what comes back: plain values that travel through a pipe."""

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.discord_app.casework.layout import Laid
from bot.discord_app.languages import Languages
from bot.intake.read import Pasted, Told

# Each pickle in the pipe stands behind its length.
LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class DiagnoseJob:
    """Diagnose a paste. `tried` are the rule ids of the steps made so far, in order."""

    pasted: tuple[Pasted, ...]
    told: Told = field(default_factory=Told)
    languages: Languages = field(default_factory=Languages)
    tried: tuple[str, ...] = ()

    def key(self) -> bytes:
        """The same for the same question."""
        digest = hashlib.blake2b(repr((self.told, self.languages, self.tried)).encode())
        for pasted in self.pasted:
            data = pasted.data.encode("utf-8", "replace") if isinstance(pasted.data, str) else pasted.data
            digest.update(len(data).to_bytes(8, "big") + pasted.name.encode("utf-8", "replace") + b"\0" + data)
        return digest.digest()


@dataclass(frozen=True, slots=True)
class FixJob:
    """Patch the person's own original: the steps tried so far and the one proposed now."""

    pasted: tuple[Pasted, ...]
    told: Told = field(default_factory=Told)
    tried: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AskJob:
    """Walk the FAQ tree. `picked` are the indices of the answers picked so far."""

    picked: tuple[int, ...]
    languages: Languages = field(default_factory=Languages)


@dataclass(frozen=True, slots=True)
class PlanJob:
    """Plan a starting config for a model and a card, both as the person wrote them."""

    model: str
    gpu: str
    languages: Languages = field(default_factory=Languages)


Job = DiagnoseJob | FixJob | AskJob | PlanJob


@dataclass(frozen=True, slots=True)
class Document:
    """A redacted text, as it is shown and stored. `kind` is `config`, `log` or `text`."""

    name: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A step that is proposed now. `ladder` is its index in the diagnosis' steps."""

    lever: str
    rule: str
    ladder: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of a DiagnoseJob. `diagnosis` is the contract's JSON object, `laid` and `why` are its words.

    `sure` says that the paste holds a config, a crash or a log of the toolkit, not merely talk of one; `fragment`, that
    it is a few lines of a config and nothing else; `hardware` is what is known of the machine; `wants_log`, that a log of the failure would tell more. `secrets` are the kinds of
    what was redacted and opens something, `redacted` the indices of documents in which anything was.
    """

    locale: str
    diagnosis: Mapping[str, Any]
    laid: Laid
    why: Laid
    documents: tuple[Document, ...]
    offers: tuple[Offer, ...]
    sure: bool
    fragment: bool
    wants_log: bool
    hardware: tuple[Any, ...]
    secrets: tuple[str, ...]
    redacted: tuple[int, ...]

    @property
    def diff(self) -> str | None:
        """The diff that goes with what is proposed now."""
        found = self.diagnosis["diff"]
        return None if found is None else str(found)


@dataclass(frozen=True, slots=True)
class Fixed:
    """The outcome of a FixJob: the whole file, or None where there is nothing that could be patched."""

    name: str
    data: bytes | None
    redacted: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """The outcome of an AskJob: a question with its answers, or, with none, what the answers lead to."""

    locale: str
    laid: Laid
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Planned:
    """The outcome of a PlanJob: the figures, with the config and a chart as files; or what the question lacks."""

    locale: str
    laid: Laid


Outcome = Answer | Fixed | Asked | Planned


class EngineError(Exception):
    """The engine gave no answer. `reason` is the key of the sentence for the person: `discord.engine.<reason>`."""

    def __init__(self, reason: Literal["busy", "slow", "broken"], detail: str = "") -> None:
        super().__init__(detail or reason)
        self.reason = reason
