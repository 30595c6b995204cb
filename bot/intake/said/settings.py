"""Settings given in prose, as facts of origin `prose`: `Batch Size: 1`, `GC aus`, `512 only`, `121 frames`."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from bot.facts import Fact, FactValue
from bot.intake.said.sizes import (
    about_previews,
    as_sizes,
    bucket_sizes,
    only_asked,
    size_that_ran,
    sizes_without_name,
    within,
)
from bot.intake.said.trouble import most_troubled
from bot.intake.text.passage import Passage
from bot.knowledge.hosts import hosts_of
from bot.knowledge.load import Knowledge
from bot.knowledge.settings import Setting, Settings, settings_of
from bot.knowledge.spelling import squeeze

_REACH = 48
_MOST = 200  # names and numbers looked at in one text
_PERCENT_BEFORE, _PERCENT_AFTER = re.compile(r"(\d{1,3})\s?%\s?$"), re.compile(r"[^\d.\n]{0,14}?(\d{1,3})\s?%")
_PREPOSITION = re.compile(r"\s(?:(?:a|an|the|my|our|this|that|your|both|each|every|all|rtx)\b|\d)")
_SIZE = re.compile(r"\s(\d{3,4})\b")
# A number that is no part of a larger thing; `Samples: 0%` and `0/3` count something.
_NUMBER = re.compile(r"\s?[\"']?(\d{1,7})(?![\d/]|[.,]\d|\s?[x\u00d7]\s?\d|\s?gb|\s?g\b|%|\s?(?:s|sec|min|h)\b)")
_COUNTS = re.compile(r"\s?[%/]")
_NUMBERS = re.compile(r"\d{1,5}")


class _Named(NamedTuple):
    """A setting's name in the passage."""

    setting: Setting
    word: str
    start: int
    end: int


def said_settings(
    passage: Passage, knowledge: Knowledge, compared: Sequence[int] = ()
) -> tuple[dict[str, Fact], dict[str, Fact]]:
    """The facts that settings in prose state, and those that are only asked about: `would batch 2 fit?`.

    Where one is said twice the first counts, of two numbers the one in trouble. Nothing is stated by a sentence that holds one of the places `compared`,
    where a model is named that gives no trouble. Of what is asked about only numbers and sizes are kept.
    """
    settings = settings_of(knowledge)
    facts: dict[str, Fact] = {}
    asked: dict[str, Fact] = {}
    numbers: dict[str, list[tuple[Fact, int, int]]] = {}
    elsewhere = [passage.sentence(at) for at in compared]
    for named in _named(passage, settings):
        if within(named.start, elsewhere):
            continue
        asks = only_asked(passage, named.start, settings)
        if asks and named.setting.kind not in {"number", "sizes"}:
            continue
        for fact, value in _read(passage, named, settings):
            stated = Fact(value, "prose", passage.place(named.start))
            if not asks and named.setting.kind == "number":
                numbers.setdefault(fact, []).append((stated, named.start, named.end))
            (asked if asks else facts).setdefault(fact, stated)
    for fact, several in numbers.items():
        if len({stated.value for stated, _, _ in several}) > 1:  # `batch 1 runs, batch 4 does not`
            facts[fact] = most_troubled(several, passage, hosts_of(knowledge))[0]
    sizes_without_name(passage, settings, facts, elsewhere)
    size_that_ran(passage, settings, facts)
    _images(passage, settings, facts)
    return facts, asked


def _named(passage: Passage, settings: Settings) -> Iterator[_Named]:
    for match in islice(settings.key.finditer(passage.plain.replace("_", "-")), _MOST):
        group = 1 if match.group(1) is not None else 2
        word = squeeze(match.group(group))
        yield _Named(settings.meant[word], word, match.start(group), match.end(group))


def _read(passage: Passage, named: _Named, settings: Settings) -> Iterator[tuple[str, FactValue]]:
    after = passage.plain[named.end : named.end + _REACH]
    before = passage.plain[max(0, named.start - _REACH) : named.start].rpartition("\n")[2]
    setting = named.setting
    if setting.kind == "switch":
        state = _switch(before, after, settings)
        if state is not None:
            yield setting.fact, state != setting.inverse
    elif setting.kind == "number":
        number = _number(before, after, setting, settings)
        if number is not None:
            yield from _counted(passage, named, number, settings)
            was = _changed_from(before, after, settings) if setting.fact == "train.batch_size" else None
            if was is not None and was < number:
                yield "said.batch_ran", was
    elif setting.kind == "share":
        share = _percent(before, after) if "offload" in passage.plain_sentence_at(named.start) else None
        if share is not None:
            yield setting.fact, share
            yield "model.layer_offloading", True
    elif setting.kind == "sizes":
        match = next((found for start in settings.starts(after) if (found := settings.sizes.match(after, start))), None)
        if match is not None:
            yield from as_sizes(
                bucket_sizes(match[1], settings), preview=about_previews(passage, named.start, settings)
            )
    else:
        yield from _word(named, after)


