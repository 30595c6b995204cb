"""What the readers of a config's sections share: keys and their places, and the facts in the making."""

from typing import NamedTuple

from bot.evidence import ConfigDocument
from bot.facts import Fact, FactValue, Place
from bot.yamledit import format_path
from bot.yamledit.path import Path

_SHOWN = 160


class ConfigKey(NamedTuple):
    """A key of a config; for a list item, the item itself."""

    document: ConfigDocument
    parts: Path

    @property
    def path(self) -> str:
        """The way from the document's own root."""
        return format_path(self.parts)

    @property
    def place(self) -> Place | None:
        """The line on which the key stands, in the source that was pasted."""
        document = self.document
        start = document.parsed.start_of(self.parts)
        if start is None:
            return None
        text = document.text
        first, end = text.rfind("\n", 0, start) + 1, text.find("\n", start)
        shown = text[first : min(end if end >= 0 else len(text), first + 4 * _SHOWN)].strip()
        return Place(document.source, document.line_at(text.count("\n", 0, start)), shown[:_SHOWN])


class Draft:
    """The facts of one config while its sections are read."""

    def __init__(self, document: ConfigDocument) -> None:
        self.facts: dict[str, Fact] = {}
        self._document = document

    def key(self, path: Path) -> ConfigKey:
        """The key at the end of a path."""
        return ConfigKey(self._document, path)

    def written(self, name: str, value: FactValue, path: Path) -> None:
        """A value that stands in the config."""
        self.facts[name] = Fact(value, "config", ConfigKey(self._document, path))

    def default(self, name: str, value: FactValue) -> None:
        """A value that the toolkit takes because the key is absent."""
        self.facts[name] = Fact(value, "default")

    def derived(self, name: str, value: FactValue) -> None:
        """A value that follows from the others."""
        self.facts[name] = Fact(value, "derived")

    def either(self, name: str, value: FactValue, path: Path | None) -> None:
        """A value from the key at `path`, or the default where there is none."""
        if path is None:
            self.default(name, value)
        else:
            self.written(name, value, path)
