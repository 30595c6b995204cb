"""What the rules find in the facts, with its places in the paste."""

from collections.abc import Iterable, Mapping, Sequence

from bot.diagnosis import Citation, Finding
from bot.engine.walk import Outcome
from bot.facts import Facts
from bot.knowledge.load import Knowledge
from bot.knowledge.schema import Rule

_SEVERITY = {"error": 0, "warning": 1, "info": 2}


def concerning(outcome: Outcome, knowledge: Knowledge) -> tuple[Rule, ...]:
    """The rules that may find something of interest here, in the order of the files."""
    return tuple(rule for rule in knowledge.rules.values() if rule.finding and _concerns(rule, outcome))


def findings_of(rules: Iterable[Rule], facts: Facts) -> tuple[Finding, ...]:
    """What holds in these facts, the gravest first."""
    found = [
        Finding(rule.id, rule.severity, _citations(rule, facts), {n: facts[n].value for n in rule.values if n in facts})
        for rule in rules
        if rule.test(facts)
    ]
    return tuple(sorted(found, key=lambda finding: _SEVERITY[finding.severity]))


def recheck(before: Sequence[Finding], rules: Iterable[Rule], after: Facts) -> Mapping[str, tuple[str, ...]]:
    """What the patch did to the findings."""
    was, now = [finding.rule for finding in before], [rule.id for rule in rules if rule.test(after)]
    return {
        "gone": tuple(rule for rule in was if rule not in now),
        "new": tuple(rule for rule in now if rule not in was),
    }


def _concerns(rule: Rule, outcome: Outcome) -> bool:
    """Whether a finding belongs here: what could be changed only where its ladder offers the change."""
    if rule.fix is not None and rule.id not in outcome.ladder:
        return False
    return not rule.phases or outcome.phase in rule.phases or outcome.phase == "unknown"


def _citations(rule: Rule, facts: Facts) -> tuple[Citation, ...]:
    places = [facts[name].place for name in rule.evidence if name in facts]
    return tuple(Citation(place.source, place.line, place.text) for place in places if place is not None)
