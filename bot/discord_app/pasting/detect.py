"""Which messages in a channel are worth a look: the first, cheap half of the decision whether to answer.

Policy, in the order of the code:

1. Bots, webhooks and Discord's own notices are never answered.
2. A message that mentions the bot, or that comes as a direct message, is always dealt with.
3. Elsewhere only channels that an admin has opted in count, and not those set to "mention only"; but whoever has a
   case open in a channel (ten minutes) may add to that one.
4. A file that may be a config or a log, a link to a known paste site, a line that only a program prints, or several
   different words of a config make a message a paste. The engine then has the last word: without a config, a crash or
   a log of the toolkit in it (`Answer.sure`) the bot stays silent.
5. A picture alone, said or named to show an error, gets the sentence about where the text is to be found.
6. From somebody whose case is open here, the rest of a config that was sent in several messages is a paste, and a
   line that may tell the hardware is worth a look too.
7. Everything else is talk, and silence is the answer.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import re2

from bot.intake.text.rows import HEADS
from bot.knowledge.pastes import Pastes

LINK = re.compile(r"https://[^\s<>()\[\]\"'`|]{4,400}")
# Lines of a config below each other, known keys or not: what is left of one that was sent in several messages.
_CONTINUED = re2.compile(
    r"(?m)^[ \t>]*(?:- )?[\"']?[a-z_]{2,40}[\"']?:(?: .*)?\n[ \t>]*(?:- )?[\"']?[a-z_]{2,40}[\"']?:(?: |$)"
)
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
class Look:
    """What the decision needs of a message. `files` are the names of its attachments, forwarded ones included."""

    text: str
    files: Sequence[str] = ()
    human: bool = True
    addressed: bool = False
    opted_in: bool = False
    mention_only: bool = False
    case_open: bool = False
    to_somebody: bool = False

    @property
    def is_listened_to(self) -> bool:
        """Whether every message of this place counts."""
        return self.addressed or (self.opted_in and not self.mention_only)

    @property
    def is_follow_up(self) -> bool:
        """Whether the message counts for no more than the case that is open."""
        return not self.is_listened_to


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

    def process(self, look: Look) -> Decision:
        """The decision; see the policy above."""
        if not look.human:
            return Decision.SILENT
        if not look.is_listened_to and not look.case_open:
            return Decision.SILENT
        if self.is_paste(look):
            return Decision.PASTE
        if look.is_listened_to and self._is_error_picture(look):
            return Decision.PICTURE
        if look.case_open and not look.to_somebody and self.may_tell_hardware(look.text):
            return Decision.DETAIL
        return Decision.CALL if look.addressed else Decision.SILENT

    def is_paste(self, look: Look) -> bool:
        """Point 4 of the policy."""
        if look.files and any(name.lower().endswith(self.files) for name in look.files):
            return True
        text = look.text
        if self.is_crash(text):
            return True
        broken = "\n" in text or any(head in text for head in HEADS)  # a config may have lost its line breaks
        if broken and len(self._config.Match(text) or ()) >= self._pastes.config_at_least:
            return True
        if look.case_open and "\n" in text and _CONTINUED.search(text) is not None:
            return True
        return "https://" in text and bool(self.links(text))

    def is_crash(self, text: str) -> bool:
        """Whether a line that only a program prints is in a text."""
        return self._crash.search(text) is not None

    def links(self, text: str) -> tuple[str, ...]:
        """The plain-text addresses of the paste-site links in a text."""
        found = (self._pastes.raw_address(link.rstrip(".,;:!?*_~")) for link in LINK.findall(text))
        return tuple(dict.fromkeys(address for address in found if address))

    def _is_error_picture(self, look: Look) -> bool:
        if not look.files:
            return False
        names = [name.lower() for name in look.files]
        if not all(name.endswith(self.pictures) for name in names):
            return False
        if look.addressed or any(name.startswith(self._pastes.picture_names) for name in names):
            return True
        text = look.text.lower()
        return any(word in text for word in self._pastes.picture_words)

    def may_tell_hardware(self, text: str) -> bool:
        """Point 6 of the policy."""
        return len(text) <= HARDWARE_CHARS and self._hardware.search(text) is not None
