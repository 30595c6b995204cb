"""Names inside conditions that nothing bears, so that the condition never holds, and phrases that no condition names."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, get_args

from bot.knowledge.complaint import Complaint, Complaints, nearest_line
from bot.knowledge.conditions import Condition
from bot.knowledge.folder import located
from bot.knowledge.load import Knowledge
from bot.knowledge.schema import Class, Phase


def value_faults(knowledge: Knowledge) -> Complaints:
    """Each condition of tree, rules and builds whose value is none that its fact can have."""
    known = _known(knowledge)
    for place, where, condition in _conditions(knowledge):
        for fact, value in _values(condition):
            if fact in known and value not in known[fact]:
                yield place(f"{where}: {fact} is never {value!r}", "correct the name, or add what it stands for")


def phrase_faults(knowledge: Knowledge) -> Complaints:
    """Phrases that no condition asks for, and that neither state a fact nor take another phrase back."""
    asked = {
        value for _, _, condition in _conditions(knowledge) for fact, value in _values(condition) if fact == "says"
    }
    parsed = located(knowledge.folder / "phrases.yaml")
    for slug, phrase in knowledge.phrases.phrases.items():
        if slug not in asked and not (phrase.states or phrase.drops or phrase.covers):
            line = nearest_line(parsed, ("phrases", slug))
            yield Complaint("phrases.yaml", line, f"nothing asks for {slug}", "ask for it in a rule, or take it out")


def _conditions(knowledge: Knowledge) -> Iterator[tuple[Callable[[str, str], Complaint], str, Condition | None]]:
    """Every condition, with what makes a complaint at its place and with the name of what it belongs to."""
    tree = located(knowledge.folder / "tree.yaml")
    for name, node in knowledge.tree.nodes.items():
        place = partial(Complaint, "tree.yaml", nearest_line(tree, ("nodes", name)))
        yield from ((place, f"{name}.{answer.id}", answer.when) for answer in node.answers)
    for file in sorted((knowledge.folder / "rules").glob("*.yaml")):
        parsed = located(file)
        for index, raw in enumerate(parsed.data):
            rule = knowledge.rules[raw["id"]]
            place = partial(Complaint, f"rules/{file.name}", nearest_line(parsed, (index,)))
            yield from ((place, rule.id, condition) for condition in (rule.when, *(skip.when for skip in rule.skip)))
    place = partial(Complaint, "builds.yaml", 1)
    yield from ((place, build.id, build.when) for build in knowledge.builds)


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


def _values(condition: Condition | None) -> Iterator[tuple[str, Any]]:
    """Every value that a condition compares a fact with."""
    if condition is None:
        return
    if condition.fact is not None:
        named = (condition.is_, *(condition.in_ or ()), condition.has, *(condition.has_any or ()))
        yield from ((condition.fact, value) for value in named if value is not None)
    for part in (*(condition.all or ()), *(condition.any or ()), *((condition.not_,) if condition.not_ else ())):
        yield from _values(part)
