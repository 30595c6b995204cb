"""What the readers of a config's sections share: places of keys, and the facts in the making."""

from bisect import bisect_right
from functools import lru_cache

import yaml

from bot.evidence import ConfigDocument, Path
from bot.facts import Fact, FactValue, Place
from bot.yamledit import format_path

_SHOWN = 160


@lru_cache(maxsize=256)
def default_fact(value: FactValue, kind: str) -> Fact:  # noqa: ARG001 the kind keeps 1 and True apart in the cache
    """The fact that the toolkit's own default holds."""
    return Fact(value, "default")


class Locator:
    """Finds the line of a key; each mapping on the way is walked once."""

    def __init__(self, document: ConfigDocument) -> None:
        self._document = document
        self._children: dict[Path, dict[str | int, tuple[yaml.Node, yaml.Node]]] = {}
        self._starts: list[int] = []

    def place(self, path: Path) -> Place | None:
        """The line where the last key of a path stands, in the source that was pasted."""
        node = self._named(path)
        if node is None:
            return None
        text = self._document.text
        if not self._starts:
            self._starts = [0]
            at = text.find("\n")
            while at >= 0:
                self._starts.append(at + 1)
                at = text.find("\n", at + 1)
        line = bisect_right(self._starts, node.start_mark.index) - 1
        end = self._starts[line + 1] - 1 if line + 1 < len(self._starts) else len(text)
        shown = text[self._starts[line] : min(end, self._starts[line] + 4 * _SHOWN)].strip()
        return Place(self._document.source, self._document.line + line, shown[:_SHOWN])

    def _named(self, path: Path) -> yaml.Node | None:
        if not path:
            return self._document.parsed.node
        pair = self._inside(path[:-1]).get(path[-1])
        return pair[0] if pair else None

    def _inside(self, path: Path) -> dict[str | int, tuple[yaml.Node, yaml.Node]]:
        known = self._children.get(path)
        if known is None:
            node = self._node(path)
            known = self._children[path] = _children(node) if node is not None else {}
        return known

    def _node(self, path: Path) -> yaml.Node | None:
        if not path:
            return self._document.parsed.node
        pair = self._inside(path[:-1]).get(path[-1])
        return pair[1] if pair else None


def _children(node: yaml.Node) -> dict[str | int, tuple[yaml.Node, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        return {key.value: (key, value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return {index: (item, item) for index, item in enumerate(node.value)}
    return {}


class Draft:
    """The facts of one config while its sections are read."""

    def __init__(self, document: ConfigDocument) -> None:
        self.facts: dict[str, Fact] = {}
        self.locator = Locator(document)

    def written(self, name: str, value: FactValue, path: Path) -> None:
        """A value that stands in the config."""
        self.facts[name] = Fact(value, "config", self.locator.place(path), format_path(path))

    def default(self, name: str, value: FactValue) -> None:
        """A value that the toolkit takes because the key is absent."""
        self.facts[name] = default_fact(value, type(value).__name__)

    def derived(self, name: str, value: FactValue) -> None:
        """A value that follows from the others."""
        self.facts[name] = Fact(value, "derived")

    def either(self, name: str, value: FactValue, path: Path | None) -> None:
        """A value from the key at `path`, or the default where there is none."""
        if path is None:
            self.default(name, value)
        else:
            self.written(name, value, path)
