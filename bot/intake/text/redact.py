"""Secrets, mail addresses and user names replaced by placeholders, before anything else reads a text."""

import re
from bisect import bisect
from collections.abc import Iterator
from typing import Annotated, Any
from weakref import WeakKeyDictionary

import re2

from bot.evidence import Redaction
from bot.knowledge.load import Knowledge
from bot.knowledge.reading import read_as
from bot.knowledge.record import NOT_EMPTY, Record
from bot.knowledge.schema import Slug

_PLACEHOLDER = re.compile(r"<[a-z-]{3,20}-\d{1,6}>")


class RedactionRule(Record):
    """One entry of knowledge/redactions.yaml; its head says what each field means."""

    kind: Slug
    hints: Annotated[tuple[str, ...], NOT_EMPTY]
    pattern: str
    mixed: bool = False
    not_: str | None = None


class _Rules:
    """The rules, each compiled when one of its hints is first found."""

    def __init__(self, rules: tuple[RedactionRule, ...]) -> None:
        self._rules = rules
        self._compiled: dict[int, tuple[Any, Any]] = {}
        self._owner: list[int] = []
        self._hints = re2.Set.SearchSet()
        for at, rule in enumerate(rules):
            for hint in rule.hints:
                self._hints.Add(f"(?i){hint}")
                self._owner.append(at)
        self._hints.Compile()

    def likely(self, text: str) -> Iterator[tuple[RedactionRule, Any, Any]]:
        """Each rule that may match, in order, with its pattern and that of what it spares."""
        for at in sorted({self._owner[hit] for hit in self._hints.Match(text) or ()}):
            rule = self._rules[at]
            if at not in self._compiled:
                spared = re2.compile(f"(?is){rule.not_}") if rule.not_ else None
                self._compiled[at] = (re2.compile(rule.pattern), spared)
            yield rule, *self._compiled[at]


_RULES: "WeakKeyDictionary[Knowledge, _Rules]" = WeakKeyDictionary()


class Redactor:
    """Replaces in any number of texts; the same secret gets the same placeholder in all of them."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._rules = _rules(knowledge)
        self._given: dict[tuple[str, str], str] = {}
        self._counts: dict[str, int] = {}

    def redact(self, source: int, text: str) -> tuple[str, tuple[Redaction, ...]]:
        """The text with placeholders, and what they stand for (offsets in the text as given, ascending).

        A secret of several lines leaves as many line feeds behind, so that line numbers stay.
        """
        found = self._find(text)
        if not found:
            return text, ()
        # A paste of an earlier answer may hold placeholders: those stay what they are.
        used = set(_PLACEHOLDER.findall(text))
        made: list[Redaction] = []
        pieces: list[str] = []
        at = 0
        for start, end, kind in found:
            secret = text[start:end]
            placeholder = self._placeholder(kind, secret, used)
            pieces += (text[at:start], placeholder)
            made.append(Redaction(source, kind, start, end, placeholder))
            at = end
        return "".join((*pieces, text[at:])), tuple(made)

    def _find(self, text: str) -> list[tuple[int, int, str]]:
        found: list[tuple[int, int, str]] = []
        # Offsets in bytes are those in characters here, and the engine need not convert them.
        subject = text.encode() if text.isascii() else text
        for rule, pattern, spared in self._rules.likely(text):
            group = pattern.groupindex.get("secret", 0)
            fresh = [(*match.span(group), rule.kind) for match in pattern.finditer(subject)]
            found = sorted(
                found
                + [
                    span
                    for span in fresh
                    if _is_secret(text[span[0] : span[1]], mixed=rule.mixed, spared=spared) and _is_free(found, span)
                ]
            )
        return found

    def _placeholder(self, kind: str, secret: str, used: set[str]) -> str:
        given = self._given.get((kind, secret))
        while given is None:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            fresh = f"<{kind}-{self._counts[kind]}>"
            if fresh not in used:
                given = self._given[kind, secret] = fresh + "\n" * secret.count("\n")
        return given


def _is_secret(text: str, *, mixed: bool, spared: Any) -> bool:
    if mixed and not (any(map(str.isalpha, text)) and any(map(str.isdigit, text))):
        return False
    return not (spared and spared.fullmatch(text))


def _is_free(taken: list[tuple[int, int, str]], span: tuple[int, int, str]) -> bool:
    """Whether none of the sorted `taken` spans overlaps."""
    at = bisect(taken, span)
    return (not at or taken[at - 1][1] <= span[0]) and (at == len(taken) or taken[at][0] >= span[1])


def load_redactions(knowledge: Knowledge) -> tuple[RedactionRule, ...]:
    """The checked entries of knowledge/redactions.yaml. Raises pydantic.ValidationError."""
    return read_as(tuple[RedactionRule, ...], knowledge.read("redactions.yaml"))


def _rules(knowledge: Knowledge) -> _Rules:
    rules = _RULES.get(knowledge)
    if rules is None:
        rules = _RULES[knowledge] = _Rules(load_redactions(knowledge))
    return rules
