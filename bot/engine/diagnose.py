"""From evidence to the verdict: facts, tree, ladder, patch, and the rules once more on the patched config."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.diagnosis import Diagnosis
from bot.engine.course import course
from bot.engine.findings import concerning, findings_of, recheck
from bot.engine.ladder import left_out
from bot.engine.memory import estimate, usable_gib, wished_gib
from bot.engine.memory_said import said
from bot.engine.outlook import outlook
from bot.engine.patched import Patched, may_edit, own_diff, own_tool, with_step
from bot.engine.walk import Outcome, walk
from bot.evidence import ConfigDocument, Evidence, value
from bot.facts import Fact, Facts
from bot.knowledge.load import Knowledge


def diagnose(evidence: Evidence, knowledge: Knowledge, *, locale: str = "en", tried: Sequence[str] = ()) -> Diagnosis:
    """The verdict on what was pasted.

    `tried` are the rule ids of the steps made so far, in order: their changes are taken as made, and the next step
    follows, its diff on top of them.
    """
    facts, outcome = _settled(evidence.facts, knowledge)
    base = Patched(evidence.config, facts)
    for number, rule_id in enumerate(tried):
        base = with_step(rule_id, base, tried[:number], knowledge)
    rules = [knowledge.rules[rule_id] for rule_id in outcome.ladder]
    steps = course(rules, base, tried, knowledge)
    memory, planned = outlook(steps.planned, base.facts, steps.beyond.facts, knowledge, own_tool=own_tool(base.facts))
    after, concerned = steps.patched, concerning(outcome, knowledge)
    findings = findings_of(concerned, base.facts)
    return Diagnosis(
        locale=locale,
        source_tool=str(value(base.facts, "tool") or "unknown"),
        problem={
            "class": outcome.problem_class,
            "phase": outcome.phase,
            "confidence": _confidence(base.facts, outcome),
        },
        model={name: value(base.facts, f"model.{name}") for name in ("arch", "family", "kind")},
        hardware=_hardware(base.facts),
        outcome=outcome.node,
        findings=findings,
        steps=tuple(item.step for item in planned),
        skipped=left_out(rules, base.facts, planned),
        diff=own_diff(planned, base, after, evidence),
        crash=_crash(evidence),
        memory=memory,
        redactions=len(evidence.redactions),
        values={name: fact.value for name, fact in base.facts.items()},
        notices=evidence.notices,
        patched=after.document.text if after.document and may_edit(evidence) else None,
        repairs=_repairs(evidence.config),
        rechecked=None if after is base else recheck(findings, concerned, after.facts),
    )


def _settled(facts: Facts, knowledge: Knowledge) -> tuple[Facts, Outcome]:
    """Where the tree leads, and the facts with all that this and the estimate add to them."""
    facts = _with_builds(facts, knowledge)
    outcome = walk(knowledge.tree, facts)
    ours = own_tool(facts)
    if outcome.problem_class == "none" and ours:
        facts = _with_estimate(facts, knowledge)
        if "estimate.over" in facts:
            outcome = walk(knowledge.tree, facts)
    if outcome.problem_class == "vram_oom" and outcome.phase == "unknown" and ours and _hopeless(facts, knowledge):
        facts = {**facts, "estimate.hopeless": Fact(True, "derived")}
        outcome = walk(knowledge.tree, facts)
    facts = _with_problem(facts, outcome)
    return ({**facts, **said(facts, knowledge)} if ours else facts), outcome


def _with_builds(facts: Facts, knowledge: Knowledge) -> Facts:
    matching = tuple(build.id for build in knowledge.builds if build.test(facts))
    return {**facts, "builds": Fact(matching, "derived")} if matching else facts


def _with_estimate(facts: Facts, knowledge: Knowledge) -> Facts:
    """With the phase of a planned run, if any, that the card is too small for.

    Weights that are only assumed count where somebody asks ahead: then the answer is for a new job.
    """
    made = estimate(facts, knowledge) if usable_gib(facts, knowledge) else None
    asks = "plan-question" in (value(facts, "says") or ())
    over = None if made is None or ("weights" in made.setup.assumed and not asks) else made.over()
    return facts if over is None else {**facts, "estimate.over": Fact(over, "derived")}


def _hopeless(facts: Facts, knowledge: Knowledge) -> bool:
    """Whether loading needs more than the card has, as it is and with every lever that a plan has."""
    made = estimate(facts, knowledge) if usable_gib(facts, knowledge) else None
    size, arch = value(facts, "gpu.vram_gib"), knowledge.families.arch(made.setup.arch) if made else None
    if made is None or arch is None or not size or made.verdict("load") != "no":
        return False
    from bot.engine.plan import plan  # a failure that hardly ever comes

    return plan(arch, size, knowledge, nearest=False).outcome == "no"


def _with_problem(facts: Facts, outcome: Outcome) -> Facts:
    settled = {"problem.class": outcome.problem_class, "problem.phase": outcome.phase}
    return {**facts, **{name: Fact(word, "derived") for name, word in settled.items()}}


def _confidence(facts: Facts, outcome: Outcome) -> str:
    if outcome.problem_class == "unknown":
        return "low"
    return "high" if value(facts, "crash.present") or outcome.problem_class == "none" else "medium"


def _hardware(facts: Facts) -> Mapping[str, Any]:
    vram = wished_gib(facts) or value(facts, "gpu.vram_gib") or value(facts, "crash.total_gib")
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
    return tuple(
        {"kind": repair.kind, "line": repair.place.line, "text": repair.place.text} for repair in document.repairs
    )
