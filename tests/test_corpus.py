"""Every situation of tests/corpus gets a right answer."""

import re
from pathlib import Path

import pytest
import yaml

from bot.cli.inputs import read_inputs
from bot.engine import diagnose
from bot.intake.read import read
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import locale_tags
from bot.reply import compose, text
from tests.judging import KEYS, faults

CORPUS = Path(__file__).parent / "corpus"
CASES = sorted(CORPUS.glob("*.expect.yaml"))


def slug(expect):
    return expect.name.removesuffix(".expect.yaml")


def unsaid(diagnosis, knowledge):
    """Steps that for a known card carry neither a saving and a verdict nor, in every language, why not."""
    if diagnosis.hardware["vram_gib"] is None:
        return []
    reasons = knowledge.locale("en").below("memory.none")
    return [
        step.rule for step in diagnosis.steps
        if (step.saves_gib is None or step.fits is None) and step.no_figure not in reasons
    ]  # fmt: skip


def miswritten(diagnosis, knowledge):
    """Code of a reply that the config does not read, by language: a decimal comma, where the paste itself has none."""
    replies = {
        tag: text.render(compose(diagnosis, knowledge.locale(tag), all_steps=True))
        for tag in locale_tags(knowledge.folder)
    }
    code = {tag: set(re.findall("`([^`\n]+)`", reply)) for tag, reply in replies.items()}
    return [(tag, one) for tag, found in code.items() for one in found - code["en"] if re.search(r"\d,\d", one)]


@pytest.fixture(scope="module")
def knowledge():
    return Knowledge()


def test_the_corpus_is_there():
    assert len(CASES) >= 100


@pytest.mark.parametrize("expect", CASES, ids=slug)
def test_a_situation_gets_a_right_answer(expect, knowledge):
    case = yaml.safe_load(expect.read_text("utf-8"))
    assert case.keys() <= KEYS
    assert {"class", "first", "never", "note"} <= case.keys()
    pasted = next(path for path in CORPUS.glob(f"{slug(expect)}.*") if path != expect)
    diagnosis = diagnose(read(read_inputs((str(pasted),)), knowledge), knowledge)
    assert faults(case, diagnosis) == []
    assert unsaid(diagnosis, knowledge) == []
    assert miswritten(diagnosis, knowledge) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"tool": ["onetrainer"]}, {"class": ["unknown"]}, {"phase": ["save"]}, {"arch": []}, {"family": ["sdxl", None]},
        {"vram_gib": 8}, {"first": ["ask"]}, {"then": ["free_disk"]}, {"never": ["batch_size"]}, {"no_diff": True}, {"diff": "-a: 1"},
        {"patches": [{"path": "train.batch_size", "max": 0}]}, {"patches": [{"path": "train.lr", "new": 1}]},
        {"patches": [{"path": "datasets[0].resolution", "remove_from_list": 512}]},
    ],
    ids=str,
)  # fmt: skip
def test_a_wrong_answer_is_noticed(wrong, knowledge):
    pasted = CORPUS / "068-german-fragment-klein-batch.txt"
    diagnosis = diagnose(read(read_inputs((str(pasted),)), knowledge), knowledge)
    assert len(faults({"class": ["vram_oom"]} | wrong, diagnosis)) == 1
