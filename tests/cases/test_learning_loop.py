"""From a wrong answer to a test that guards the right one: a real paste, judged, returned, completed, run."""

import json
from pathlib import Path

import pytest

from bot.cases.book import CaseBook
from bot.cases.model import NewDocument, NewStep, Scope, Verdict
from bot.cases.returned import write
from bot.engine import diagnose
from bot.intake.read import Pasted, read
from bot.knowledge.load import Knowledge
from tests.cases.making import GUILD, MODERATOR, new_case
from tests.cases.test_returned import PRIVATE
from tests.returned import cases_in, complaints, inputs_of

KNOWLEDGE = Knowledge()
PASTE = """\
job: extension
config:
  name: "aunt_hilda_v7"
  process:
    - type: sd_trainer
      training_folder: /mnt/hilda/out
      trigger_word: h1lda
      network: {type: lora, linear: 16, linear_alpha: 16}
      datasets:
        - folder_path: /mnt/second
          resolution: [512, 768, 1024]
      train:
        batch_size: 2
        steps: 2000
        gradient_checkpointing: false
        dtype: bf16
        optimizer: adamw8bit
      model:
        name_or_path: Tongyi-MAI/Z-Image-Turbo
        arch: zimage
        quantize: true
"""
LOG = """\
Saving to /mnt/hilda/out/aunt_hilda_v7
aunt_hilda_v7:   1%|1         | 12/2000 [00:31<1:26:02]
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.64 GiB of which \
1.01 GiB is free. Including non-PyTorch memory, this process has 22.60 GiB memory in use.
"""


def diagnosed(*files: tuple[str, str]) -> dict:
    evidence = read([Pasted(name, text) for name, text in files], KNOWLEDGE)
    return json.loads(json.dumps(diagnose(evidence, KNOWLEDGE, locale="en").as_dict()))


def returned(book: CaseBook, verdict: Verdict, folder: Path) -> Path:
    made = diagnosed(("config.yaml", PASTE), ("log.txt", LOG))
    steps = tuple(NewStep(step["lever"], step["rule"]) for step in made["steps"] if step["now"])
    documents = (NewDocument("config.yaml", "config", PASTE), NewDocument("log.txt", "crash", LOG))
    target = Scope.server(GUILD).of(book.record(new_case(diagnosis=made, documents=documents, steps=steps)).result().id)
    write(book.note(target, MODERATOR, "because", verdict).result(), KNOWLEDGE, folder)
    (expectation,) = cases_in(folder)
    return expectation


def again(expectation: Path) -> list[str]:
    files = [(file.name, file.read_text(encoding="utf-8")) for file in inputs_of(expectation)]
    return complaints(expectation, diagnosed(*files))


def test_a_right_answer_stays_right_with_invented_names(book: CaseBook, tmp_path: Path) -> None:
    expectation = returned(book, "right", tmp_path)
    assert again(expectation) == []
    text = "".join(file.read_text(encoding="utf-8") for file in inputs_of(expectation))
    assert [word for word in PRIVATE if word in text] == []


@pytest.mark.parametrize(("verdict", "complaint"), [("wrong_lever", "is offered"), ("not_oom", "class is vram_oom")])
def test_a_wrong_answer_fails_until_the_knowledge_is_mended(
    book: CaseBook, tmp_path: Path, verdict: Verdict, complaint: str
) -> None:
    found = again(returned(book, verdict, tmp_path))
    assert len(found) == 1
    assert complaint in found[0]


def test_a_misspelt_field_is_no_silent_success(book: CaseBook, tmp_path: Path) -> None:
    expectation = returned(book, "right", tmp_path)
    expectation.write_text(expectation.read_text(encoding="utf-8") + "nevr: [ema]\n", encoding="utf-8")
    with pytest.raises(ValueError, match="nevr"):
        again(expectation)


@pytest.mark.parametrize(
    "line",
    ["tool: [onetrainer]", "class: [disk_full]", "phase: [save]", "arch: []", "family: [wan]", "vram_gib: 12", "first: [ema]",
     "then: [raise_shm]", "never: [gradient_checkpointing]", "no_diff: true",
     "patches: [{path: train.gradient_checkpointing, new: false}]", "patches: [{path: train.batch_size, max: 0}]"],
)  # fmt: skip
def test_each_field_can_fail(book: CaseBook, tmp_path: Path, line: str) -> None:
    expectation = returned(book, "right", tmp_path)
    expectation.write_text(f"{line}\n", encoding="utf-8")
    assert len(again(expectation)) == 1
