"""Which messages in a channel are worth a look: the first, cheap half of the decision whether to answer.

Policy, in the order of the code:

1. Bots, webhooks and Discord's own notices are never answered.
2. A message that mentions the bot, or that comes as a direct message, is always dealt with.
3. Elsewhere only channels that an admin has opted in count, and not those set to "mention only".
4. A file that may be a config or a log, a link to a known paste site, a line that only a program prints, or several
   different words of a config make a message a paste. The engine then has the last word: without a config, a crash or
   a log of the toolkit in it (`Answer.sure`) the bot stays silent.
5. A picture alone, said or named to show an error, gets the sentence about where the text is to be found.
6. From somebody whose case is open here (ten minutes), a line that may tell the hardware is a look worth too.
7. Everything else is talk, and silence is the answer.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import re2

from bot.knowledge.pastes import Pastes

LINK = re.compile(r"https://[^\s<>()\[\]\"'`|]{4,400}")
# Longer lines about hardware are stories; they are left to people.
HARDWARE_CHARS = 300


class Decision(Enum):
    """What to do with a message."""

    SILENT = "silent"
    PASTE = "paste"
    PICTURE = "picture"
    DETAIL = "detail"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class Seen:
    """What the decision needs of a message. `files` are the names of its attachments, forwarded ones included."""

    text: str
    files: Sequence[str] = ()
    human: bool = True
    addressed: bool = False
    opted_in: bool = False
    mention_only: bool = False
    case_open: bool = False
    to_somebody: bool = False


class Detector:
    """`process` decides on one message; some microseconds for a line of talk."""

    def __init__(self, pastes: Pastes) -> None:
        self.adopt(pastes)

    def adopt(self, pastes: Pastes) -> None:
        """Decide by these from now on."""
        self._pastes = pastes
        self.files, self.pictures = pastes.files, pastes.pictures
        # One pass over the text for all the literals of a kind.
        self._crash = re2.compile("|".join(map(re2.escape, pastes.crash)))
        self._hardware = re2.compile("(?i)" + "|".join(map(re2.escape, pastes.hardware)))
        self._config = re2.Set.SearchSet()
        for word in pastes.config:
            self._config.Add(re2.escape(word))
        self._config.Compile()

    def process(self, seen: Seen) -> Decision:
        """The decision; see the policy above."""
        if not seen.human:
            return Decision.SILENT
        if not seen.addressed and (not seen.opted_in or seen.mention_only):
            return Decision.SILENT
        if self.is_paste(seen):
            return Decision.PASTE
        if self._is_error_picture(seen):
            return Decision.PICTURE
        if seen.case_open and not seen.to_somebody and self.may_tell_hardware(seen.text):
            return Decision.DETAIL
        return Decision.CALL if seen.addressed else Decision.SILENT

    def is_paste(self, seen: Seen) -> bool:
        """Point 4 of the policy."""
        if seen.files and any(name.lower().endswith(self.files) for name in seen.files):
            return True
        text = seen.text
        if self.is_crash(text):
            return True
        if "\n" in text and len(self._config.Match(text) or ()) >= self._pastes.config_at_least:
            return True
        return "https://" in text and bool(self.links(text))

    def is_crash(self, text: str) -> bool:
        """Whether a line that only a program prints is in a text."""
        return self._crash.search(text) is not None

    def links(self, text: str) -> tuple[str, ...]:
        """The plain-text addresses of the paste-site links in a text."""
        found = (self._pastes.raw_address(link.rstrip(".,;:!?*_~")) for link in LINK.findall(text))
        return tuple(dict.fromkeys(address for address in found if address))

    def _is_error_picture(self, seen: Seen) -> bool:
        if not seen.files:
            return False
        names = [name.lower() for name in seen.files]
        if not all(name.endswith(self.pictures) for name in names):
            return False
        if seen.addressed or any(name.startswith(self._pastes.picture_names) for name in names):
            return True
        text = seen.text.lower()
        return any(word in text for word in self._pastes.picture_words)

    def may_tell_hardware(self, text: str) -> bool:
        """Point 6 of the policy."""
        return len(text) <= HARDWARE_CHARS and self._hardware.search(text) is not None