def _switch(before: str, after: str, settings: Settings) -> bool | None:
    """On or off, or None: not said, or both were tried."""
    colon = after.lstrip()[:1] in {":", "="}
    for start in settings.starts(after):
        match = settings.value.match(after, start)
        word = match and (match[1] or (colon and match[2]))
        if not match or not word or (colon and _COUNTS.match(after, match.end())):
            continue
        rest = after[match.end() :]
        if _is_both(rest, settings) or (word == "on" and not colon and _is_preposition(rest, settings)):
            return None
        if colon:
            return word in settings.on
        turned = len(settings.negation.findall(after[:start])) % 2 == 1
        state = (word in settings.on) != turned
        return state and not _is_denied(before, settings)
    in_front = settings.before.search(before)
    return None if in_front is None else in_front[1] in settings.on


def _is_both(rest: str, settings: Settings) -> bool:
    join = settings.join.match(rest)
    other = join and settings.value.match(rest, join.end())
    return bool(other and other[1])


def _is_denied(before: str, settings: Settings) -> bool:
    """`don't have GC on`: what stands in front takes back what stands behind."""
    in_front = settings.before.search(before)
    return in_front is not None and in_front[1] not in settings.on


def _is_preposition(rest: str, settings: Settings) -> bool:
    """`low vram on my 4090`: no switch. A resolution behind it is another setting: `gc on 1024`."""
    size = _SIZE.match(rest)
    return _PREPOSITION.match(rest) is not None and not (size and int(size[1]) in settings.bucket_sizes)


def _number(before: str, after: str, setting: Setting, settings: Settings) -> int | None:
    match = next((found for start in settings.starts(after) if (found := _NUMBER.match(after, start))), None)
    changed = settings.changed.match(after) or (
        match and settings.from_end.search(before) and settings.to.match(after, match.end())
    )
    if changed and 0 < int(changed[1]) <= setting.most:
        return int(changed[1])
    assigned = match is not None and after.lstrip().startswith((":", "="))
    found = settings.count.search(before) if setting.counted and not assigned else None
    numbers = [int(part) for part in _NUMBERS.findall(found[0])] if found else [int(match[1])] if match else []
    fitting = [number for number in numbers if 0 < number <= setting.most]
    # `512,81 frames`: the resolution before it is no count.
    counts = [number for number in fitting if not (setting.counted and number in settings.bucket_sizes)] or fitting
    return max(counts) if counts else None


def _changed_from(before: str, after: str, settings: Settings) -> int | None:
    """What a number was before it was changed: `batch from 1 to 4`, `from batch 1 to 4`."""
    if settings.changed.match(after) is None and settings.from_end.search(before) is None:
        return None
    return next((int(number) for number in _NUMBERS.findall(after)), None)


def _counted(passage: Passage, named: _Named, number: int, settings: Settings) -> Iterator[tuple[str, FactValue]]:
    setting = named.setting
    if setting.fact == "datasets.num_frames":
        if about_previews(passage, named.start, settings):
            yield "sample.num_frames", number
            return
        yield "datasets.video", number > 1
    for fact in (setting.fact, *setting.also):
        yield fact, number


def _percent(before: str, after: str) -> float | None:
    match = _PERCENT_AFTER.match(after) or _PERCENT_BEFORE.search(before)
    return min(100, int(match[1])) / 100 if match else None


def _word(named: _Named, after: str) -> Iterator[tuple[str, FactValue]]:
    if named.setting.fact != "model.qtype":
        yield named.setting.fact, named.word
        return
    if re.match(r"[\s_-]?(?:text|te\b|t5|umt5)", after):
        yield "model.quantize_te", True
        yield "model.qtype_te", named.word
    else:
        yield "model.quantize", True
        yield "model.qtype", named.word


def _images(passage: Passage, settings: Settings, facts: dict[str, Fact]) -> None:
    if "datasets.video" in facts:
        return
    at = min((at for word in settings.image_words if (at := passage.plain.find(word)) >= 0), default=-1)
    if at >= 0:
        facts["datasets.video"] = Fact(False, "prose", passage.place(at))
        facts["datasets.num_frames"] = Fact(1, "prose", passage.place(at))
