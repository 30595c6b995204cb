"""What other trainers' configs, command lines and logs say, as the same facts: so that nothing is advised that is set."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.facts import Fact, FactValue, Place
from bot.intake.config.values import sizes, whole
from bot.intake.model import named_facts
from bot.intake.text.clean import Line
from bot.knowledge.load import Knowledge
from bot.knowledge.spelling import plain
from bot.knowledge.tools import ForeignSetting, Signs, Tools, bucket_patterns, flat_keys, tools_of

# A line of a command goes on after `\` in a POSIX shell, `^` in a batch file and a backtick in PowerShell: no value.
_FLAG = re.compile(r"(?:^|[\s\"'])--([A-Za-z][\w.-]{1,60})(?:[ =]((?!--|[\\^`](?:\s|$))\S{1,200}))?")
_ASSIGNED = re.compile(r"^\s{0,40}(?:export )?([A-Za-z][\w.]{1,60})\s{0,10}=\s{0,10}(\S.{0,200})$")
_MOST_LINES = 3000
_CHECKPOINTING = "train.gradient_checkpointing"


def tool_facts(
    source: int, lines: Sequence[Line], configs: Sequence[Mapping[str, Any]], tool: str, knowledge: Knowledge
) -> dict[str, Fact]:
    """The train.*, datasets.*, model.*, network.rank (origin `prose`) and log.bucket* facts of another trainer's texts."""
    tools = tools_of(knowledge)
    facts: dict[str, Fact] = {}
    whole: Place | None = None
    elsewhere = False
    signs = tools.signs(tool)
    for key, value, place in _pairs(source, lines, configs):
        whole = place if key in signs.whole else whole
        elsewhere = elsewhere or key in signs.elsewhere
        if key in tools.model_keys and isinstance(value, str) and "model.family" not in facts:
            facts |= _model(value, place, tools, knowledge)
        for fact, stated in _stated(key, value, tools):
            facts.setdefault(fact, Fact(stated, "prose", place))
    if whole and not elsewhere:
        facts.setdefault(_CHECKPOINTING, Fact(False, "prose", whole))
    if _generates(lines, signs, tools):
        facts["tool.generates"] = Fact(True, "derived")
    return facts | _buckets(source, lines, knowledge)


def _generates(lines: Sequence[Line], signs: Signs, tools: Tools) -> bool:
    if not signs.generates:
        return False
    text = "\n".join(line.text for line in lines[:_MOST_LINES])
    if not any(mark in text for mark in signs.generates):
        return False
    lowered = plain(text.lower()).replace("pretrain", "")
    return not any(word in lowered for word in tools.training_words)


def _model(value: str, place: Place | None, tools: Tools, knowledge: Knowledge) -> dict[str, Fact]:
    """The model that a value names: a word of the trainer's own, or a name as people write it."""
    families = knowledge.families
    arch = families.arch(tools.model_words.get(value.lower(), ""))
    if arch is not None:
        return named_facts(families.families[arch.family], arch, "prose", place)
    names = families.names.search(value[-200:])
    return named_facts(names[0].family, names[0].arch, "prose", place) if names else {}


def _pairs(
    source: int, lines: Sequence[Line], configs: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, Any, Place | None]]:
    """Every key or flag with its value, those of configs first."""
    for config in configs:
        yield from ((key, value, None) for key, value in flat_keys(config).items())
    for line in lines[:_MOST_LINES]:
        if "--" in line.text or "=" in line.text:
            place = Place(source, line.number, line.text.strip()[:160])
            yield from ((key, value, place) for key, value in _written(line.text))


def _written(text: str) -> Iterator[tuple[str, Any]]:
    """Flags of a command line (a bare one is on) and `key = value` of a TOML file."""
    for flag, value in _FLAG.findall(text[:4000]):
        yield flag.lower().replace("-", "_"), value.strip("\"'`^\\") if value else True
    assigned = _ASSIGNED.match(text[:400])
    if assigned:
        yield assigned[1].lower(), assigned[2].split(" #")[0].strip().strip("\"'")


def _stated(key: str, value: Any, tools: Tools) -> Iterator[tuple[str, FactValue]]:
    setting = tools.settings.get(key)
    read = None if setting is None else _read(setting, value, tools)
    if setting is None or read is None:
        return
    yield setting.fact, read
    if setting.fact == "train.batch_size":
        yield "batch_size", read
    elif setting.fact == "datasets.resolution":
        every = sizes(value) if setting.kind == "number" else (int(str(read)),)
        yield "datasets.resolutions", tuple(sorted(set(every)))
    elif setting.fact == "datasets.num_frames":
        yield "datasets.video", int(str(read)) > 1


def _read(setting: ForeignSetting, value: Any, tools: Tools) -> FactValue | None:
    if setting.kind == "switch":
        return value is True or str(value).lower() in tools.means_on
    if setting.kind == "low_bits":
        return any(word in str(value).lower() for word in tools.low_bits)
    if setting.kind == "amount":
        try:
            return float(value) > 0
        except (TypeError, ValueError):
            return None
    if setting.kind == "area":
        area = whole(value)
        return math.isqrt(area) if area else None
    listed = sizes(value)
    return max(listed) if listed else None


def _buckets(source: int, lines: Sequence[Line], knowledge: Knowledge) -> dict[str, Fact]:
    patterns = bucket_patterns(knowledge)
    found = [
        (tuple(int(number) for number in match.groups()), line)
        for line in lines[:_MOST_LINES]
        if "bucket" in line.text or "resolution (" in line.text
        for pattern in patterns
        if (match := pattern.search(line.text)) is not None
    ]
    if not found:
        return {}
    frames, longest = max(((size[2] if len(size) > 2 else 1, line) for size, line in found), key=lambda pair: pair[0])
    pixels, largest = max(((size[0] * size[1], line) for size, line in found), key=lambda pair: pair[0])
    place = Place(source, longest.number, longest.text.strip()[:160])
    names = tuple(dict.fromkeys("x".join(map(str, size)) for size, _ in found))
    facts = {
        "log.buckets": Fact(names[:100], "log", place),
        "log.bucket_pixels": Fact(pixels, "log", Place(source, largest.number, largest.text.strip()[:160])),
        "log.bucket_frames": Fact(frames, "log", place),
    }
    if frames > 1:
        facts |= {"datasets.num_frames": Fact(frames, "log", place), "datasets.video": Fact(True, "log", place)}
    return facts
