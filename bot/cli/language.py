"""Which language the answer is in."""

import os

from bot.knowledge.load import Knowledge
from bot.knowledge.locale import FALLBACK, locale_tags

AUTO = "auto"


def terminal_language() -> str | None:
    """The language part of the first locale variable that is set: `de` for `LANG=de_AT.UTF-8`."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return value.split(".")[0].split("@")[0].replace("-", "_").split("_")[0].lower()
    return None


def pick_language(wanted: str, knowledge: Knowledge, prose: str | None = None) -> str:
    """The named language; for `auto` that of the prose in the paste, else the terminal's, else English."""
    if wanted != AUTO:
        return wanted
    tags = locale_tags(knowledge.folder)
    return next((tag for tag in (prose, terminal_language()) if tag in tags and tag is not None), FALLBACK)
