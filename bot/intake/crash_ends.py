"""A log that just stops: the process vanished without a word."""

from bot.intake.crash_log import Log
from bot.intake.crash_match import Chosen
from bot.intake.crash_view import View
from bot.knowledge.signatures import Signatures

_LAST_LINES = 12


def just_ends(view: View, signatures: Signatures, log: Log, chosen: Chosen | None) -> bool:
    """No error, and the shell's prompt is back, or the last line is one of loading or quantizing.

    A run that finished does not count. Whether it is still running is for the prose to say.
    """
    if chosen is not None or not log.signs or any(word.encode() in view.squeezed for word in signatures.file.finished):
        return False
    last = log.signs[-1]
    return last.phase in signatures.file.ends_in or _prompt_is_back(view, signatures, view.line_of(last.offset))


def _prompt_is_back(view: View, signatures: Signatures, last_line: int) -> bool:
    prompt = signatures.pattern(signatures.file.prompts)
    behind = view.lines[last_line + 1 : last_line + 1 + _LAST_LINES]
    return any(prompt.search(line.text.strip()[:240].encode("utf-8", "replace")) for line in behind)
