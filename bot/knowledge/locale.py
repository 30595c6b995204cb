"""The words of one language: `knowledge/locales/<tag>.yaml`, keyed, with placeholders and CLDR plurals.

A leaf of a locale file is one of

- a sentence: `"Batch size is {train.batch_size}."`
- plural forms, chosen by the value of `count` or of the fact that `of` names: `{of: log.banners, one: …, other: …}`
- a list of leaves: the first whose placeholders are all known is taken

A placeholder is `{name}` or `{name:format}`: a fact's name or a value that the caller gives. Formats: `percent` (0.6 is
60 %) and `size` (GiB, or MiB below one). Config values keep the spelling of the config (`true`, `1024`); fractions take
the language's decimal sign, inside of back-ticks the config's; lists are parted by commas. In a sentence whose values
are not all known, the parts that need the unknown ones are left out, full stop by full stop.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.knowledge.spoken import render_code, render_value
from bot.knowledge.wordfile import WordFile

if TYPE_CHECKING:
    import babel

    from bot.knowledge.load import Knowledge

FALLBACK = "en"
PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_.]*)(?::(percent|size))?\}")
CATEGORIES = frozenset({"zero", "one", "two", "few", "many", "other"})
_SENTENCE_END = re.compile(r"(?<=[.!?:;]) +")

Leaf = str | Mapping[str, Any] | Sequence[Any]


class MissingWords(KeyError):  # noqa: N818 a missing key, named for what is missing
    """No text under this key, in the language or in English."""


def locale_tags(folder: Path) -> tuple[str, ...]:
    """The languages that knowledge/ has a file for, English first."""
    found = sorted(file.stem for file in (folder / "locales").glob("*.yaml"))
    return tuple(sorted(found, key=lambda tag: tag != FALLBACK))


def is_leaf(node: object) -> bool:
    """Whether a node of a locale file is words, not a section."""
    if isinstance(node, Mapping):
        return "other" in node and set(node) - {"of"} <= CATEGORIES
    return isinstance(node, str | list)


def leaves(node: Any, prefix: str = "") -> Iterator[tuple[str, Leaf]]:
    """Every leaf below a node with its dotted key."""
    if is_leaf(node) or not isinstance(node, Mapping):
        yield prefix, node
        return
    for key, below in node.items():
        yield from leaves(below, f"{prefix}.{key}" if prefix else str(key))


def sentences(leaf: Leaf) -> Iterator[str]:
    """Every sentence that a leaf may become."""
    if isinstance(leaf, str):
        yield leaf
    elif isinstance(leaf, Mapping):
        yield from (words for form, words in leaf.items() if form != "of")
    else:
        for option in leaf:
            yield from sentences(option)


class Locale:
    """One language. `text` never raises on values; it raises MissingWords on a key that no language has."""

    def __init__(self, tag: str, file: WordFile, knowledge: "Knowledge | None" = None) -> None:
        self.tag = tag
        self.knowledge = knowledge
        self._file = file
        self._leaves: dict[str, Leaf | None] = {}

    @classmethod
    def load(cls, knowledge: "Knowledge", tag: str) -> "Locale":
        """Read one language; English is read only when a key is missing in it. Raises FileNotFoundError."""
        path = knowledge.folder / "locales" / f"{tag}.yaml"
        return cls(tag, WordFile(path.read_text(encoding="utf-8")), knowledge)

    @property
    def words(self) -> Mapping[str, Any]:
        """The whole file, nested; parses all of it."""
        return self._file.all

    @cached_property
    def english(self) -> "Locale | None":
        """The language to fall back on; None for English itself."""
        return self.knowledge.locale(FALLBACK) if self.knowledge is not None and self.tag != FALLBACK else None

    @cached_property
    def babel(self) -> "babel.Locale":
        """Number and plural rules of the language."""
        from babel import Locale as Rules

        return Rules.parse(self.tag.replace("-", "_"))

    @cached_property
    def decimal_sign(self) -> str:
        """What stands before the fraction of a number."""
        return self.text("numbers.decimal")

    def percent(self, hundredths: int) -> str:
        """A share, with its sign where the language puts it."""
        return self.text("numbers.percent", value=hundredths)

    def leaf(self, key: str) -> Leaf | None:
        """The words under a key in this very language, or None."""
        if key not in self._leaves:
            node = self._file.node(key)
            self._leaves[key] = node if is_leaf(node) else None
        return self._leaves[key]

    def has(self, key: str) -> bool:
        """Whether there are words under a key, here or in English."""
        return self.leaf(key) is not None or (self.english is not None and self.english.has(key))

    def below(self, key: str) -> tuple[str, ...]:
        """The names directly below a section, in the file's order."""
        node = self._file.node(key)
        if node is None and self.english is not None:
            return self.english.below(key)
        return tuple(node) if isinstance(node, Mapping) else ()

    def text(self, key: str, values: Mapping[str, Any] | None = None, /, **given: Any) -> str:
        """The words under a key with their values filled in. Raises MissingWords."""
        leaf = self.leaf(key)
        if leaf is None:
            if self.english is None:
                raise MissingWords(key)
            return self.english.text(key, values, **given)
        return self._fill(leaf, {**(values or {}), **given})

    def find(self, key: str, values: Mapping[str, Any] | None = None, /, **given: Any) -> str:
        """Like `text`, but empty where no language has the key."""
        return self.text(key, values, **given) if self.has(key) else ""

    def _fill(self, leaf: Leaf, values: Mapping[str, Any]) -> str:
        if isinstance(leaf, str):
            return self._sentence(leaf, values)
        if isinstance(leaf, Mapping):
            return self._fill(self._plural(leaf, values), values)
        for option in leaf[:-1]:
            chosen = self._plural(option, values) if isinstance(option, Mapping) else option
            if all(match[1] in values for match in PLACEHOLDER.finditer(chosen)):
                return self._sentence(chosen, values)
        return self._fill(leaf[-1], values)

    def _plural(self, forms: Mapping[str, str], values: Mapping[str, Any]) -> str:
        count = values.get(forms.get("of", "count"))
        if not isinstance(count, int | float) or isinstance(count, bool):
            return forms["other"]
        return forms.get(str(self.babel.plural_form(count)), forms["other"])

    def _sentence(self, words: str, values: Mapping[str, Any]) -> str:
        if "{" not in words:
            return words
        if any(match[1] not in values for match in PLACEHOLDER.finditer(words)):
            kept = [part for part in _SENTENCE_END.split(words) if self._complete(part, values)]
            words = " ".join(kept)
        return PLACEHOLDER.sub(lambda match: self._value(match, values[match[1]]), words)

    def _value(self, match: re.Match[str], value: Any) -> str:
        in_code = match.string.count("`", 0, match.start()) % 2 and match[2] is None
        return render_code(value) if in_code else render_value(self, value, match[2])

    @staticmethod
    def _complete(part: str, values: Mapping[str, Any]) -> bool:
        return all(match[1] in values for match in PLACEHOLDER.finditer(part))
