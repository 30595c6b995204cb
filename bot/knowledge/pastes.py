"""`knowledge/pastes.yaml`: what is worth a look in a channel, and which paste sites are read."""

import re
from functools import cached_property
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

from bot.knowledge.reading import read_as
from bot.knowledge.record import Record, matching

if TYPE_CHECKING:
    from bot.knowledge.folder import DataFolder

Literal_ = Annotated[str, matching("(?s).{2,60}")]
_SLOT = re.compile(r"\{([a-z]+)(\.\.\.)?\}")
_PART, _REST = "[A-Za-z0-9._-]{1,100}", "[A-Za-z0-9._/%-]{1,300}"


class PasteSite(Record):
    """One kind of address of a paste site."""

    host: Annotated[str, matching(r"[a-z0-9.-]+")]
    path: Annotated[str, matching(r"/.*")]
    raw: Annotated[str, matching(r"https://.*")]

    def _check(self) -> None:
        unknown = {slot for slot, _ in _SLOT.findall(self.raw)} - {slot for slot, _ in _SLOT.findall(self.path)}
        if unknown:
            raise ValueError(f"`raw` uses {', '.join(sorted(unknown))}, which `path` does not name")
        if "{" in urlsplit(self.raw).netloc:
            raise ValueError("the host in `raw` must be written out")

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What the path of a link must look like. Linear: each part is bounded and ends at a slash."""
        made, at = "", 0
        for slot in _SLOT.finditer(self.path):
            made += re.escape(self.path[at : slot.start()]) + f"(?P<{slot[1]}>{_REST if slot[2] else _PART})"
            at = slot.end()
        return re.compile(made + re.escape(self.path[at:]) + "/?")

    def raw_address(self, path: str) -> str | None:
        """Where the text of a link's path lies, or None where the path is of another kind."""
        match = self.pattern.fullmatch(path)
        if match is None or ".." in path:
            return None
        return _SLOT.sub(lambda slot: match[slot[1]], self.raw)


class Pastes(Record):
    """The whole file."""

    hosts: tuple[PasteSite, ...]
    crash: tuple[Literal_, ...]
    config_at_least: int
    config: tuple[Literal_, ...]
    files: tuple[Literal_, ...]
    pictures: tuple[Literal_, ...]
    picture_words: tuple[Literal_, ...]
    picture_names: tuple[Literal_, ...]
    hardware: tuple[Literal_, ...]

    def _check(self) -> None:
        if self.config_at_least < 1:
            raise ValueError("`config_at_least` counts words: one or more")

    @classmethod
    def load(cls, knowledge: "DataFolder") -> "Pastes":
        """Read the file. Raises pydantic.ValidationError."""
        return read_as(cls, knowledge.read("pastes.yaml"))

    def raw_address(self, link: str) -> str | None:
        """The plain-text address of a link to a known paste site, or None."""
        parts = urlsplit(link)
        if parts.scheme != "https" or parts.username is not None or parts.port not in {None, 443}:
            return None
        host = (parts.hostname or "").removeprefix("www.")
        found = (site.raw_address(parts.path) for site in self.hosts if site.host == host)
        return next((address for address in found if address), None)
