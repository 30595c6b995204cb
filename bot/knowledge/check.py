"""What a moderator runs after a change: every fault of knowledge/ with file, line and remedy.

The schema is checked first, file by file; what can only be seen across files (a tree that cannot be reached, words that
are missing in a language, a rule without a case) once the files themselves are sound.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter, ValidationError

from bot.knowledge.builds import Build
from bot.knowledge.complaint import Complaint, Complaints, located
from bot.knowledge.load import Knowledge
from bot.knowledge.reading import read_as
from bot.knowledge.schema import Rule, Tree
from bot.yamledit import LimitError, Parsed, ParseError, parse_path

Reader = Callable[[Knowledge], object]


def check(knowledge: Knowledge, readers: Mapping[str, Reader] = MappingProxyType({})) -> list[Complaint]:
    """Every fault, the files' own first. Empty: the knowledge is sound.

    `readers` are those of files that other parts of the program own, by file: they are tried like those known here.
    """
    own = [complaint for file, shape in _shapes(knowledge) for complaint in _file_faults(knowledge, file, shape)]
    own += [
        fault
        for file in sorted((knowledge.folder / "locales").glob("*.yaml"))
        for fault in _yaml_faults(knowledge, file)
    ]
    own += [
        fault for file, reader in {**_readers(), **readers}.items() for fault in _read_faults(knowledge, file, reader)
    ]
    if own:
        return own
    return [complaint for part in _parts() for complaint in part(knowledge)]


def _parts() -> tuple[Callable[[Knowledge], Complaints], ...]:
    """What is checked across files."""
    from bot.knowledge.check_cases import case_faults
    from bot.knowledge.check_values import pattern_faults, value_faults
    from bot.knowledge.check_words import word_faults

    return (_rule_faults, _tree_faults, value_faults, pattern_faults, word_faults, case_faults)


def _shapes(knowledge: Knowledge) -> Iterator[tuple[Path, TypeAdapter[Any]]]:
    """The files whose shape is a model of bot/knowledge/schema.py, each with that model."""
    for file in sorted((knowledge.folder / "rules").glob("*.yaml")):
        yield file, TypeAdapter(tuple[Rule, ...])
    yield knowledge.folder / "tree.yaml", TypeAdapter(Tree)
    yield knowledge.folder / "builds.yaml", TypeAdapter(tuple[Build, ...])


def _yaml_faults(knowledge: Knowledge, file: Path) -> Complaints:
    """A file of words that is no YAML; what it says is checked against the others."""
    name = file.relative_to(knowledge.folder).as_posix()
    try:
        if not isinstance(located(file).data, Mapping):
            yield Complaint(name, 1, "holds no words", "copy locales/en.yaml and translate it")
    except ParseError as error:
        yield Complaint(name, error.line, f"is not YAML: {error.problem}", "mend that line")


def _file_faults(knowledge: Knowledge, file: Path, shape: TypeAdapter[Any]) -> Complaints:
    name = file.relative_to(knowledge.folder).as_posix()
    try:
        parsed = located(file)
        shape.validate_python(parsed.data)
    except OSError as error:
        yield Complaint(name, 1, f"cannot be read: {error.strerror}", "put the file back")
    except ParseError as error:
        yield Complaint(name, error.line, f"is not YAML: {error.problem}", "mend that line")
    except LimitError as error:
        yield Complaint(name, 1, str(error), "split the file")
    except ValidationError as error:
        for fault in error.errors():
            yield Complaint(name, _line(parsed, fault["loc"]), _fault_words(fault), "see bot/knowledge/schema.py")


def _line(parsed: Parsed, loc: tuple[int | str, ...]) -> int:
    """The line of the longest part of an error's location that stands in the file."""
    path = tuple(part for part in loc if isinstance(part, int) or not part.startswith("function-"))
    lines = (parsed.line_of(path[:length]) for length in range(len(path), 0, -1))
    return next((line for line in lines if line is not None), 1)


def _fault_words(fault: Any) -> str:
    where = ".".join(str(part) for part in fault["loc"])
    unknown = fault["type"] == "extra_forbidden"
    return f"{where}: {'there is no such key' if unknown else fault['msg'].removeprefix('Value error, ')}"


