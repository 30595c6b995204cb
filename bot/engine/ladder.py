"""From a ladder of rules to steps: which apply, what each changes in this config, and which the evidence rules out."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from bot.diagnosis import PathPatch, Skipped, Step
from bot.engine.change import Change, Changes, Told
from bot.engine.config_view import View
from bot.engine.moves import MOVES
from bot.facts import Facts
from bot.knowledge.schema import Fix, Rule
from bot.yamledit import Patch, format_path, parse_path
from bot.yamledit.path import Path


class Planned(NamedTuple):
    """A step with the changes behind it, so that it can be applied to the document."""

    step: Step
    changes: Changes


def climb(rules: Iterable[Rule], facts: Facts, view: View, tried: Sequence[str] = ()) -> Iterator[Planned]:
    """The steps of a ladder in order, one a lever. Each is planned when it is asked for."""
    taken: set[str] = set()
    for rule in rules:
        if rule.fix is None or rule.fix.lever in taken or _skipped(rule, facts) is not None:
            continue
        made = plan(rule, facts, view, tried.count(rule.id)) if rule.test(facts) else None
        if made is not None:
            taken.add(rule.fix.lever)
            yield made


def left_out(rules: Iterable[Rule], facts: Facts, planned: Iterable[Planned]) -> tuple[Skipped, ...]:
    """The steps of a ladder that the evidence rules out, with their reasons; not those whose lever is used otherwise."""
    levers = {item.step.lever for item in planned}
    return tuple(
        Skipped(rule.fix.lever, rule.id, reason, _values(rule, facts))
        for rule in rules
        if rule.fix is not None and rule.fix.lever not in levers and (reason := _skipped(rule, facts)) is not None
    )


def _skipped(rule: Rule, facts: Facts) -> str | None:
    for skip in rule.skip:
        if skip.test(facts):
            return skip.say
    return None


def plan(rule: Rule, facts: Facts, view: View, tried: int = 0) -> Planned | None:
    """One rule's step, or None where its fix finds nothing to change."""
    fix = rule.fix
    if fix is None:
        return None
    changes = _changes(fix, facts, view, tried)
    if not changes and (fix.set or fix.move):
        return None
    snippet = bool(changes) and not all(view.editable(change.path) for change in changes)
    patches = tuple(_patch(change, view, snippet) for change in changes)
    values = _values(rule, facts)
    if patches:
        told = changes[0].told or Told(str(changes[0].path[-1]), patches[0].old, patches[0].new)
        values |= {"old": _said(told.old), "new": _said(told.new), "key": told.key}
    step = Step(fix.lever, rule.id, fix.safety, now=False, patches=patches, snippet=snippet, values=values)
    return Planned(step, changes)


def _changes(fix: Fix, facts: Facts, view: View, tried: int) -> Changes:
    made = MOVES[fix.move](facts, view, tried) if fix.move else ()
    return (*made, *(change for path, new in fix.set.items() for change in _set(parse_path(path), new, view)))


def _set(path: Path, new: Any, view: View) -> Iterator[Change]:
    """A written value; `datasets[*]` (parsed as the key `*`) means every dataset."""
    if len(path) > 1 and path[1] == "*":
        for index in [index for index, _ in view.datasets()] or [0]:
            yield from _set((path[0], index, *path[2:]), new, view)
        return
    written = view.get(path)
    if written is None and new is False and view.editable(path):
        return  # every switch that a rule turns off is off where the document does not have it
    if written != new or isinstance(written, bool) != isinstance(new, bool):
        yield Change(path, new)


def _patch(change: Change, view: View, snippet: bool) -> PathPatch:
    if snippet:
        return PathPatch(format_path(change.path), None, change.new)
    return PathPatch(format_path(view.told_path(change.path)), view.get(change.path), change.new)


def edits(changes: Changes, view: View) -> tuple[Patch, ...]:
    """The symbolic patches that make these changes in the document."""
    return tuple(_edit(change, view) for change in changes)


def _edit(change: Change, view: View) -> Patch:
    path = view.document_path(change.path)
    if change.drop is not None:
        return Patch("remove_item", path, change.drop)
    present = isinstance(view.get(change.path[:-1]), dict | list) and _has(view.get(change.path[:-1]), change.path[-1])
    return Patch("replace" if present else "add", path, change.new)


def _has(container: Any, key: str | int) -> bool:
    return key in container if isinstance(container, dict) else isinstance(key, int) and key < len(container)


def _said(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else "" if value is None else value


def _values(rule: Rule, facts: Facts) -> dict[str, Any]:
    return {name: facts[name].value for name in (*rule.values, *rule.evidence) if name in facts}
