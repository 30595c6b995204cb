"""What the run was doing when it failed: from the frames of the last trace, else from the log above the error."""

from typing import NamedTuple

from bot.intake.crash.log import Log
from bot.intake.crash.match import Chosen, Match
from bot.intake.crash.view import View
from bot.knowledge.signatures import Signatures

_TRACE = b"traceback(mostrecentcalllast)"
_FRAME = b",line"


class Trace(NamedTuple):
    """The last stack trace of a failure, squeezed; empty where there is none. `phase` by its frames."""

    text: bytes
    phase: str | None
    name: str | None


NO_TRACE = Trace(b"", None, None)


def read_trace(view: View, signatures: Signatures, log: Log, match: Match) -> Trace:
    """Find the trace and look its frames up, first row first; the whole failure where the last trace says nothing."""
    start, end = match.span
    last = view.squeezed.rfind(_TRACE, start, end)
    failure = view.squeezed[start:end]
    if last == -1 and _FRAME not in failure and b".py:" not in failure:
        return NO_TRACE
    for text in (view.squeezed[last:end], failure) if last != -1 else (failure,):
        rows = signatures.any_frame.matching(text)
        if rows:
            frame = signatures.file.frames[rows[0]]
            doing = log.phase_before(match.start) if frame.as_ else None
            return Trace(text, doing or frame.phase, frame.name)
    return Trace(failure, None, None)


def phase_of(chosen: Chosen, trace: Trace, log: Log) -> str | None:
    """The phase in the contract's words. An error that was survived has the phase that the log reached."""
    if chosen.masked:
        return "quantize"
    if not chosen.fatal and chosen.match.signature.severity != "recovered":
        return log.signs[-1].phase if log.signs else None
    return trace.phase or chosen.match.signature.phase or log.phase_before(chosen.match.start)
