"""Names inside conditions that nothing bears, and patterns that cannot be read: nothing would ever match them."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args

import re2

from bot.knowledge.complaint import Complaint, Complaints
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
            line = tree.line_of(("nodes", name)) or 1
            yield from _faults("tree.yaml", line, f"{name}.{answer.id}", answer.when, known)
    for file in sorted((knowledge.folder / "rules").glob("*.yaml")):
        name, parsed = file.relative_to(knowledge.folder).as_posix(), located(file)
        for index, raw in enumerate(parsed.data):
            rule = knowledge.rules[raw["id"]]
            for condition in (rule.when, *(skip.when for skip in rule.skip)):
                yield from _faults(name, parsed.line_of((index,)) or 1, rule.id, condition, known)
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


def pattern_faults(knowledge: Knowledge) -> Complaints:
    """Patterns of phrases and log lines that RE2 does not take."""
    phrases, lines = located(knowledge.folder / "phrases.yaml"), located(knowledge.folder / "lines.yaml")
    for slug, phrase in knowledge.phrases.phrases.items():
        for key, patterns in (("patterns", phrase.patterns), ("other_scripts", phrase.other_scripts)):
            for at, pattern in enumerate(patterns):
                line = phrases.line_of(("phrases", slug, key, at)) or phrases.line_of(("phrases", slug)) or 1
                yield from _pattern_fault("phrases.yaml", line, slug, pattern)
    for name, patterns in lines.data.items():
        for at, pattern in enumerate(patterns):
            yield from _pattern_fault("lines.yaml", lines.line_of((name, at)) or 1, name, pattern)


def _pattern_fault(file: str, line: int, where: str, pattern: str) -> Complaints:
    try:
        re2.compile(pattern, _quiet())
    except re2.error as error:
        said = error.args[0].decode() if isinstance(error.args[0], bytes) else str(error)
        yield Complaint(
            file, line, f"{where}: this pattern cannot be read: {said}", "mend it; RE2 knows no look-around"
        )


@cache
def _quiet() -> Any:
    options = re2.Options()
    options.log_errors = False
    return options
