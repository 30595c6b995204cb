"""A config as the engine changes it: paths from the process root, whatever the document's own root is."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from bot.evidence import ConfigDocument
from bot.yamledit.path import Path


class View(NamedTuple):
    """Reads values by process path; `None` document means that nothing but a snippet can be offered."""

    document: ConfigDocument | None

    @property
    def process(self) -> Any:
        """The process mapping: where `train`, `model`, … stand."""
        if self.document is None:
            return {}
        data = self.document.parsed.data
        for part in self.document.root:
            data = data[part]
        if self.document.homes is not None:
            return _housed(data, self.document.homes)
        return data if isinstance(data, dict) else {}

    def get(self, path: Path) -> Any:
        """The value at a process path, or None."""
        data: Any = self.process
        for part in path:
            if isinstance(part, int):
                if not isinstance(data, list) or part >= len(data):
                    return None
                data = data[part]
            else:
                if not isinstance(data, dict):
                    return None
                data = data.get(part)
        return data

    def editable(self, path: Path) -> bool:
        """Whether a change at this path can be made in the document itself (its section stands there)."""
        document = self.document
        if document is None:
            return False
        section = path[0]
        if section in self.process and self.process[section] is not None:
            if document.homes is not None and len(set(document.homes.values())) > 1 and self.get(path) is None:
                return False  # a new key among keys of several sections would be anybody's
            if document.cut and section == list(self.process)[-1] and self.get(path) is None:
                return False  # it may stand in the part that is cut off
            return len(path) < 3 or path[0] != "datasets" or self.get(path[:2]) is not None
        return bool(document.root) and not document.cut

    def document_path(self, path: Path) -> Path:
        """The process path, from the document's root."""
        document = self.document
        if document is None:
            return path
        if document.homes is not None:  # what stands there without its section
            path = path[2:] if path[0] == "datasets" and "" not in document.homes else path[1:]
        return (*document.root, *path)

    def told_path(self, path: Path) -> Path:
        """The path as a diagnosis names it: from a whole job's root, and else from the process, however it was cut out."""
        root = self.document.root if self.document else ()
        return (*(root if root[:1] == ("config",) else ()), *path)

    def datasets(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Each dataset entry that is a mapping, with its index."""
        entries = self.get(("datasets",))
        for index, entry in enumerate(entries if isinstance(entries, list) else []):
            if isinstance(entry, dict):
                yield index, entry


def _housed(data: Any, homes: Mapping[str, str]) -> dict[str, Any]:
    """Keys that stand without a parent, each in the section that it is of."""
    if isinstance(data, list):
        return {homes[""]: data} if "" in homes else {}
    made: dict[str, Any] = {}
    for key, name in homes.items():
        made.setdefault(name, {})[key] = data.get(key)
    if "datasets" in made:
        made["datasets"] = [made["datasets"]]
    return made
