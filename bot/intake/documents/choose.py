"""Which of several configs in a paste is the one that matters."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bot.evidence import ConfigDocument, Misplaced
from bot.facts import Fact
from bot.intake.config.read import config_facts, homes_of
from bot.intake.config.switches import cut_at_switch
from bot.intake.documents.fragments import other_sections
from bot.intake.text.clean import Line
from bot.knowledge.keys import keys_of
from bot.knowledge.load import Knowledge

_LABEL = 2  # rows above a config that may say what it is
_SHAPES = {"job": 3, "process": 2, "fragment": 1}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The config that patches are for, the further ones, and the facts of the first (with what fragments add)."""

    config: ConfigDocument | None = None
    others: tuple[ConfigDocument, ...] = ()
    facts: dict[str, Fact] = field(default_factory=dict)
    misplaced: tuple[Misplaced, ...] = ()


class _Read(NamedTuple):
    document: ConfigDocument
    facts: dict[str, Fact]
    misplaced: tuple[Misplaced, ...]

    @property
    def sections(self) -> frozenset[str]:
        """The sections that are in it."""
        listed = self.facts.get("config.sections")
        return frozenset(map(str, listed.value)) if listed and isinstance(listed.value, tuple) else frozenset()

    def weight(self, said: str, failing: int) -> tuple[int, int, bool, bool, int]:
        """The most complete wins, then the one that is said to fail, then that whose run the log is of, then that with train:, where most changes are made."""
        name = self.facts.get("config.name")
        shape = self.facts.get("config.shape")
        named = name is not None and len(str(name.value)) > 2 and str(name.value) in said
        return (
            _SHAPES.get(str(shape.value) if shape else "", 0),
            failing,
            named,
            "train" in self.sections,
            len(self.sections),
        )


def choose_config(
    documents: Sequence[ConfigDocument], rest: Sequence[tuple[str, Sequence[Line]]], knowledge: Knowledge
) -> Chosen:
    """Choose among the configs of ai-toolkit that were found; `rest` are each source's name and lines outside of them.

    Of equals the last counts: a log that was written on holds the run that failed at its end.
    """
    keys = keys_of(knowledge)
    whole = [cut_at_switch(document, keys) for document in documents]
    reads = [_Read(document, *_facts(document, knowledge)) for document in whole]
    if not reads:
        return Chosen()
    main = reads[0] if len(reads) == 1 else _likeliest(reads, rest, knowledge)
    others = tuple(read.document for read in reads if read is not main)
    facts, misplaced = dict(main.facts), list(main.misplaced)
    shape = facts.get("config.shape")
    if shape is not None and shape.value == "fragment" and others:
        for document in other_sections(main.document, others):
            added = next(read for read in reads if read.document is document)
            misplaced += added.misplaced
            facts |= {
                name: fact for name, fact in added.facts.items() if name not in facts or facts[name].origin == "default"
            }
    config = main.document
    if shape is not None and shape.value == "fragment":
        config = replace(config, homes=homes_of(config, knowledge))
    return Chosen(config, others, facts, tuple(misplaced))


def _likeliest(reads: Sequence[_Read], rest: Sequence[tuple[str, Sequence[Line]]], knowledge: Knowledge) -> _Read:
    from bot.intake.text.kinds import failing

    said = "\n".join(line.text for _, lines in rest for line in lines)
    labels: list[int] = []
    for at, read in enumerate(reads):
        source = read.document.source
        after = reads[at - 1].document.line if at and reads[at - 1].document.source == source else 0
        name, lines = rest[source]
        above = [line.text for line in lines if after < line.number < read.document.line and line.text.strip()]
        words = " ".join((name if len(rest) > 1 else "", *above[-_LABEL:]))
        labels.append(failing(words, knowledge) if _has_rival(read, reads) else 0)
    weights = [read.weight(said, label) for read, label in zip(reads, labels, strict=True)]
    return max(zip(reversed(weights), reversed(reads), strict=True), key=lambda pair: pair[0])[1]


def _has_rival(read: _Read, reads: Sequence[_Read]) -> bool:
    """Whether another config says the same sections otherwise; parts of one config are no rivals."""
    return any(other is not read and not read.sections.isdisjoint(other.sections) for other in reads)


def _facts(document: ConfigDocument, knowledge: Knowledge) -> tuple[dict[str, Fact], tuple[Misplaced, ...]]:
    facts, misplaced = config_facts(document, knowledge)
    return dict(facts), misplaced
