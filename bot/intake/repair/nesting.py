"""Which section of an ai-toolkit job a key belongs to (knowledge/nesting.yaml and keys.yaml)."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from bot.knowledge.folder import data_folder
from bot.knowledge.load import Knowledge


class Container(NamedTuple):
    """A section: the one around it, whether it is a list, the keys that it (or each of its items) holds.

    `shared` are keys that belong to the section around it as long as that one has none.
    """

    name: str
    inside: str
    is_list: bool
    keys: frozenset[str]
    shared: frozenset[str] = frozenset()


class Nesting(NamedTuple):
    """Every section by name, the keys of the document's root, and every key there is."""

    containers: Mapping[str, Container]
    document: frozenset[str]
    known: frozenset[str]

    def likeliest(self, keys: Iterable[str], *, is_list: bool | None = None) -> str | None:
        """The section that holds most of the keys, if one alone does; of lists alone, or of others, if asked for."""
        keys = tuple(keys)
        ranked = sorted(
            ((sum(key in made.keys for key in keys), name) for name, made in self.containers.items()
             if name != "first_sample" and is_list in {None, made.is_list}),
            reverse=True,
        )  # fmt: skip
        if not ranked or not ranked[0][0] or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
            return None
        return ranked[0][1]


@cache
def nesting() -> Nesting:
    """Where keys belong, read once."""
    knowledge = Knowledge(data_folder())
    sections = knowledge.read("keys.yaml")["sections"]
    shape = knowledge.read("nesting.yaml")
    made = {}
    for name, written in shape["containers"].items():
        section = sections.get(written.get("section"), {})
        keys = " ".join((section.get("watched") or "", section.get("known") or "", written.get("keys", "")))
        made[name] = Container(
            name, written["in"], bool(written.get("list")), frozenset(keys.split()),
            frozenset(written.get("shared", "").split()),
        )  # fmt: skip
    inner = {key: container.inside for key, container in made.items()}
    complete = {
        name: Container(
            name, container.inside, container.is_list,
            container.keys.union(key for key, inside in inner.items() if inside == name), container.shared,
        )
        for name, container in made.items()
    }  # fmt: skip
    document = frozenset(shape["document"].split())
    return Nesting(complete, document, document.union(complete, *(container.keys for container in complete.values())))
