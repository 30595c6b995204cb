"""A case goes out as a test: its input with invented names, and what is expected, to be completed."""

from pathlib import Path

import pytest
import yaml

from bot.cases.book import CaseBook
from bot.cases.invented import Inventor
from bot.cases.model import TOLD, NewDocument, Scope, Verdict
from bot.cases.returned import NoTextError, write
from bot.intake.read import Told
from bot.knowledge.load import Knowledge
from tests.cases.making import GUILD, MODERATOR, new_case
from tests.returned import told_in

SERVER = Scope.server(GUILD)
YAML = """\
job: extension
config:
  name: "aunt_hilda_v7"   # my aunt
  process:
  - type: sd_trainer
    training_folder: /mnt/hilda/out
    trigger_word: h1lda
    datasets:
      - folder_path: "D:\\\\pics\\\\hilda"
        resolution: [512, 1024]
      - folder_path: /mnt/second
    train:
      batch_size: 4
      steps: null
    sample:
      width: 1024
      prompts:
        - "h1lda at the opera --w 1536 --h 1024"
        - h1lda at home, 'quoted', and so on
      neg: ""
"""
JSON = """\
{
    "job": "extension",
    "config": {
        "name": "aunt_hilda_v7",
        "process": [{
            "training_folder": "/mnt/hilda/out",
            "trigger_word": "h1lda",
            "sample": {
                "samples": [
                    {
                        "prompt": "h1lda in the park, 8k",
                        "width": 768
                    }
                ],
                "prompts": [
                    "h1lda reading",
                    "h1lda asleep --w 640"
                ],
                "walk_seed": true
            }
        }]
    }
}
"""
LOG = (
    "Running 1 process\nSaving to /mnt/hilda/out/aunt_hilda_v7/aunt_hilda_v7_000000250.safetensors\nCUDA out of memory."
)
PRIVATE = ("hilda", "h1lda", "aunt", "opera", "park", "asleep", "/mnt/second")


def renamed(*texts: str) -> list[str]:
    return Inventor(Knowledge()).renamed(texts)


@pytest.mark.parametrize("text", [YAML, JSON], ids=["yaml", "json"])
def test_no_name_and_no_prompt_is_left(text: str) -> None:
    made, log = renamed(text, LOG)
    assert [word for word in PRIVATE if word in made + log] == []
    assert "CUDA out of memory." in log


@pytest.mark.parametrize("text", [YAML, JSON], ids=["yaml", "json"])
def test_all_else_stays_as_it_was(text: str) -> None:
    before, after = yaml.safe_load(text), yaml.safe_load(renamed(text)[0])
    assert _shape(before) == _shape(after)


