"""Resolutions in prose, with and without a name; and which sentences only ask."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from bot.facts import Fact, FactValue
from bot.intake.text.passage import Passage
from bot.knowledge.settings import Settings

_REACH = 48
_MOST = 200  # numbers looked at in one text
_NEAR = 24  # `1024x1024 samples`
_LAST_WORD = re.compile(r"([^\W\d]{1,20})[ :=]{0,3}$")
_NUMBERS = re.compile(r"\d{1,5}")


def only_asked(passage: Passage, at: int, settings: Settings) -> bool:
    """Whether the sentence only asks or imagines what stands there; `why does it fail with batch 1?` states it."""
    sentence = passage.plain_sentence_at(at)
    if settings.stating.search(sentence):
        return False
    is_question = sentence.rstrip().endswith(("?", "\uff1f"))
    return bool(settings.hypothetical.search(sentence) or (is_question and settings.asking.search(sentence)))


def bucket_sizes(text: str, settings: Settings) -> tuple[int, ...]:
    """The resolutions in a list of numbers; `512x768` is the edge of a square of that area, rounded to a known size."""
    return tuple(sorted({int(number) for number in _NUMBERS.findall(text) if int(number) in settings.bucket_sizes}))


def as_sizes(sizes: tuple[int, ...], *, preview: bool) -> Iterator[tuple[str, FactValue]]:
    """The facts that resolutions state: of the buckets, or of the previews."""
    if not sizes:
        return
    if preview:
        yield "sample.width", sizes[-1]
        yield "sample.height", sizes[-1]
        return
    yield "datasets.resolutions", sizes
    yield "datasets.resolution", sizes[-1]


def about_previews(passage: Passage, at: int, settings: Settings) -> bool:
    """Whether previews are named before a number in its clause, or right behind it."""
    start, end = passage.clause_at(at)
    if passage.plain[max(0, start - 1) : start] in {"(", "\uff08"}:
        start = max(passage.clause_at(start - 1)[0], start - _NEAR)  # `every preview (1536x1536)`
    near = passage.plain[start : min(end, at + _NEAR)]
    return any(word in near for word in settings.preview_words)


def within(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a place is inside of one of the spans."""
    return any(start <= at < end for start, end in spans)


def sizes_without_name(
    passage: Passage, settings: Settings, facts: dict[str, Fact], elsewhere: Sequence[tuple[int, int]]
) -> None:
    """`512 only` and `1024 ooms` are what is trained at, whatever else is named; then `at 1024`, `512+768`, `…, 1024, batch 1`."""
    text = passage.plain
    for pattern in (settings.only, settings.failing, settings.at, settings.listed):
        for match in islice(pattern.finditer(text), _MOST):
            words = next(group for group in match.groups() if group)
            at = match.start(match.lastindex or 0)
            last_word = _LAST_WORD.search(text[max(0, at - _REACH) : at])
            if (
                within(at, elsewhere)
                or only_asked(passage, at, settings)
                or (last_word and last_word[1] in settings.no_size_after)
            ):
                continue
            sizes = bucket_sizes(words, settings)
            for fact, value in as_sizes(sizes, preview=about_previews(passage, at, settings)):
                stated = Fact(value, "prose", passage.place(at))
                if pattern in {settings.only, settings.failing} and fact.startswith("datasets."):
                    facts[fact] = stated
                else:
                    facts.setdefault(fact, stated)


def size_that_ran(passage: Passage, settings: Settings, facts: dict[str, Fact]) -> None:
    """`512+768 finished a run, added 1024`: the largest that is said to run."""
    for match in islice(settings.running.finditer(passage.plain), _MOST):
        sizes = bucket_sizes(match[1], settings)
        if sizes and not only_asked(passage, match.start(), settings):
            facts.setdefault("said.size_ran", Fact(sizes[-1], "prose", passage.place(match.start())))
