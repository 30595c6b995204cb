"""Every signature has a text that fires it, and nothing of higher priority fires on that text."""

from collections import Counter

import pytest

from tests.intake.crash.conftest import EXAMPLES

PRESENT = [example for example in EXAMPLES if not example.get("absent")]
ABSENT = [example for example in EXAMPLES if example.get("absent")]


def _name(example: dict) -> str:
    return example["signature"]


def test_each_signature_has_an_example(signatures):
    assert set(signatures.by_id) == {example["signature"] for example in EXAMPLES}


@pytest.mark.parametrize("example", PRESENT, ids=_name)
def test_example_is_read(reading, example):
    read = reading(example["text"])
    facts = {name: fact.value for name, fact in read.facts.items()}
    assert read.crash is not None
    assert read.crash.signature == example["signature"]
    assert facts["crash.class"] == example["class"]
    assert facts["crash.fatal"] is example.get("fatal", True)
    assert set(example.get("flags", ())) <= set(facts.get("crash.flags", ()))
    expected = {"crash.phase": "phase", "crash.error": "error", "torch.version": "torch", "crash.gpu_index": "gpu"}
    for fact, key in expected.items():
        if key in example:
            assert facts.get(fact) == example[key]


@pytest.mark.parametrize("example", [e for e in PRESENT if "numbers" in e], ids=_name)
def test_example_numbers(reading, example):
    crash = reading(example["text"]).crash
    assert crash.numbers == pytest.approx(crash.numbers | example["numbers"], rel=0.01, abs=1024)


@pytest.mark.parametrize("example", ABSENT, ids=_name)
def test_text_that_only_adds_facts_is_no_crash(reading, signatures, example):
    assert reading(example["text"]).crash is None
    squeezed = "".join(example["text"].split()).lower().encode()
    signature = signatures.by_id[example["signature"]]
    assert signatures.pattern(signature.squeezed).search(squeezed)


def test_no_example_is_there_twice():
    texts = Counter(example["text"] for example in EXAMPLES)
    assert texts.most_common(1)[0][1] == 1