def _readers() -> dict[str, Reader]:
    """The files that have a model and a reader of their own."""
    from bot.knowledge.families import Families
    from bot.knowledge.gpus import Gpus
    from bot.knowledge.hosts import hosts_of
    from bot.knowledge.keys import keys_of
    from bot.knowledge.pastes import Pastes
    from bot.knowledge.phrases import Phrases
    from bot.knowledge.settings import settings_of
    from bot.knowledge.signatures import Signatures
    from bot.knowledge.tools import tools_of

    return {
        "signatures.yaml": Signatures.load, "families.yaml": Families.load, "gpus.yaml": Gpus.load,
        "phrases.yaml": Phrases.load, "keys.yaml": keys_of, "hosts.yaml": hosts_of, "settings.yaml": settings_of,
        "tools.yaml": tools_of, "pastes.yaml": Pastes.load,
    }  # fmt: skip


def _read_faults(knowledge: Knowledge, file: str, reader: Reader) -> Complaints:
    try:
        reader(knowledge)
    except ValidationError as error:
        parsed = located(knowledge.folder / file)
        for fault in error.errors():
            yield Complaint(file, _line(parsed, fault["loc"]), _fault_words(fault), "mend the entry")
    except ParseError as error:
        yield Complaint(file, error.line, f"is not YAML: {error.problem}", "mend that line")
    except (ValueError, OSError, TypeError, KeyError) as error:
        yield Complaint(file, 1, f"does not load: {' '.join(str(error).split())}", "mend the entry it names")


def _rule_faults(knowledge: Knowledge) -> Complaints:
    """Ids given twice, and patch paths that ai-toolkit does not read."""
    seen: dict[str, str] = {}
    for file in sorted((knowledge.folder / "rules").glob("*.yaml")):
        parsed = located(file)
        name = file.relative_to(knowledge.folder).as_posix()
        for index, raw in enumerate(parsed.data):
            place = partial(Complaint, name, parsed.line_of((index,)) or 1)
            rule = read_as(Rule, raw)
            if rule.id in seen:
                yield place(f"rule id {rule.id} stands in {seen[rule.id]} too", "give one of them another id")
            seen[rule.id] = name
            yield from _fix_faults(rule, knowledge, place)


def _fix_faults(rule: Rule, knowledge: Knowledge, place: Callable[[str, str], Complaint]) -> Complaints:
    from bot.knowledge.keys import keys_of

    known = keys_of(knowledge).known
    for path in rule.fix.set if rule.fix else ():
        section, *rest = (part for part in parse_path(path) if isinstance(part, str) and part != "*")
        if not rest or rest[0] not in known.get(section, ()):
            yield place(f"{rule.id}: ai-toolkit reads no key at {path}", "correct the path, or add it to keys.yaml")


def _tree_faults(knowledge: Knowledge) -> Complaints:
    """Nodes and rules that do not exist, nodes that nothing leads to, and circles."""
    parsed, tree = located(knowledge.folder / "tree.yaml"), knowledge.tree
    for name, node in tree.nodes.items():
        place = partial(Complaint, "tree.yaml", parsed.line_of(("nodes", name)) or 1)
        for target in _targets(tree, name):
            if target not in tree.nodes:
                yield place(f"{name} leads to {target}, which does not exist", "add that node or correct the name")
        for rule in node.ladder:
            if rule not in knowledge.rules:
                yield place(f"{name}: there is no rule {rule}", "correct the id")
            elif knowledge.rules[rule].fix is None:
                yield place(f"{name}: rule {rule} has no fix to offer", "take it out of the ladder")
    if tree.start not in tree.nodes:
        yield Complaint("tree.yaml", 1, f"the start {tree.start} does not exist", "name a node")
        return
    reached, circle = _reach(tree)
    for name in tree.nodes.keys() - reached:
        line = parsed.line_of(("nodes", name)) or 1
        yield Complaint("tree.yaml", line, f"nothing leads to {name}", "lead an answer to it or take it out")
    if circle is not None:
        line = parsed.line_of(("nodes", circle)) or 1
        yield Complaint("tree.yaml", line, f"{circle} leads back to itself", "an answer must lead on, not back")


def _targets(tree: Tree, name: str) -> tuple[str, ...]:
    node = tree.nodes[name]
    return (*(answer.to for answer in node.answers), *((node.otherwise,) if node.otherwise else ()))


def _reach(tree: Tree) -> tuple[set[str], str | None]:
    """The nodes that can be reached, and a node that lies on a circle, if there is one."""
    reached: set[str] = set()
    circle: str | None = None
    trail: list[tuple[str, Iterator[str]]] = [(tree.start, iter(_targets(tree, tree.start)))]
    while trail:
        name, rest = trail[-1]
        reached.add(name)
        following = next((target for target in rest if target in tree.nodes), None)
        if following is None:
            trail.pop()
        elif any(following == passed for passed, _ in trail):
            circle = circle or following
        elif following not in reached:
            trail.append((following, iter(_targets(tree, following))))
    return reached, circle
