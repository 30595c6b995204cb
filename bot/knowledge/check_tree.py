"""Rules and the tree: ids given twice, keys that ai-toolkit does not read, nodes that nothing leads to, circles."""

from collections.abc import Callable, Iterator
from functools import partial

from bot.knowledge.complaint import Complaint, Complaints, nearest_line
from bot.knowledge.folder import located
from bot.knowledge.keys import keys_of
from bot.knowledge.load import Knowledge
from bot.knowledge.reading import read_as
from bot.knowledge.schema import Rule, Tree
from bot.yamledit import parse_path


def rule_faults(knowledge: Knowledge) -> Complaints:
    """Ids given twice, and patch paths that ai-toolkit does not read."""
    seen: dict[str, str] = {}
    for file in sorted((knowledge.folder / "rules").glob("*.yaml")):
        parsed = located(file)
        name = file.relative_to(knowledge.folder).as_posix()
        for index, raw in enumerate(parsed.data):
            place = partial(Complaint, name, nearest_line(parsed, (index,)))
            rule = read_as(Rule, raw)
            if rule.id in seen:
                yield place(f"rule id {rule.id} stands in {seen[rule.id]} too", "give one of them another id")
            seen[rule.id] = name
            yield from _fix_faults(rule, knowledge, place)


def _fix_faults(rule: Rule, knowledge: Knowledge, place: Callable[[str, str], Complaint]) -> Complaints:
    known = keys_of(knowledge).known
    for path in rule.fix.set if rule.fix else ():
        section, *rest = (part for part in parse_path(path) if isinstance(part, str) and part != "*")
        if not rest or rest[0] not in known.get(section, ()):
            yield place(f"{rule.id}: ai-toolkit reads no key at {path}", "correct the path, or add it to keys.yaml")


def tree_faults(knowledge: Knowledge) -> Complaints:
    """Nodes and rules that do not exist, nodes that nothing leads to, and circles."""
    parsed, tree = located(knowledge.folder / "tree.yaml"), knowledge.tree
    for name, node in tree.nodes.items():
        place = partial(Complaint, "tree.yaml", nearest_line(parsed, ("nodes", name)))
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
        line = nearest_line(parsed, ("nodes", name))
        yield Complaint("tree.yaml", line, f"nothing leads to {name}", "lead an answer to it or take it out")
    if circle is not None:
        line = nearest_line(parsed, ("nodes", circle))
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
