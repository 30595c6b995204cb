"""From evidence to the verdict: facts, tree, ladder, patch, and the rules once more on the patched config."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.diagnosis import Citation, Diagnosis, Finding, PathPatch
from bot.engine.config_view import View
from bot.engine.ladder import Planned, climb, edits, mark_now, plan
from bot.engine.memory import estimate, usable_gib
from bot.engine.outlook import outlook
from bot.engine.walk import Outcome, walk
from bot.evidence import ConfigDocument, Evidence, value
from bot.facts import Fact, Facts
from bot.intake.config.read import config_facts
from bot.knowledge.load import Knowledge
from bot.knowledge.schema import Rule
from bot.yamledit import EditError, apply, unified_diff

_SEVERITY = {"error": 0, "warning": 1, "info": 2}


@dataclass(frozen=True, slots=True)
class _Patched:
    """The config after the steps tried so far, or after the step proposed now."""

    document: ConfigDocument | None
    facts: Facts


def diagnose(
    evidence: Evidence, knowledge: Knowledge, *, locale: str = "en", tried: Sequence[str] = ()
) -> Diagnosis:
    """The verdict on what was pasted.

    `tried` are the rule ids of the steps made so far, in order: their changes are taken as made, and the next step
    follows, its diff on top of them.
    """
    base = _Patched(evidence.config, _with_builds(evidence.facts, knowledge))
    outcome = walk(knowledge.tree, base.facts)
    if outcome.problem_class == "none" and _own_tool(base.facts):
        facts = _with_estimate(base.facts, knowledge)
        if facts is not base.facts:
            base = replace(base, facts=facts)
            outcome = walk(knowledge.tree, base.facts)
    base = replace(base, facts=_with_problem(base.facts, outcome))
    for number, rule_id in enumerate(tried):
        base = _after(rule_id, base, tried[:number], knowledge)
    view = View(base.document)
    rules = [knowledge.rules[rule_id] for rule_id in outcome.ladder]
    planned, skipped = climb(rules, base.facts, view, tried)
    exhausted = {rule_id for rule_id in tried if not _moves(knowledge.rules[rule_id])}
    planned = mark_now([item for item in planned if item.step.rule not in exhausted])
    planned, after = _patch_now(planned, base, knowledge)
    memory, planned = outlook(planned, base.facts, knowledge, own_tool=_own_tool(base.facts))
    findings = _findings(outcome, base.facts, knowledge)
    return Diagnosis(
        locale=locale,
        source_tool=str(value(base.facts, "tool") or "unknown"),
        problem={"class": outcome.problem_class, "phase": outcome.phase, "confidence": _confidence(base.facts, outcome)},
        model={name: value(base.facts, f"model.{name}") for name in ("arch", "family", "kind")},
        hardware=_hardware(base.facts),
        outcome=outcome.node,
        findings=findings,
        steps=tuple(item.step for item in planned),
        skipped=tuple(skipped),
        diff=_diff(planned, base, after, evidence),
        crash=_crash(evidence),
        memory=memory,
        redactions=len(evidence.redactions),
        values={name: fact.value for name, fact in base.facts.items()},
        notices=evidence.notices,
        patched=after.document.text if after.document and _may_edit(evidence) else None,
        repairs=_repairs(evidence.config),
        rechecked=None if after is base else _recheck(findings, _holding(outcome, after.facts, knowledge)),
    )


def _moves(rule: Rule) -> bool:
    """Whether a rule's step can be made again, further down: a batch of 8 is halved more than once."""
    return rule.fix is not None and rule.fix.move is not None


def _with_builds(facts: Facts, knowledge: Knowledge) -> Facts:
    matching = tuple(build.id for build in knowledge.builds if build.test(facts))
    return {**facts, "builds": Fact(matching, "derived")} if matching else facts


def _with_estimate(facts: Facts, knowledge: Knowledge) -> Facts:
    """With the phase of a planned run, if any, that the card is too small for."""
    made = estimate(facts, knowledge) if usable_gib(facts, knowledge) else None
    over = None if made is None else made.over()
    return facts if over is None else {**facts, "estimate.over": Fact(over, "derived")}


def _with_problem(facts: Facts, outcome: Outcome) -> Facts:
    settled = {"problem.class": outcome.problem_class, "problem.phase": outcome.phase}
    return {**facts, **{name: Fact(word, "derived") for name, word in settled.items()}}


def _own_tool(facts: Facts) -> bool:
    """Other trainers are answered in words: their files are never edited, nor are keys of ours shown for them."""
    return value(facts, "tool") in {None, "ai-toolkit", "unknown"}


def _may_edit(evidence: Evidence) -> bool:
    return evidence.config is not None and value(evidence.facts, "tool") in {None, "ai-toolkit"}


def _after(rule_id: str, base: _Patched, before: Sequence[str], knowledge: Knowledge) -> _Patched:
    """The config once a tried step's changes are made."""
    planned = plan(knowledge.rules[rule_id], base.facts, View(base.document), before.count(rule_id))
    if planned is None or planned.step.snippet or not planned.changes:
        return base
    return _apply(planned, base, knowledge)


def _apply(planned: Planned, base: _Patched, knowledge: Knowledge) -> _Patched:
    document = base.document
    if document is None:
        return base
    edited = apply(document.parsed, edits(planned.changes, View(document)))
    changed = replace(document, text=edited.parsed.text, parsed=edited.parsed)
    made, _ = config_facts(changed, knowledge, document)
    return _Patched(changed, _refreshed(base.facts, made))


