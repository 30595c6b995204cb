"""The FAQ decision tree, walked by evidence: the first answer that holds decides, else the node's `otherwise`."""

from typing import NamedTuple

from bot.facts import Facts
from bot.knowledge.schema import Node, Tree


class Outcome(NamedTuple):
    """Where the walk ended: the leaf's id and ladder, and the class and phase settled on the way."""

    node: str
    ladder: tuple[str, ...]
    problem_class: str
    phase: str
    path: tuple[str, ...]


def walk(tree: Tree, facts: Facts) -> Outcome:
    """Follow the tree from its start to an outcome. A later node's class or phase replaces an earlier one's."""
    name, problem_class, phase = tree.start, "unknown", "unknown"
    path: list[str] = []
    while True:
        node = tree.nodes[name]
        path.append(name)
        problem_class, phase = node.class_ or problem_class, node.phase or phase
        if node.ladder:
            return Outcome(name, node.ladder, problem_class, _phase(phase, facts), tuple(path))
        name, problem_class, phase = _next(node, facts, problem_class, phase)


def _next(node: Node, facts: Facts, problem_class: str, phase: str) -> tuple[str, str, str]:
    for answer in node.answers:
        if answer.test(facts):
            return answer.to, answer.class_ or problem_class, answer.phase or phase
    return node.otherwise or "", problem_class, phase


def _phase(settled: str, facts: Facts) -> str:
    """The settled phase; where the tree left it open, what the crash or the log's last marker shows."""
    if settled != "unknown":
        return settled
    for name in ("crash.phase", "log.phase"):
        if name in facts:
            return str(facts[name].value)
    return settled
