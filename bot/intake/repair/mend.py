"""Configs as they were pasted, read: as they are where they parse, with the certain repairs where they do not.

Most configs parse. So what looks for repairs (`bot.intake.repair.mender`) is only loaded for one that does not, or that looks
as if it did not mean what it says.
"""

from bot.intake.repair.result import LINES, LONGEST, Mend, Mended, attempt
from bot.intake.repair.suspicion import is_suspicious
from bot.yamledit import Parsed

__all__ = ["LONGEST", "Mend", "Mended", "mend"]


def mend(text: str) -> Mended | None:
    """The text with the certain repairs made, or None where nothing certain makes it parse as a config.

    A text that needs no repair comes back as it is, with no mends: this is the one call for reading a config.
    """
    first = attempt(text)
    is_short = len(text) <= LONGEST and text.count("\n") < LINES
    if isinstance(first, Parsed) and not (is_short and is_suspicious(first)):
        return Mended(text, (), cut=False, parsed=first)
    if not is_short:
        return None
    from bot.intake.repair.mender import Mender

    return Mender(text).run(first)
