"""Which lines a program printed, and which a person wrote (knowledge/lines.yaml)."""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple
from weakref import WeakKeyDictionary

import re2

from bot.intake.text.clean import Line
from bot.knowledge.load import Knowledge
from bot.knowledge.reading import read_as
from bot.knowledge.record import NOT_EMPTY, Record
from bot.knowledge.spelling import any_of, plain


class LineKinds(Record):
    """The whole file; its head says what each field means."""

    log: Annotated[tuple[str, ...], NOT_EMPTY]
    told: Annotated[tuple[str, ...], NOT_EMPTY]
    ends: Annotated[tuple[str, ...], NOT_EMPTY]
    tails: Annotated[tuple[str, ...], NOT_EMPTY]
    goes_on: Annotated[tuple[str, ...], NOT_EMPTY]
    shipped: Annotated[tuple[str, ...], NOT_EMPTY]
    fails: Annotated[tuple[str, ...], NOT_EMPTY]
    works: Annotated[tuple[str, ...], NOT_EMPTY]


class _Patterns(NamedTuple):
    log: Any
    told: Any
    ends: Any
    tails: Any
    goes_on: Any
    shipped: Any
    fails: Any
    works: Any


_HEAD = 60  # characters in which the name of an error stands
_TOLD = 4  # words that make a sentence; a job's own name before its progress bar is shorter
_MARKS = ".,:;!?\"'`()"
_READ: "WeakKeyDictionary[Knowledge, _Patterns]" = WeakKeyDictionary()


def prose_of(lines: Sequence[Line], knowledge: Knowledge) -> tuple[Line, ...]:
    """The lines that a person wrote."""
    patterns = _patterns(knowledge)
    kept: list[Line] = []
    printed = False
    margin = min((len(text) - len(text.lstrip()) for text, _ in lines if text and not text.isspace()), default=0)
    for line in lines:
        text = line.text[margin:]
        if not text or text.isspace():
            kept.append(line)
            continue
        if line.text[0] in " \t" and line.text.lstrip()[0] == "#":
            continue  # a comment inside of a config that is no more than a few lines
        match = patterns.log.search(text)
        printed = (printed and text[0] in " \t") or (match is not None and not _is_told(text, match.start(), patterns))
        if printed and match is not None and (behind := _behind(text, patterns)) is not None:
            printed = False  # a line that follows may be indented as the paste is
            if behind:
                kept.append(Line(behind, line.number))
        elif not printed and patterns.shipped.search(text) is None:
            kept.append(line)
    return tuple(kept)


def _behind(text: str, patterns: _Patterns) -> str | None:
    """What a person wrote on behind an error message in its line, "" where nothing; None where no message ends in it."""
    ends = [match.end() for match in patterns.ends.finditer(text)]
    if not ends and "Error: " in text[:_HEAD] and (tail := patterns.tails.search(text)) is not None:
        return text[tail.start() :].strip(_MARKS + " ")
    rest = text[ends[-1] :] if ends else ""
    if not ends or patterns.goes_on.search(rest) is not None:
        return None
    return rest.strip() if any(map(str.isalnum, rest)) else ""


def failing(label: str, knowledge: Knowledge) -> int:
    """1 where the words above a config say that it fails, -1 where they say that it works, else 0."""
    patterns = _patterns(knowledge)
    text = plain(label.lower())
    fails = patterns.fails.search(text) is not None
    works = patterns.works.search(patterns.fails.sub(" ", text)) is not None
    return fails - works


def _is_told(text: str, piece: int, patterns: _Patterns) -> bool:
    """Whether a line in which a piece of a log stands is a person's sentence: one that quotes it, or speaks of itself."""
    return _words(text[:piece]) >= _TOLD or (_words(text) >= _TOLD and patterns.told.search(text) is not None)


def _words(text: str) -> int:
    return sum(word.strip(_MARKS).isalpha() and len(word) > 1 for word in text.split())


def load_line_kinds(knowledge: Knowledge) -> LineKinds:
    """The checked content of knowledge/lines.yaml. Raises pydantic.ValidationError."""
    return read_as(LineKinds, knowledge.read("lines.yaml"))


def _patterns(knowledge: Knowledge) -> _Patterns:
    patterns = _READ.get(knowledge)
    if patterns is None:
        kinds = load_line_kinds(knowledge)
        patterns = _READ[knowledge] = _Patterns(
            _one_of(kinds.log),
            _one_of(kinds.told),
            _one_of(kinds.ends),
            _one_of(kinds.tails),
            _one_of(kinds.goes_on),
            _one_of(kinds.shipped),
            _beginning(kinds.fails),
            _beginning(kinds.works),
        )
    return patterns


def _beginning(words: Sequence[str]) -> Any:
    return re2.compile(any_of(words, begin=r"\b"))


def _one_of(patterns: Sequence[str]) -> Any:
    return re2.compile("|".join(f"(?:{pattern})" for pattern in patterns))
