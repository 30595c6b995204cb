"""In a support channel only a paste is answered; people may talk of errors and settings as they like."""

from pathlib import Path

import pytest
import yaml

from bot.discord_app.pasting.detect import Decision, Detector, Look
from bot.discord_app.workers.jobs import DiagnoseJob
from bot.discord_app.workers.worker import Engine
from bot.intake.read import Pasted
from bot.knowledge.pastes import Pastes

TALK = yaml.safe_load(Path(__file__).with_name("talk.yaml").read_text(encoding="utf-8"))
ENGINE = Engine()
DETECTOR = Detector(Pastes.load(ENGINE.knowledge))


def is_answered(text):
    if DETECTOR.process(Look(text=text, opted_in=True)) is not Decision.PASTE:
        return False
    return ENGINE.answer(DiagnoseJob((Pasted("message.txt", text),))).sure


@pytest.mark.parametrize("text", TALK["left_alone"])
def test_talk_is_left_alone(text):
    assert not is_answered(text)


@pytest.mark.parametrize("text", TALK["answered"])
def test_a_paste_is_answered(text):
    assert is_answered(text)


FRAGMENT = "train:\n  batch_size: 4\n  gradient_checkpointing: false\nmodel:\n  arch: flux\n  quantize: true"


@pytest.mark.parametrize(
    "shape", ["* {}", "- {}", "\u2022 {}", "> {}", "{at}. {}", "({at}) {}", "`{}`", '"{}",', "- [ ] {}"]
)
def test_a_config_with_a_mark_before_every_line_is_answered(shape):
    assert is_answered("\n".join(shape.format(row, at=at) for at, row in enumerate(FRAGMENT.split("\n"), 1)))


def test_a_config_without_its_line_breaks_is_answered():
    assert is_answered(" ".join(FRAGMENT.split()))


def test_hints_in_a_numbered_list_are_left_alone():
    assert not is_answered("1. quantize: true\n2. low_vram: true\n3. batch_size: 1\n")


@pytest.mark.parametrize(("look", "decision"), [
    (Look(text="resolution:\n  - 512", opted_in=True), Decision.SILENT),
    (Look(text="        steps: 2000\n        lr: 1e-4", opted_in=True), Decision.SILENT),
    (Look(text="        steps: 2000\n        lr: 1e-4", opted_in=True, case_open=True), Decision.PASTE),
    (Look(text="thanks:\nit runs", opted_in=True, case_open=True), Decision.SILENT),
    (Look(text="4090 btw", opted_in=True, case_open=True), Decision.DETAIL),
    (Look(text="4090 btw", opted_in=True, case_open=True, to_somebody=True), Decision.SILENT),
    (Look(text="4090 btw", case_open=True), Decision.DETAIL),
    (Look(text="4090 btw", opted_in=True, mention_only=True), Decision.SILENT),
    (Look(text="oom", files=["a.png"], case_open=True), Decision.SILENT),
    (Look(text="oom", files=["a.png"], opted_in=True), Decision.PICTURE),
    (Look(text="hello", addressed=True), Decision.CALL),
])  # fmt: skip
def test_what_a_message_is_taken_for(look, decision):
    assert DETECTOR.process(look) is decision
