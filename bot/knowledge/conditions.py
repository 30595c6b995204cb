"""Conditions of rules and tree as data: a small closed set of operators over the typed facts.

A condition is a mapping with exactly one of `all`, `any`, `not`, or `fact` with exactly one operator beside it:

- `is: v`        equal (`true` is not 1)
- `in: [v, …]`   one of
- `above: n`, `below: n`, `at_least: n`, `at_most: n`   numbers
- `above_fact: name`, `below_fact: name`                compared with another fact
- `has: v`, `has_any: [v, …]`                           a list fact contains it
- `known: true|false`                                   whether the fact is known at all
- `origin: [config, …]`                                 where the value came from

An unknown fact makes every operator false except `known: false`.
"""

from collections.abc import Callable, Iterator
from typing import Annotated, Any

from bot.facts import FACTS, Facts, Origin
from bot.knowledge.record import Check, Record

Test = Callable[[Facts], bool]
_NUMBERS = {"int", "float"}
_LISTS = {"strs", "ints"}
_OPERATORS = (
    "is_",
    "in_",
    "above",
    "below",
    "at_least",
    "at_most",
    "above_fact",
    "below_fact",
    "has",
    "has_any",
    "known",
    "origin",
)


def _fact_name(name: str) -> str:
    if name not in FACTS:
        raise ValueError(f"there is no fact '{name}'; the names are in bot/facts.py")
    return name


FactName = Annotated[str, Check(_fact_name)]


class Condition(Record):
    """One node of a condition; see the module's text."""

    all: tuple["Condition", ...] | None = None
    any: tuple["Condition", ...] | None = None
    not_: "Condition | None" = None
    fact: FactName | None = None
    is_: bool | int | float | str | None = None
    in_: tuple[bool | int | float | str, ...] | None = None
    above: float | None = None
    below: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    above_fact: FactName | None = None
    below_fact: FactName | None = None
    has: int | str | None = None
    has_any: tuple[int | str, ...] | None = None
    known: bool | None = None
    origin: tuple[Origin, ...] | None = None

    def _check(self) -> None:
        groups = [name for name in ("all", "any", "not_", "fact") if getattr(self, name) is not None]
        if len(groups) != 1:
            raise ValueError("a condition has exactly one of all, any, not, fact")
        operators = self._operators()
        if groups != ["fact"] and operators:
            raise ValueError(f"{operators[0]} needs a fact beside it")
        if groups == ["fact"]:
            self._check_operator(operators)

    def _operators(self) -> list[str]:
        return [name for name in _OPERATORS if getattr(self, name) is not None]

    def _check_operator(self, operators: list[str]) -> None:
        if len(operators) != 1:
            raise ValueError(f"fact {self.fact} needs exactly one operator, it has {len(operators)}")
        kind, operator = FACTS[self.fact or ""].type, operators[0]
        if operator in {"above", "below", "at_least", "at_most", "above_fact", "below_fact"} and kind not in _NUMBERS:
            raise ValueError(f"{operator} compares numbers, {self.fact} is {kind}")
        if operator in {"has", "has_any"} and kind not in _LISTS:
            raise ValueError(f"{operator} looks into a list, {self.fact} is {kind}")
        if operator in {"is_", "in_"}:
            if kind in _LISTS:
                raise ValueError(f"{self.fact} is a list: use has or has_any")
            for wanted in (self.is_,) if operator == "is_" else self.in_ or ():
                if (kind == "bool") != isinstance(wanted, bool) or (kind == "str") != isinstance(wanted, str):
                    raise ValueError(f"{self.fact} is {kind}, {wanted!r} is not")

    def facts(self) -> Iterator[str]:
        """Every fact the condition asks for."""
        if self.fact is not None:
            yield from (name for name in (self.fact, self.above_fact, self.below_fact) if name is not None)
        for part in (*(self.all or ()), *(self.any or ()), *((self.not_,) if self.not_ else ())):
            yield from part.facts()

    def compile(self) -> Test:
        """A closure that tells whether the condition holds; rules run often, so the shape is walked only once."""
        if self.all is not None:
            return _every(tuple(part.compile() for part in self.all))
        if self.any is not None:
            return _some(tuple(part.compile() for part in self.any))
        if self.not_ is not None:
            test = self.not_.compile()
            return lambda facts: not test(facts)
        return self._compile_fact(self.fact or "")

    def _compile_fact(self, name: str) -> Test:
        if self.known is not None:
            wanted = self.known
            return lambda facts: (name in facts) == wanted
        if self.origin is not None:
            origins = self.origin
            return lambda facts: name in facts and facts[name].origin in origins
        other = self.above_fact or self.below_fact
        if other is not None:
            sign = 1 if self.above_fact else -1
            return lambda facts: (
                name in facts and other in facts and sign * (_number(facts, name) - _number(facts, other)) > 0
            )
        if self.is_ is not None:
            return _equals(name, self.is_)
        if self.in_ is not None:
            choices = frozenset(self.in_)
            return lambda facts: name in facts and facts[name].value in choices
        holds = self._value_test()
        return lambda facts: name in facts and holds(facts[name].value)

    def _value_test(self) -> Callable[[Any], bool]:
        if self.has is not None:
            item = self.has
            return lambda value: item in value
        if self.has_any is not None:
            items = frozenset(self.has_any)
            return lambda value: not items.isdisjoint(value)
        bound = next(bound for bound in (self.above, self.below, self.at_least, self.at_most) if bound is not None)
        if self.above is not None:
            return lambda value: bool(value > bound)
        if self.below is not None:
            return lambda value: bool(value < bound)
        if self.at_least is not None:
            return lambda value: bool(value >= bound)
        return lambda value: bool(value <= bound)


# Hundreds of these run for each diagnosis: plain loops take half of what `all` and `any` over a generator do.
def _every(tests: tuple[Test, ...]) -> Test:
    def holds(facts: Facts) -> bool:
        for test in tests:  # noqa: SIM110 see above
            if not test(facts):
                return False
        return True

    return holds


def _some(tests: tuple[Test, ...]) -> Test:
    def holds(facts: Facts) -> bool:
        for test in tests:  # noqa: SIM110 see above
            if test(facts):
                return True
        return False

    return holds


def _equals(name: str, wanted: object) -> Test:
    def holds(facts: Facts) -> bool:
        fact = facts.get(name)
        return fact is not None and bool(fact.value == wanted)

    return holds


def _number(facts: Facts, name: str) -> float:
    value = facts[name].value
    return float(value) if isinstance(value, int | float) else 0.0
