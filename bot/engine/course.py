"""The step to make now and those that follow it, each as it will be once the ones before it are made.

What follows is looked up on the config with the first step made, just as it is when somebody says that it still fails: what
is announced is what comes.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.engine.config_view import View
from bot.engine.ladder import Planned, climb
from bot.engine.patched import Patched, in_words, own_tool, patch_now, with_step
from bot.evidence import value
from bot.facts import Fact
from bot.knowledge.load import Knowledge
from bot.knowledge.schema import Rule


class Course(NamedTuple):
    """The steps in order. `patched`: the config as the first leaves it, `base` itself where it cannot be made in it.

    `beyond`: what holds once the first is made, in the file or by hand.
    """

    planned: list[Planned]
    patched: Patched
    beyond: Patched


def course(rules: Sequence[Rule], base: Patched, tried: Sequence[str], knowledge: Knowledge) -> Course:
    """The steps of a ladder from here on; the first that is not unsafe is the one to make now."""
    first = next((item for item in _from_here(rules, base, tried) if item.step.safety != "unsafe"), None)
    if first is None:
        return Course(list(_from_here(rules, base, tried)), base, base)
    now, patched = patch_now(first._replace(step=first.step._replace(now=True)), base, knowledge)
    made = now.step.rule
    beyond = with_step(made, base, tried, knowledge) if patched is base else patched
    planned = [now, *_further(rules, beyond, (*tried, made))]
    return Course(planned if own_tool(base.facts) else in_words(planned), patched, beyond)


def _further(rules: Sequence[Rule], beyond: Patched, tried: Sequence[str]) -> Iterator[Planned]:
    """Where nothing has failed nothing is missing, and running it as it is comes after nothing that is better to do."""
    ahead = value(beyond.facts, "problem.class") == "none"
    return (item for item in _from_here(rules, beyond, tried) if not (ahead and item.step.lever == "ask"))


def _from_here(rules: Sequence[Rule], at: Patched, tried: Sequence[str]) -> Iterator[Planned]:
    """One that was tried comes again only where it goes further down: a batch of 8 is halved more than once."""
    facts = {**at.facts, "tried": Fact(tuple(tried), "derived")} if tried else at.facts
    exhausted = {rule.id for rule in rules if rule.id in tried and (rule.fix is None or rule.fix.move is None)}
    return (item for item in climb(rules, facts, View(at.document), tried) if item.step.rule not in exhausted)