def _refreshed(facts: Facts, made: Facts) -> Facts:
    """The facts with what was read of the config again; what came from elsewhere stays."""
    kept = {name: fact for name, fact in facts.items() if fact.origin not in {"config", "default"}}
    return {**facts, **{name: fact for name, fact in made.items() if name not in kept}}


def _patch_now(planned: list[Planned], base: _Patched, knowledge: Knowledge) -> tuple[list[Planned], _Patched]:
    """Apply the step proposed now; where the document cannot be edited there, the step becomes a snippet."""
    if not _own_tool(base.facts):
        return [item._replace(step=item.step._replace(patches=(), snippet=False)) for item in planned], base
    for index, item in enumerate(planned):
        if item.step.now and item.changes and not item.step.snippet:
            try:
                return planned, _apply(item, base, knowledge)
            except EditError as error:
                planned[index] = _as_snippet(item, error)
    return planned, base


def _as_snippet(item: Planned, error: EditError) -> Planned:
    patches = tuple(PathPatch(_process_path(patch.path), None, patch.new) for patch in item.step.patches)
    values = {**(item.step.values or {}), "refused": error.reason}
    return item._replace(step=item.step._replace(patches=patches, snippet=True, values=values))


def _process_path(path: str) -> str:
    return path.removeprefix("config.process[0].")


def _diff(planned: Sequence[Planned], base: _Patched, after: _Patched, evidence: Evidence) -> str | None:
    """What changes in the person's own file. Repairs alone are no change of a step that could not be made there."""
    document = after.document
    if document is None or base.document is None or evidence.config is None or not _may_edit(evidence):
        return None
    if after is base and any(item.step.now and item.changes for item in planned):
        return None
    before, now = base.document.text, document.text
    broken = evidence.config.broken
    if broken is not None and evidence.config.cut:
        before, now = _without_closing(broken, before, now)
    elif broken is not None and base.document is evidence.config:
        before = broken
    source = evidence.sources[evidence.config.source]
    if evidence.config.end - evidence.config.start < len(source.text):  # cut out of more text: its last line ends as well
        before, now = _ended(before), _ended(now)
    return unified_diff(before, now, source.name) or None


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def _without_closing(broken: str, before: str, now: str) -> tuple[str, str]:
    """A config cut off at its end was closed for reading only: those last lines are not the person's."""
    lines, patched = before.splitlines(keepends=True), now.splitlines(keepends=True)
    pairs = zip(lines, broken.splitlines(keepends=True), strict=False)
    theirs = next((at for at, (line, old) in enumerate(pairs) if line != old), len(lines))
    if not theirs:
        return before, now  # cut at its head instead
    return "".join(lines[:theirs]), "".join(patched[: len(patched) - len(lines) + theirs])


def _holding(outcome: Outcome, facts: Facts, knowledge: Knowledge) -> Iterator[Rule]:
    """The rules that find something, in the order of the files."""
    return (rule for rule in knowledge.rules.values() if rule.finding and _concerns(rule, outcome) and rule.test(facts))


def _findings(outcome: Outcome, facts: Facts, knowledge: Knowledge) -> tuple[Finding, ...]:
    found = [
        Finding(rule.id, rule.severity, _citations(rule, facts), {n: facts[n].value for n in rule.values if n in facts})
        for rule in _holding(outcome, facts, knowledge)
    ]
    return tuple(sorted(found, key=lambda finding: _SEVERITY[finding.severity]))


def _recheck(before: Sequence[Finding], after: Iterable[Rule]) -> Mapping[str, tuple[str, ...]]:
    """What the patch did to the findings."""
    was, now = [finding.rule for finding in before], [rule.id for rule in after]
    return {"gone": tuple(rule for rule in was if rule not in now), "new": tuple(rule for rule in now if rule not in was)}


def _concerns(rule: Rule, outcome: Outcome) -> bool:
    """Whether a finding belongs here: what could be changed only where its ladder offers the change."""
    if rule.fix is not None and rule.id not in outcome.ladder:
        return False
    return not rule.phases or outcome.phase in rule.phases or outcome.phase == "unknown"


def _citations(rule: Rule, facts: Facts) -> tuple[Citation, ...]:
    places = [facts[name].place for name in rule.evidence if name in facts]
    return tuple(Citation(place.source, place.line, place.text) for place in places if place is not None)


def _confidence(facts: Facts, outcome: Outcome) -> str:
    if outcome.problem_class == "unknown":
        return "low"
    return "high" if value(facts, "crash.present") or outcome.problem_class == "none" else "medium"


def _hardware(facts: Facts) -> Mapping[str, Any]:
    vram = value(facts, "gpu.vram_gib") or value(facts, "crash.total_gib")
    return {
        "gpu": value(facts, "gpu.name"),
        "vram_gib": round(vram, 2) if vram else None,
        "ram_gib": value(facts, "host.ram_gib"),
    }


def _crash(evidence: Evidence) -> Mapping[str, Any] | None:
    crash = evidence.crash
    if crash is None:
        return None
    shown = ("signature", "error", "backend", "gpu_index", "step")
    return {**{name: getattr(crash, name) for name in shown}, "numbers": dict(crash.numbers)}


def _repairs(document: ConfigDocument | None) -> tuple[Mapping[str, Any], ...]:
    if document is None:
        return ()
    return tuple({"kind": repair.kind, "line": repair.place.line, "text": repair.place.text} for repair in document.repairs)
