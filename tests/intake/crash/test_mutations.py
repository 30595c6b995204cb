"""What chat and terminals do to a text changes neither the class nor a number."""

import json
import textwrap
from collections.abc import Callable

import pytest

from tests.intake.crash.conftest import EXAMPLES

LINE_BOUND = {
    "PY_MEMORYERROR",
    "OTHER_EXCEPTION",
    "BARE_EXCEPTION",
}  # need the case or the line breaks of their one word
SHOWN = [e for e in EXAMPLES if not e.get("absent") and e["signature"] not in LINE_BOUND]


def _hard(text: str, width: int) -> str:
    rows = text.split("\n")
    return "\n".join(row[at : at + width] for row in rows for at in range(0, max(1, len(row)), width))


def _soft(text: str, width: int) -> str:
    return "\n".join("\n".join(textwrap.wrap(row, width)) if len(row) > width else row for row in text.split("\n"))


def _prefixed(text: str, prefix: str) -> str:
    return "\n".join(prefix + row for row in text.split("\n"))


MUTATIONS: dict[str, Callable[[str], str]] = {
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "wrapped-47": lambda text: _hard(text, 47),
    "wrapped-72": lambda text: _hard(text, 72),
    "wrapped-80": lambda text: _hard(text, 80),
    "soft-60-quoted": lambda text: _prefixed(_soft(text, 60), "> "),
    "compose": lambda text: _prefixed(text, "trainer-1  | "),
    "rank": lambda text: _prefixed(text, "[rank0]: "),
    "timestamp": lambda text: _prefixed(text, "2026-04-02T08:15:30.123456789Z "),
    "fence": lambda text: f"what now\n```\n{text}\n```",
    "smart": lambda text: text.replace("'", "\u2019").replace('"', "\u201d"),
    "nbsp": lambda text: text.replace(" ", "\u00a0"),
    "one-line": lambda text: " ".join(text.split("\n")),
    "lower": str.lower,
    "json": lambda text: json.dumps({"error": text}),
    "ansi": lambda text: _prefixed(text, "\x1b[1;31m"),
    "indented": lambda text: _prefixed(text, "        "),
    "doubled-lines": lambda text: "\n".join(f"{row}\n{row}" for row in text.split("\n")),
}


@pytest.mark.parametrize("mutation", MUTATIONS.values(), ids=MUTATIONS)
def test_class_and_numbers_stay(reading, mutation):
    changed = []
    for example in SHOWN:
        plain, mutated = reading(example["text"]), reading(mutation(example["text"]))
        same = mutated.crash is not None and mutated.facts["crash.class"].value == plain.facts["crash.class"].value
        if not same or dict(mutated.crash.numbers) != dict(plain.crash.numbers):
            changed.append(example["signature"])
    assert changed == []


def _cut(example: dict, tail: int) -> str:
    return example["text"].rstrip()[:-tail]


@pytest.mark.parametrize("tail", [40, 90, 200])
def test_numbers_before_the_cut_stay(reading, tail):
    whole = next(e for e in EXAMPLES if e["signature"] == "CUDA_OOM_MODERN")
    crash = reading(_cut(whole, tail)).crash
    assert crash.signature == "CUDA_OOM_MODERN"
    assert crash.numbers["tried"] == whole["numbers"]["tried"]
