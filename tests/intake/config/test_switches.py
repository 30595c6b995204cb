"""What stands in the place of a switch: a value that the end cuts off is unknown, any other word is on."""

import pytest

from bot.intake.config.switches import cut_at_switch, torn_switch
from bot.knowledge.keys import keys_of
from tests.intake.config.making import JOB, document, knowledge, values


def _is_cut(text: str) -> bool:
    return cut_at_switch(document(text), keys_of(knowledge())).cut


@pytest.mark.parametrize("begun", ["", " t", " tru", " f", " fal", " FAL", " fals"])
def test_a_switch_whose_value_is_cut_off_is_unknown(begun: str) -> None:
    text = f"train:\n  batch_size: 2\n  gradient_checkpointing:{begun}"
    assert _is_cut(text)
    found = values(text, cut=True)
    assert "train.gradient_checkpointing" not in found
    assert found["config.torn"] == "gradient_checkpointing"
    assert found["config.torn_text"] == f"gradient_checkpointing:{begun}"
    assert found["train.batch_size"] == 2
    assert "config.quoted_off" not in found


@pytest.mark.parametrize("whole", ["true", "false", "yes", "off", "null", "~", "flase", '"false"'])
def test_a_value_that_is_whole_ends_no_paste(whole: str) -> None:
    assert not _is_cut(f"train:\n  gradient_checkpointing: {whole}")


def test_what_is_begun_before_the_end_or_in_another_key_is_no_cut() -> None:
    assert not _is_cut("train:\n  gradient_checkpointing: fal\n  steps: 5")
    assert not _is_cut("train:\n  steps: 5\ntrigger_word: f")
    assert torn_switch(document(JOB), keys_of(knowledge())) is None


@pytest.mark.parametrize("word", ["fal", "flase", '"false"', "nope", "aus"])
def test_a_word_in_a_switch_is_on_and_kept_as_written(word: str) -> None:
    found = values(f"train:\n  gradient_checkpointing: {word}\n  steps: 5")
    assert found["train.gradient_checkpointing"] is True
    assert found["config.quoted_off"] == ("train.gradient_checkpointing",)
    assert found["train.checkpointing_text"] == f"gradient_checkpointing: {word}"


def test_a_word_for_on_is_not_worth_a_remark() -> None:
    assert "config.quoted_off" not in values('train:\n  gradient_checkpointing: "true"\n  steps: 5')
