"""The FAQ tree walked by a person: one question at a time, for people who have nothing to paste.

The state is the list of answers given so far (node and answer id), so that it fits a terminal loop as well as a button's
id. Questions that only evidence can decide (`asked: false`) are settled from what the answers stated.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.diagnosis import Diagnosis
from bot.evidence import Evidence
from bot.facts import Fact, Facts
from bot.knowledge.record import changed
from bot.knowledge.schema import Class, Node, Phase

if TYPE_CHECKING:
    from bot.knowledge.load import Knowledge
    from bot.knowledge.locale import Locale

UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Question:
    """A node to be answered: its id, the words, and (answer id, words) in order."""

    node: str
    text: str
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Walked:
    """Where the answers lead: a node, with the class and phase settled and the facts stated on the way."""

    node: str
    problem_class: Class
    phase: Phase
    facts: Facts


def follow(knowledge: "Knowledge", answers: Sequence[str], told: Mapping[str, Any] | None = None) -> Walked:
    """Walk from the start, taking one given answer at each question. Stops at a question left open or at an outcome.

    Raises KeyError on an answer that its question does not have.
    """
    tree = knowledge.tree
    facts: dict[str, Fact] = {name: Fact(value, "option") for name, value in (told or {}).items()}
    given = iter(answers)
    name = tree.start
    problem_class: Class = "unknown"
    phase: Phase = "unknown"
    while True:
        node = tree.nodes[name]
        problem_class, phase = node.class_ or problem_class, node.phase or phase
        if node.ladder:
            return Walked(name, problem_class, phase, facts)
        choice = next(given, None) if node.asked else _by_facts(node, facts)
        if choice is None:
            return Walked(name, problem_class, phase, facts)
        if choice == UNSURE:
            name = node.otherwise or ""
            continue
        answer = {one.id: one for one in node.answers}[choice]
        facts |= {fact: Fact(value, "option") for fact, value in answer.states.items()}
        problem_class, phase = answer.class_ or problem_class, answer.phase or phase
        name = answer.to


def _by_facts(node: Node, facts: Facts) -> str:
    return next((answer.id for answer in node.answers if answer.when is not None and answer.test(facts)), UNSURE)


def question(knowledge: "Knowledge", locale: "Locale", walked: Walked) -> Question | None:
    """The question at a node, in words; None at an outcome."""
    node = knowledge.tree.nodes[walked.node]
    if node.ladder:
        return None
    key = f"tree.{walked.node}"
    # The tree's order is that of evidence; people read the likeliest first, as the words have them.
    order = locale.below(key)
    ids = sorted((answer.id for answer in node.answers if answer.offer), key=order.index)
    offered = [(answer, locale.text(f"{key}.{answer}")) for answer in ids]
    if not any(answer.offer and answer.when is None and answer.to == node.otherwise for answer in node.answers):
        offered.append((UNSURE, locale.text("cli.ask.unknown")))
    return Question(walked.node, locale.text(f"{key}.question"), tuple(offered))


def conclude(knowledge: "Knowledge", walked: Walked, locale: str) -> Diagnosis:
    """The diagnosis at the outcome that the answers led to."""
    from bot.engine import diagnose

    tree = knowledge.tree
    leaf = changed(tree.nodes[walked.node], class_=walked.problem_class, phase=walked.phase)
    there = copy(knowledge)
    # The engine walks the tree itself: give it one that has only the leaf which the person has reached.
    there.tree = changed(tree, start=walked.node, nodes={walked.node: leaf})
    return diagnose(Evidence(sources=(), facts=walked.facts), there, locale=locale)
