"""A log that just stops: the process vanished without a word."""

from bot.intake.crash.log import Log, Sign
from bot.intake.crash.match import Chosen
from bot.intake.crash.view import View
from bot.knowledge.signatures import Signatures

_LAST_LINES = 12
_TAIL = 8


def just_ends(view: View, signatures: Signatures, log: Log, chosen: Chosen | None) -> bool:
    """No error, and the shell's prompt is back, or the last line is one of loading or quantizing.

    A run that finished does not count. Whether it is still running is for the prose to say.
    """
    if (
        (chosen is not None and chosen.fatal)
        or not log.signs
        or any(word.encode() in view.squeezed for word in signatures.file.finished)
    ):
        return False
    last = log.signs[-1]
    if (
        has_begun(log, signatures)
        and last.phase in signatures.file.ends_in
        and (len(log.markers) > 1 or _stands_alone(view, last))
    ):
        return True
    return _prompt_is_back(view, signatures, view.line_of(last.offset))


def has_begun(log: Log, signatures: Signatures) -> bool:
    """Whether the log shows more than its head, which people paste for the config in it."""
    return any(sign.marker is None or sign.marker.id not in signatures.file.heads for sign in log.signs)


def _stands_alone(view: View, sign: Sign) -> bool:
    """Whether the marker is all there is on its line: nobody's sentence that happens to begin alike."""
    if sign.marker is None or sign.marker.at == "any":
        return True
    length = len(sign.marker.text.encode())
    return view.end_of_line(sign.offset) - sign.offset <= length + _TAIL


def _prompt_is_back(view: View, signatures: Signatures, last_line: int) -> bool:
    prompt = signatures.pattern(signatures.file.prompts)
    behind = view.lines[last_line + 1 : last_line + 1 + _LAST_LINES]
    return any(prompt.search(line.text.strip()[:240].encode("utf-8", "replace")) for line in behind)
