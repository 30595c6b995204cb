"""Switches that hold neither true nor false: any text that is not empty is true to Python, and so to ai-toolkit."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from bot.evidence import ConfigDocument
from bot.facts import Fact
from bot.intake.config.draft import ConfigKey, Draft
from bot.knowledge.keys import Keys
from bot.yamledit.path import Path

Section = tuple[str, Path, Mapping[str, Any]]

_TRUE, _FALSE = "true", "false"
_ON_WORDS = frozenset((_TRUE, "on", "yes", "1"))
_OFF_WORDS = frozenset((_FALSE, "off", "no", "fals", "falsch", "falso", "faux"))
_CHECKPOINTING = "train.gradient_checkpointing"
_MOST = 20
_LONGEST_WORD = 10
_CLOSERS = " \t\r\n}],"


def cut_at_switch(document: ConfigDocument, keys: Keys) -> ConfigDocument:
    """The document, marked as cut off where its end is inside of a switch's value: `gradient_checkpointing: fal`."""
    return replace(document, cut=True) if not document.cut and torn_switch(document, keys) else document


def torn_switch(document: ConfigDocument, keys: Keys) -> Path | None:
    """The path to the last key of a document, where it is a switch whose value ends before it says true or false."""
    path: Path = ()
    value = document.parsed.data
    while isinstance(value, dict | list) and value:
        last = list(value)[-1] if isinstance(value, dict) else len(value) - 1
        path, value = (*path, last), value[last]
    if not path or path[-1] not in keys.switches:
        return None
    if value is None:
        return path if document.text.rstrip(_CLOSERS).endswith(":") else None
    return path if isinstance(value, str) and _is_begun(value.lower()) else None


def _is_begun(word: str) -> bool:
    return bool(word) and any(whole != word and whole.startswith(word) for whole in (_TRUE, _FALSE))


def read_switches(draft: Draft, sections: Iterable[Section], torn: Path | None, keys: Keys) -> None:
    """State which switches hold a word, and which one is cut off. Of that one nothing else is known."""
    words = [
        ((*path, key), f"{name}.{key}")
        for name, path, values in sections
        for key, value in values.items()
        if isinstance(value, str) and len(value) < _LONGEST_WORD and (*path, key) != torn and _is_word(key, value, keys)
    ]
    if words:
        named = tuple(dict.fromkeys(told for _, told in words[:_MOST]))
        draft.facts["config.quoted_off"] = Fact(named, "config", draft.key(words[0][0]))
        checkpointing = next((path for path, told in words if told == _CHECKPOINTING), None)
        place = draft.key(checkpointing).place if checkpointing else None
        if checkpointing and place:
            draft.facts["train.checkpointing_text"] = Fact(place.text, "config", draft.key(checkpointing))
    if torn is not None:
        draft.facts = {name: fact for name, fact in draft.facts.items() if not _is_of(fact, torn)}
        place = draft.key(torn).place
        draft.facts["config.torn"] = Fact(str(torn[-1]), "config", draft.key(torn))
        draft.facts["config.torn_text"] = Fact(place.text if place else str(torn[-1]), "config", draft.key(torn))


def _is_of(fact: Fact, path: Path) -> bool:
    return isinstance(fact.seen, ConfigKey) and fact.seen.parts == path


def _is_word(key: str, value: str, keys: Keys) -> bool:
    """Whether a text stands where only true or false makes sense: any in a switch, a word for off in other keys too."""
    word = value.strip(" ,;").lower()
    if key in keys.switches:
        return bool(word) and word not in _ON_WORDS
    is_off = word in _OFF_WORDS or (len(word) == len(_FALSE) and sorted(word) == sorted(_FALSE))
    return is_off and key != "default_caption"
