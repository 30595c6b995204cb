"""What people say around a paste: phrases, settings in words, hardware, the model's name."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bot.facts import Fact
from bot.intake.model import named_facts
from bot.intake.said.hardware import said_hardware
from bot.intake.said.settings import said_settings
from bot.intake.text.clean import Line
from bot.intake.text.passage import Passage
from bot.knowledge.architectures import Arch, Family
from bot.knowledge.families import Families
from bot.knowledge.load import Knowledge
from bot.knowledge.names import Named
from bot.knowledge.spelling import squeeze

if TYPE_CHECKING:
    from bot.knowledge.phrases import Phrase, Said

_AFTER, _BEFORE = 60, 20
_TROUBLE = frozenset({"oom", "fails", "hang", "very-slow", "killed", "silent-exit", "log-ends", "shared-memory"})


def read_prose(source: int, lines: Sequence[Line], knowledge: Knowledge) -> Mapping[str, Fact]:
    """The says, goal, gpu.*, host.*, model.* and (origin `prose`) train.*, datasets.*, sample.* facts.

    `lines` are what people wrote, comments in a config included; printed lines among them do no harm. Of a very long
    text the first 40,000 characters are read.
    """
    passage = Passage(source, lines, prose=True)
    if not passage.text.strip():
        return {}
    facts, compared = said_model(passage, knowledge.families)
    facts |= said_hardware(passage, knowledge)
    stated, asked = said_settings(passage, knowledge, compared)
    facts = _with_phrases(passage, knowledge, facts | stated)
    says: frozenset[str] = frozenset(facts["says"].value) if "says" in facts else frozenset()  # type: ignore[arg-type]
    runs_already = "goal" in facts and "gc-off-question" not in says
    return facts if runs_already or says & _TROUBLE else facts | asked  # what would be run is what a plan is about


def _with_phrases(passage: Passage, knowledge: Knowledge, known: dict[str, Fact]) -> dict[str, Fact]:
    """What is `known`, with `says`, what a phrase states besides, and the goal. A phrase is taken back by its own `unless` in the sentence."""
    first: dict[str, int] = {}
    phrases = knowledge.phrases.phrases
    meant = [
        said for said in knowledge.phrases.search(passage.plain) if not _taken_back(said, passage, phrases[said.phrase])
    ]
    for said in knowledge.phrases.uncovered(meant):
        first[said.phrase] = min(said.start, first.get(said.phrase, said.start))
    dropped = {other for slug in first for other in phrases[slug].drops}
    kept = sorted((at, slug) for slug, at in first.items() if slug not in dropped)
    for fact, value in (stated for slug in dropped for stated in phrases[slug].states.items()):
        if fact in known and known[fact].value == value:
            del known[fact]  # `without previews it runs` is no setting
    if not kept:
        return known
    facts = known | {"says": Fact(tuple(slug for _, slug in kept), "prose", passage.place(kept[0][0]))}
    for at, slug in kept:
        for fact, value in phrases[slug].states.items():
            if fact not in known:
                facts[fact] = Fact(value, "prose", passage.place(at))
    return facts


def _taken_back(said: "Said", passage: Passage, phrase: "Phrase") -> bool:
    if any(word in passage.plain for word in phrase.unless_anywhere):
        return True
    return bool(phrase.unless) and any(word in passage.plain_sentence_at(said.start) for word in phrase.unless)


def said_model(passage: Passage, families: Families) -> tuple[dict[str, Fact], tuple[int, ...]]:
    """The model.arch, model.family and model.kind facts for the model that prose names, and where others are compared."""
    named = families.names.search(passage.text) or families.names.search_short(passage.text)
    if not named:
        return {}, ()
    named = _without_shorter(passage.text, named)
    ends = [name.start for name in named[1:]] + [len(passage.text)]
    pairs = zip(named, ends, strict=True)
    troubled = [name for name, end in pairs if not _only_compared(passage, name, end, families)] or named
    family = troubled[0].family
    of_family = [name for name in troubled if name.family is family]
    arch = _arch_of(passage, family, of_family)
    compared = tuple(name.start for name in named if name not in troubled)
    return named_facts(family, arch, "prose", passage.place(of_family[0].start)), compared


def _without_shorter(text: str, named: list[Named]) -> list[Named]:
    """Without names that a longer one of another family begins with: `flux` where FLUX.2 is named as well."""
    words = {name: squeeze(text[name.start : name.end]) for name in named}
    return [
        name
        for name in named
        if not any(
            other.family is not name.family and words[other] != words[name] and words[other].startswith(words[name])
            for other in named
        )
    ]


def _only_compared(passage: Passage, name: Named, limit: int, families: Families) -> bool:
    """`FLUX trains fine`, `works with FLUX`: named for comparison. What is said counts up to the next name."""
    start, end = passage.clause_at(name.start)
    after = passage.plain[name.end : min(end, limit, name.end + _AFTER)]
    before = passage.plain[max(start, name.start - _BEFORE) : name.start].rstrip(" :")
    return any(word in after for word in families.fine_words) or before.endswith(families.fine_before)


def _arch_of(passage: Passage, family: Family, names: list[Named]) -> Arch | None:
    """The architecture that the names tell, the one with a tag before its base; else one that the hints settle."""
    archs = [name.arch for name in names if name.arch is not None]
    if archs:
        return next((arch for arch in archs if ":" in arch.id), archs[0])
    hinted = {hint.arch for hint in family.hints if all(_has_word(passage.plain, word) for word in hint.words)}
    return next(arch for arch in family.archs if arch.id in hinted) if len(hinted) == 1 else None


def _has_word(text: str, word: str) -> bool:
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not text[max(0, at - 1) : at].isalnum() and not text[end : end + 1].isalnum():
            return True
        at = text.find(word, at + 1)
    return False