def _shape(node: object) -> object:
    """The document with its strings left out, numbers and keys kept."""
    if isinstance(node, dict):
        return {key: _shape(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_shape(item) for item in node]
    return "text" if isinstance(node, str) else node


def test_sizes_in_a_prompt_stay() -> None:
    assert "--w 1536 --h 1024" in renamed(YAML)[0]
    assert "--w 640" in renamed(JSON)[0]


def test_the_same_name_is_the_same_everywhere() -> None:
    config, log = renamed(YAML, LOG)
    assert yaml.safe_load(config)["config"]["name"] == "my_first_lora"
    assert "my_first_lora/my_first_lora_000000250" in log


def test_a_second_name_of_a_kind_is_told_apart() -> None:
    datasets = yaml.safe_load(renamed(YAML)[0])["config"]["process"][0]["datasets"]
    assert [dataset["folder_path"] for dataset in datasets] == ["D:\\datasets\\subject", "/mnt/datasets/subject-2"]


def test_a_name_that_is_a_common_word_changes_at_its_own_key_alone() -> None:
    config, log = renamed("name: flux\\nmodel:\\n  arch: flux\\n".replace("\\n", "\n"), "loading flux")
    assert yaml.safe_load(config) == {"name": "my_first_lora", "model": {"arch": "flux"}}
    assert log == "loading flux"


def test_renaming_twice_is_renaming_once() -> None:
    once = renamed(YAML)
    assert renamed(*once) == once


def judged(book: CaseBook, verdict: Verdict | None, folder: Path) -> tuple[list[Path], dict]:
    documents = (NewDocument("config.yaml", "config", YAML), NewDocument("log.txt", "crash", LOG))
    target = SERVER.of(book.record(new_case(documents=documents)).result().id)
    if verdict:
        book.note(target, MODERATOR, "it was the preview: too large", verdict).result()
    paths = write(book.find(target).result(), Knowledge(), folder)
    return paths, yaml.safe_load(paths[-1].read_text(encoding="utf-8"))


def test_it_lands_in_the_folder_of_its_rule(book: CaseBook, tmp_path: Path) -> None:
    paths, _ = judged(book, "wrong", tmp_path)
    stem = paths[0].name.removesuffix(".yaml")
    assert [path.relative_to(tmp_path).as_posix() for path in paths] == [
        f"gradient-checkpointing-off/{name}" for name in (f"{stem}.yaml", f"{stem}-2.txt", f"{stem}.expect.yaml")
    ]
    assert not any(word in path.read_text(encoding="utf-8") for path in paths for word in PRIVATE)


@pytest.mark.parametrize(
    ("verdict", "absent", "present"),
    [
        ("wrong", {"class", "phase", "first", "no_diff"}, {"family": ["z-image"]}),
        ("wrong_lever", {"first", "no_diff"}, {"class": ["vram_oom"], "never": ["gradient_checkpointing"]}),
        ("not_oom", {"phase", "first", "no_diff"}, {"class": ["not_memory"]}),
        ("right", {"never"}, {"first": ["gradient_checkpointing"], "class": ["vram_oom"], "vram_gib": 12.0}),
        (None, {"never"}, {"first": ["gradient_checkpointing"], "no_diff": False}),
    ],
)
def test_what_the_verdict_doubts_is_left_to_a_person(
    book: CaseBook, tmp_path: Path, verdict: Verdict | None, absent: set, present: dict
) -> None:
    paths, expected = judged(book, verdict, tmp_path)
    assert not absent & set(expected)
    assert present.items() <= expected.items()
    assert expected["note"] == ("it was the preview: too large" if verdict else "")
    doubted = paths[-1].read_text(encoding="utf-8")
    assert all(f"# {name}: " in doubted for name in absent - {"never"})


def test_what_was_said_in_options_goes_along(book: CaseBook, tmp_path: Path) -> None:
    told = NewDocument("told", TOLD, '{"gpu": "RTX 3060", "vram_gib": 12.0, "ram_gib": null, "goal": null}')
    documents = (NewDocument("config.yaml", "config", YAML), told)
    found = book.find(SERVER.of(book.record(new_case(documents=documents)).result().id)).result()
    paste, expectation = write(found, Knowledge(), tmp_path)
    assert "3060" not in paste.read_text(encoding="utf-8")
    assert told_in(expectation) == Told(gpu="RTX 3060", vram_gib=12.0)


def test_the_reason_names_nobody_either(book: CaseBook, tmp_path: Path) -> None:
    target = SERVER.of(book.record(new_case(YAML)).result().id)
    found = book.note(target, MODERATOR, "aunt_hilda_v7 was wrong", "wrong").result()
    _, expectation = write(found, Knowledge(), tmp_path)
    assert yaml.safe_load(expectation.read_text(encoding="utf-8"))["note"] == "my_first_lora was wrong"


def test_nothing_is_overwritten(book: CaseBook, tmp_path: Path) -> None:
    target = SERVER.of(book.record(new_case()).result().id)
    found = book.find(target).result()
    write(found, Knowledge(), tmp_path)
    with pytest.raises(FileExistsError):
        write(found, Knowledge(), tmp_path)


def test_without_a_text_there_is_no_test(book: CaseBook, tmp_path: Path) -> None:
    target = SERVER.of(book.record(new_case(store_text=False)).result().id)
    with pytest.raises(NoTextError):
        write(book.find(target).result(), Knowledge(), tmp_path)
