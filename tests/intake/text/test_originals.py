from dataclasses import replace

import pytest

from bot.evidence import Evidence
from bot.intake.read import Pasted, carry_back, read
from bot.knowledge.load import Knowledge
from bot.yamledit import Patch, apply
from tests.intake.samples import JOB, LOG

KNOWLEDGE = Knowledge()
SECRET = "hf_AbCdEfGhIjKlMnOpQrSt0123456789"
PERSONAL = JOB.replace('"/workspace/sets/garden"', '"/home/ann/sets/garden"').replace(
    "        save_every: 200\n", f'        save_every: 200  # für mich\n        hf_token: "{SECRET}"\n', 1
)


def patched(evidence: Evidence, *, batch: int = 1) -> str:
    assert evidence.config is not None
    path = (*evidence.config.root, "train", "batch_size")
    return apply(evidence.config.parsed, (Patch("replace", path, batch),)).parsed.text


def carry(data: str | bytes) -> bytes | None:
    pasted = Pasted("job.yaml", data)
    evidence = read([pasted], KNOWLEDGE)
    return carry_back(pasted, evidence, patched(evidence))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_one_value_changes_and_every_other_byte_stays(encoding: str, ending: str) -> None:
    text = PERSONAL.replace("\n", ending)
    wanted = text.replace("batch_size: 3", "batch_size: 1")
    assert carry(text.encode(encoding)) == wanted.encode(encoding)


def test_bytes_that_are_no_text_stay_too() -> None:
    data = PERSONAL.encode("cp1252")
    assert carry(data) == data.replace(b"batch_size: 3", b"batch_size: 1")


@pytest.mark.parametrize("rest", ["", "# für\n"])
def test_bytes_of_another_encoding_stay_in_the_changed_line_too(rest: str) -> None:
    data = PERSONAL.replace("batch_size: 3", "batch_size: 3  # \u00fcber").encode("cp1252") + rest.encode()
    assert carry(data) == data.replace(b"batch_size: 3", b"batch_size: 1")


def test_a_config_inside_a_longer_text() -> None:
    text = f"/home/ann/run.py died, token {SECRET}\n\n```yaml\n{PERSONAL}```\nwhy?\n"
    assert carry(text) == text.replace("batch_size: 3", "batch_size: 1").encode()


def test_a_dump_at_the_head_of_a_log() -> None:
    assert carry(LOG) == LOG.replace('"batch_size": 3', '"batch_size": 1').encode()


def test_a_secret_on_the_changed_line_is_put_back() -> None:
    text = PERSONAL.replace("batch_size: 3", f"batch_size: 3  # {SECRET} of /home/ann")
    assert carry(text) == text.replace("batch_size: 3", "batch_size: 1").encode()


def test_repairs_are_carried_back_with_the_change() -> None:
    torn = PERSONAL.replace('optimizer: "adamw8bit"', 'optimizer: "adamw8bit')
    assert carry(torn) == PERSONAL.replace("batch_size: 3", "batch_size: 1").encode()


def test_nothing_changed_gives_the_same_bytes() -> None:
    pasted = Pasted("job.yaml", PERSONAL.encode())
    evidence = read([pasted], KNOWLEDGE)
    assert evidence.config is not None
    assert carry_back(pasted, evidence, evidence.config.text) == pasted.data


@pytest.mark.parametrize(
    "text",
    [
        "\n".join("> " + row for row in JOB.split("\n")),
        JOB.replace(' "', " \u201c").replace('"\n', "\u201d\n"),
        "train:\n  batch_size: 4\nand\nmodel:\n  arch: flux\n",
        JOB + "tail of a log\n" * 40_000,
    ],
    ids=["quoted", "typographic", "joined", "too long to be read whole"],
)
def test_what_is_no_slice_of_the_original_is_refused(text: str) -> None:
    assert carry(text) is None


def test_without_a_config_there_is_nothing_to_carry() -> None:
    pasted = Pasted("x", "hello")
    assert carry_back(pasted, read([pasted], KNOWLEDGE), "") is None


def test_the_source_that_holds_the_config_is_the_one_to_change() -> None:
    log, job = Pasted("run.log", f"/home/bob/x {SECRET}\nRunning 1 job\n"), Pasted("job.yaml", PERSONAL)
    evidence = read([log, job], KNOWLEDGE)
    assert evidence.config is not None
    assert evidence.config.source == 1
    assert carry_back(job, evidence, patched(evidence)) == PERSONAL.replace("batch_size: 3", "batch_size: 1").encode()


def test_a_document_that_moved_is_refused() -> None:
    pasted = Pasted("job.yaml", PERSONAL)
    evidence = read([pasted], KNOWLEDGE)
    assert evidence.config is not None
    moved = replace(evidence, config=replace(evidence.config, start=evidence.config.start + 1))
    assert carry_back(pasted, moved, "") is None
