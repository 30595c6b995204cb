"""Words that are missing, left over, or speak of values that nobody gives, in any language."""

from collections.abc import Iterator

from bot.facts import FACTS
from bot.knowledge.complaint import Complaint, Complaints, nearest_line
from bot.knowledge.folder import located
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import FALLBACK, PLACEHOLDER, Leaf, leaves, locale_tags, sentences

# Given beside the facts: what a step changes.
_STEP_VALUES = frozenset({"old", "new", "key", "refused"})
# The sections whose keys follow from rules, tree and builds; those of the others are asked for by code.
_DERIVED = ("rules", "outcomes", "tree", "builds")


def word_faults(knowledge: Knowledge) -> Complaints:
    """English against rules, tree and builds; then each language against English."""
    languages = {tag: _Words(knowledge, tag) for tag in locale_tags(knowledge.folder)}
    english = languages[FALLBACK]
    yield from _derived_faults(knowledge, english)
    for tag, words in languages.items():
        if tag != FALLBACK:
            yield from _language_faults(words, english)


class _Words:
    """One locale file with the places of its keys."""

    def __init__(self, knowledge: Knowledge, tag: str) -> None:
        self.file = f"locales/{tag}.yaml"
        self.parsed = located(knowledge.folder / self.file)
        self.leaves: dict[str, Leaf] = dict(leaves(self.parsed.data))

    def complain(self, key: str, message: str, remedy: str) -> Complaint:
        """A complaint at the key, or at the nearest part of it that stands in the file."""
        return Complaint(self.file, nearest_line(self.parsed, tuple(key.split("."))), message, remedy)


def _derived_faults(knowledge: Knowledge, english: _Words) -> Complaints:
    wanted = set(_wanted(knowledge))
    present = {key for key in english.leaves if key.split(".")[0] in _DERIVED}
    optional = {f"rules.{name}.where" for name in knowledge.rules} | {
        f"outcomes.{name}.title" for name, node in knowledge.tree.nodes.items() if node.ladder
    }
    for key in sorted(wanted - present):
        yield english.complain(key, f"no words for {key}", "write them")
    for key in sorted(present - wanted - optional):
        yield english.complain(key, f"nothing asks for {key}", "take it out, or correct its name")
    for key in sorted(present & wanted):
        for name in sorted(_placeholders(english.leaves[key]) - FACTS.keys() - _STEP_VALUES):
            yield english.complain(key, f"{key}: nobody gives {{{name}}}", "use a fact of bot/facts.py")


def _wanted(knowledge: Knowledge) -> Iterator[str]:
    """Every key that rules, tree and builds need words under."""
    for rule in knowledge.rules.values():
        if rule.finding:
            yield f"rules.{rule.id}.finding"
        if rule.fix is not None:
            yield from (f"rules.{rule.id}.{part}" for part in ("fix", "why", "cost"))
        yield from (f"rules.{rule.id}.skip.{skip.say}" for skip in rule.skip)
    for name, node in knowledge.tree.nodes.items():
        if node.ladder:
            yield from (f"outcomes.{name}.cause", f"outcomes.{name}.next")
        elif node.asked:
            yield f"tree.{name}.question"
            yield from (f"tree.{name}.{answer.id}" for answer in node.answers if answer.offer)
    yield from (f"builds.{build.id}" for build in knowledge.builds)


def _language_faults(words: _Words, english: _Words) -> Complaints:
    for key in sorted(english.leaves.keys() - words.leaves.keys()):
        yield words.complain(key, f"{key} is not translated", "add it; English is shown until then")
    for key in sorted(words.leaves.keys() - english.leaves.keys()):
        yield words.complain(key, f"{key} is not in English", "take it out, or correct its name")
    for key in sorted(words.leaves.keys() & english.leaves.keys()):
        here, there = _placeholders(words.leaves[key]), _placeholders(english.leaves[key])
        if here != there:
            listed = ", ".join(f"{{{name}}}" for name in sorted(here ^ there))
            yield words.complain(key, f"{key}: {listed} only in one of the languages", "use the same placeholders")


def _placeholders(leaf: Leaf) -> set[str]:
    return {match[1] for sentence in sentences(leaf) for match in PLACEHOLDER.finditer(sentence)}
