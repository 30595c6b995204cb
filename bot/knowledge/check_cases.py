"""Rules without a case that makes them fire and one that leaves them silent.

The cases stand in tests/rules/<topic>.yaml, beside the rules they prove: per rule id `fires` and `silent`, each a list of
facts by name (`train.batch_size: 4`). An installed copy has no tests: then there is nothing to check.
"""

from pathlib import Path
from typing import Any

from bot.facts import FACTS, Fact, Facts
from bot.knowledge.complaint import Complaint, Complaints, nearest_line
from bot.knowledge.folder import located
from bot.knowledge.load import Knowledge
from bot.knowledge.schema import Rule


def cases_folder(knowledge: Knowledge) -> Path:
    """Where the cases of the rules lie in the repository."""
    return knowledge.folder.parent / "tests" / "rules"


def case_faults(knowledge: Knowledge) -> Complaints:
    """Every rule needs one case of each kind, and each case must do as it says."""
    if not cases_folder(knowledge).is_dir():
        return
    for file in sorted((knowledge.folder / "rules").glob("*.yaml")):
        beside = cases_folder(knowledge) / file.name
        name = f"tests/rules/{file.name}"
        if not beside.is_file():
            yield Complaint(name, 1, "does not exist", f"write the cases of rules/{file.name}")
            continue
        parsed = located(beside)
        ids = {raw["id"] for raw in located(file).data}
        for rule_id in sorted(ids):
            line = nearest_line(parsed, (rule_id,))
            for message in _messages(knowledge.rules[rule_id], parsed.data.get(rule_id) or {}):
                yield Complaint(name, line, f"{rule_id}: {message}", "add or correct the case")
        for stray in sorted(parsed.data.keys() - ids):
            line = nearest_line(parsed, (stray,))
            yield Complaint(name, line, f"there is no rule {stray} in rules/{file.name}", "take it out")


def _messages(rule: Rule, cases: dict[str, Any]) -> list[str]:
    messages = []
    for kind, expected in (("fires", True), ("silent", False)):
        if not cases.get(kind) and not (kind == "silent" and rule.when.all == ()):
            messages.append(f"no case under `{kind}`")
        for number, given in enumerate(cases.get(kind) or ()):
            unknown = sorted(given.keys() - FACTS.keys())
            if unknown:
                messages.append(f"`{kind}` {number + 1}: there is no fact {', '.join(unknown)}")
            elif rule.test(stated(given)) is not expected:
                messages.append(f"`{kind}` {number + 1} does not do so")
    return messages


def stated(given: dict[str, Any]) -> Facts:
    """Facts as a case writes them."""
    return {name: Fact(tuple(value) if isinstance(value, list) else value, "config") for name, value in given.items()}
