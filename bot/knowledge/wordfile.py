"""A locale file read entry by entry.

A reply needs few of its thousand sentences, and parsing all of them costs more than the whole diagnosis. So the text is
cut at its first- and second-level keys, and an entry (`rules.top-bucket`) is parsed when it is first asked for.
"""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SECTION = re.compile(r"^(?=[\w-]+:)", re.MULTILINE)
_ENTRY = re.compile(r"^  (?=[\w-]+:|\"[\w-]+\":)", re.MULTILINE)


class WordFile:
    """The words of one language by dotted key."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._entries: dict[tuple[str, str], Any] = {}

    @cached_property
    def all(self) -> Mapping[str, Any]:
        """The whole file as nested mappings."""
        return _parsed(self._text) or {}

    @cached_property
    def _sections(self) -> dict[str, dict[str, str]]:
        """The text of every second-level entry, by section and key; one that has none stands under the empty key."""
        made = {}
        for text in _SECTION.split(self._text)[1:]:
            name, _, below = text.partition(":")
            entries = _ENTRY.split(below)
            keys = {entry.partition(":")[0].strip('"'): entry for entry in entries[1:]}
            made[name] = keys or {"": text}
        return made

    def node(self, key: str) -> Any:
        """What stands under a dotted key, or None."""
        section, _, rest = key.partition(".")
        entries = self._sections.get(section)
        if entries is None:
            return None
        if not rest or "" in entries:
            return _descend(self.all, key)
        name, _, deeper = rest.partition(".")
        if name not in entries:
            return None
        at = section, name
        if at not in self._entries:
            self._entries[at] = next(iter(_parsed(entries[name]).values()))
        return _descend(self._entries[at], deeper) if deeper else self._entries[at]


def _parsed(text: str) -> Any:
    return yaml.load(text, Loader=_LOADER)  # noqa: S506 a safe loader, the C one, on a file of ours


def _descend(node: Any, key: str) -> Any:
    for part in key.split("."):
        node = node.get(part) if isinstance(node, Mapping) else None
    return node
