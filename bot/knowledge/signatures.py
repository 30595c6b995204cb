"""knowledge/signatures.yaml, checked and ready to run on hostile text.

All patterns are RE2. They run on bytes: the squeezed view (UTF-8, lower case, no white space) or one line. A single
automaton over every literal says in one pass which signatures and markers are worth trying; each of those patterns is
compiled when it is first needed.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import re2

from bot.knowledge.reading import read_as
from bot.knowledge.signature_file import Signature, SignatureFile

if TYPE_CHECKING:
    from bot.knowledge.folder import DataFolder

SIZE = r"[0-9][0-9.,]*(?:bytes|[kmgt]i?b)"
_Lines = dict[str, dict[int, tuple[date, date | None]]]
_MACROS = {
    "{size}": SIZE,
    "{int}": "([0-9]{1,20})",
    "{gpu}": r"(?:[0-9]{1,3}|[\x00-\x1f])?",
    "{mark}": ".{0,3}?",
    "{n}": r"([0-9][0-9.,]*(?:bytes|[kmgt]i?b)?)",
}


class Signatures:
    """The file with its patterns compiled on demand."""

    def __init__(self, file: SignatureFile, knowledge: "DataFolder") -> None:
        self.file = file
        self._knowledge = knowledge
        self.by_id: Mapping[str, Signature] = {signature.id: signature for signature in file.signatures}
        self._compiled: dict[str, Any] = {}

    @classmethod
    def load(cls, knowledge: "DataFolder") -> "Signatures":
        """Read and check the file; raises pydantic.ValidationError where it is wrong."""
        return cls(read_as(SignatureFile, knowledge.read("signatures.yaml")), knowledge)

    def pattern(self, written: str) -> Any:
        """The compiled form of a pattern as written in the file; it works on bytes."""
        made = self._compiled.get(written)
        if made is None:
            made = self._compiled[written] = compile_pattern(written)
        return made

    @cached_property
    def toolkit_lines(self) -> _Lines:
        """When a statement of the toolkit stood on which line; read only for a trace that shows one."""
        return read_as(_Lines, self._knowledge.read("toolkit_lines.yaml"))

    @cached_property
    def gate(self) -> "Gate":
        """Which of all literals a squeezed text holds."""
        file = self.file
        words = [literal for signature in file.signatures for literal in signature.literals]
        words += [marker.text for marker in file.markers] + [row.text for row in file.survived]
        return Gate.of([*words, *self.unified_words])

    @cached_property
    def unified_words(self) -> tuple[str, ...]:
        """The words for unified memory, squeezed."""
        return tuple("".join(word.split()).lower() for word in self.file.unified_memory)

    @cached_property
    def by_literal(self) -> Mapping[str, tuple[Signature, ...]]:
        """Signatures worth trying where a literal is in the text."""
        found: dict[str, tuple[Signature, ...]] = {}
        for signature in self.file.signatures:
            for literal in signature.literals:
                found[literal] = (*found.get(literal, ()), signature)
        return found

    @cached_property
    def any_number(self) -> "AnyOf":
        """Which of the number patterns match, by place in the file."""
        return AnyOf.of(number.pattern for number in self.file.numbers)

    @cached_property
    def any_frame(self) -> "AnyOf":
        """Which rows of the frames match."""
        return AnyOf.of(frame.squeezed for frame in self.file.frames)

    @cached_property
    def any_build(self) -> "AnyOf":
        """Which rows of the builds match."""
        return AnyOf.of(row.squeezed or "" for row in self.file.builds)


class AnyOf(NamedTuple):
    """Many patterns tried in one pass."""

    automaton: Any

    @classmethod
    def of(cls, patterns: Iterable[str]) -> "AnyOf":
        """Compile patterns as the file writes them."""
        automaton = re2.Set.SearchSet(_options())
        for written in patterns:
            automaton.Add(_expanded(written))
        automaton.Compile()
        return cls(automaton)

    def matching(self, text: bytes) -> list[int]:
        """Places of the patterns that match somewhere, ascending."""
        return sorted(self.automaton.Match(text) or ())


class Gate(NamedTuple):
    """One automaton over many literals."""

    words: tuple[str, ...]
    automaton: Any

    @classmethod
    def of(cls, words: Iterable[str]) -> "Gate":
        """Build it; `words` are plain text."""
        unique = tuple(dict.fromkeys(words))
        automaton = re2.Set.SearchSet()
        for word in unique:
            automaton.Add(re2.escape(word))
        automaton.Compile()
        return cls(unique, automaton)

    def present(self, squeezed: bytes) -> frozenset[str]:
        """The words that stand somewhere in the text."""
        return frozenset(self.words[index] for index in self.automaton.Match(squeezed) or ())


def compile_pattern(written: str) -> Any:
    """Expand the file's macros and compile. Raises re2.error where the pattern is wrong."""
    return re2.compile(_expanded(written), _options())


def _expanded(written: str) -> bytes:
    for macro, meaning in _MACROS.items():
        written = written.replace(macro, meaning)
    return written.encode()


def _options() -> Any:
    options = re2.Options()
    options.dot_nl = True
    options.log_errors = False
    return options
