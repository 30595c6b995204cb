"""A config with steps made in it, and what that changes in the person's own file."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.diagnosis import PathPatch
from bot.engine.config_view import View
from bot.engine.ladder import Planned, edits, plan
from bot.engine.overlay import after as overlaid
from bot.evidence import ConfigDocument, Evidence, value
from bot.facts import Facts
from bot.intake.config.read import config_facts
from bot.knowledge.load import Knowledge
from bot.yamledit import EditError, apply, unified_diff


@dataclass(frozen=True, slots=True)
class Patched:
    """The config after the steps tried so far, or after the step proposed now."""

    document: ConfigDocument | None
    facts: Facts


def own_tool(facts: Facts) -> bool:
    """Other trainers are answered in words: their files are never edited, nor are keys of ours shown for them."""
    return value(facts, "tool") in {None, "ai-toolkit", "unknown"}


def may_edit(evidence: Evidence) -> bool:
    """Whether there is a config, and it is ai-toolkit's."""
    return evidence.config is not None and value(evidence.facts, "tool") in {None, "ai-toolkit"}


def with_step(rule_id: str, base: Patched, before: Sequence[str], knowledge: Knowledge) -> Patched:
    """With a tried step's changes made: in the document, or in the facts alone where it cannot be edited there."""
    planned = plan(knowledge.rules[rule_id], base.facts, View(base.document), before.count(rule_id))
    if planned is None or not planned.changes:
        return base
    if base.document is not None and not planned.step.snippet and own_tool(base.facts):
        try:
            return _apply(planned, base, knowledge)
        except EditError:
            # The person was shown lines to paste instead (patch_now); what the file looks like since then is not known.
            base = replace(base, document=None)
    return replace(base, facts=overlaid(planned.changes, base.facts))


def _apply(planned: Planned, base: Patched, knowledge: Knowledge) -> Patched:
    document = base.document
    if document is None:
        return base
    edited = apply(document.parsed, edits(planned.changes, View(document)))
    changed = replace(document, text=edited.parsed.text, parsed=edited.parsed)
    made, _ = config_facts(changed, knowledge, document)
    return Patched(changed, _refreshed(base.facts, made))


def _refreshed(facts: Facts, made: Facts) -> Facts:
    """The facts with what was read of the config again; what came from elsewhere stays."""
    kept = {name: fact for name, fact in facts.items() if fact.origin not in {"config", "default"}}
    return {**facts, **{name: fact for name, fact in made.items() if name not in kept}}


def in_words(planned: Sequence[Planned]) -> list[Planned]:
    """Steps for another trainer: the changes tell what to do, but no key of ours is shown."""
    return [item._replace(step=item.step._replace(patches=(), snippet=False)) for item in planned]


def patch_now(now: Planned, base: Patched, knowledge: Knowledge) -> tuple[Planned, Patched]:
    """With the step proposed now made in the document; where it cannot be edited there, the step becomes a snippet."""
    if not own_tool(base.facts) or not now.changes or now.step.snippet:
        return now, base
    try:
        return now, _apply(now, base, knowledge)
    except EditError as error:
        return _as_snippet(now, error), base


def _as_snippet(item: Planned, error: EditError) -> Planned:
    patches = tuple(PathPatch(_process_path(patch.path), None, patch.new) for patch in item.step.patches)
    values = {**(item.step.values or {}), "refused": error.reason}
    return item._replace(step=item.step._replace(patches=patches, snippet=True, values=values))


def _process_path(path: str) -> str:
    return path.removeprefix("config.process[0].")


def own_diff(planned: Sequence[Planned], base: Patched, after: Patched, evidence: Evidence) -> str | None:
    """What changes in the person's own file. Repairs alone are no change of a step that could not be made there."""
    document = after.document
    if document is None or base.document is None or evidence.config is None or not may_edit(evidence):
        return None
    if after is base and any(item.step.now and item.changes for item in planned):
        return None
    before, now = base.document.text, document.text
    broken, above = evidence.config.broken, 0
    if broken is not None and evidence.config.cut:
        before, now = _without_closing(broken, before, now)
    elif broken is not None and base.document is evidence.config:
        before, above = broken, document.above
    source = evidence.sources[evidence.config.source]
    if evidence.config.end - evidence.config.start < len(
        source.text
    ):  # cut out of more text: its last line ends as well
        before, now = _ended(before), _ended(now)
    return unified_diff(before, now, source.name, line_at=lambda row: document.line_at(row + above)) or None


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def _without_closing(broken: str, before: str, now: str) -> tuple[str, str]:
    """A config cut off at its end was closed for reading only: those last lines are not the person's."""
    lines, patched = before.splitlines(keepends=True), now.splitlines(keepends=True)
    own = broken.splitlines(keepends=True)[: len(lines)]
    theirs = len(own)
    while theirs and lines[theirs - 1] != own[theirs - 1]:
        theirs -= 1
    if not theirs:
        return before, now  # cut at its head instead
    return "".join(lines[:theirs]), "".join(patched[: len(patched) - len(lines) + theirs])
