"""The error that ended a run, its numbers, phase and what came before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.evidence import Crash
from bot.facts import Fact
from bot.intake.text import Line
from bot.knowledge.load import Knowledge


@dataclass(frozen=True, slots=True)
class CrashReading:
    """What a log says: the crash (None where no error text was found) and the crash.*, log.*, torch.version facts."""

    crash: Crash | None
    facts: Mapping[str, Fact]


def read_crash(source: int, lines: Sequence[Line], knowledge: Knowledge) -> CrashReading:
    """Read the cleaned lines of one source."""
    raise NotImplementedError
