"""Names inside conditions that nothing bears: such a condition would never hold."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from bot.knowledge.complaint import Complaint, Complaints, nearest_line
from bot.knowledge.conditions import Condition
from bot.knowledge.folder import located
from bot.knowledge.load import Knowledge
from bot.knowledge.schema import Class, Phase


def value_faults(knowledge: Knowledge) -> Complaints:
    """Each condition of tree, rules and builds whose value is none that its fact can have."""
    known = _known(knowledge)
    tree = located(knowledge.folder / "tree.yaml")
    for name, node in knowledge.tree.nodes.items():
        for answer in node.answers:
            line = nearest_line(tree, ("nodes", name))
            yield from _faults("tree.yaml", line, f"{name}.{answer.id}", answer.when, known)
    for file in sorted((knowledge.folder / "rules").glob("*.yaml")):
        name, parsed = file.relative_to(knowledge.folder).as_posix(), located(file)
        for index, raw in enumerate(parsed.data):
            rule = knowledge.rules[raw["id"]]
            for condition in (rule.when, *(skip.when for skip in rule.skip)):
                yield from _faults(name, nearest_line(parsed, (index,)), rule.id, condition, known)
    for build in knowledge.builds:
        yield from _faults("builds.yaml", 1, build.id, build.when, known)


def _known(knowledge: Knowledge) -> Mapping[str, frozenset[str]]:
    """The values that a fact can have, where the knowledge itself names them all."""
    families = knowledge.families
    archs = {arch for full in families.archs for arch in (full, full.partition(":")[0])}
    signatures = frozenset(knowledge.signatures.by_id)
    return {
        "says": frozenset(knowledge.phrases.phrases),
        "builds": frozenset(build.id for build in knowledge.builds),
        "crash.signature": signatures,
        "model.arch": frozenset(archs),
        "model.family": frozenset(arch.family for arch in families.archs.values()),
        "problem.class": frozenset(get_args(Class)), "crash.class": frozenset(get_args(Class)),
        "problem.phase": frozenset(get_args(Phase)), "crash.phase": frozenset(get_args(Phase)),
        "log.phase": frozenset(get_args(Phase)),
    }  # fmt: skip


def _faults(
    file: str, line: int, where: str, condition: Condition | None, known: Mapping[str, frozenset[str]]
) -> Complaints:
    for fact, value in _values(condition):
        if fact in known and value not in known[fact]:
            yield Complaint(
                file, line, f"{where}: {fact} is never {value!r}", "correct the name, or add what it stands for"
            )


def _values(condition: Condition | None) -> Iterator[tuple[str, Any]]:
    """Every value that a condition compares a fact with."""
    if condition is None:
        return
    if condition.fact is not None:
        named = (condition.is_, *(condition.in_ or ()), condition.has, *(condition.has_any or ()))
        yield from ((condition.fact, value) for value in named if value is not None)
    for part in (*(condition.all or ()), *(condition.any or ()), *((condition.not_,) if condition.not_ else ())):
        yield from _values(part)
