"""Fits, tight, does not fit; and what the evidence makes of it."""

import pytest

from bot.engine.memory import estimate

from .conftest import savings

OUT = {"problem__class": "vram_oom", "problem__phase": "train", "crash__class": "vram_oom"}


@pytest.mark.parametrize(("card", "verdict"), [(32.0, "fits"), (11.0, "tight"), (8.0, "no")])
def test_each_phase_has_its_own_verdict(facts, knowledge, card, verdict):
    assert estimate(facts(gpu__vram_gib=card), knowledge).verdict("train") == verdict


def test_without_a_card_there_is_no_verdict(facts, knowledge):
    made = estimate(facts(), knowledge)
    assert made.verdict("train") is None
    assert made.as_dict()["usable_gib"] is None


def test_what_others_hold_is_not_there(facts, knowledge):
    assert estimate(facts(gpu__vram_gib=24.0, gpu__others_gib=14.0), knowledge).verdict("train") == "tight"


def test_the_evidence_counts_for_more_than_the_estimate(facts, knowledge):
    died = facts(gpu__vram_gib=24.0, log__aborted=True, **OUT)
    made = estimate(died, knowledge)
    assert made.proof.contradicts
    assert made.peak("train") == pytest.approx(made.usable)
    assert made.verdict("train") != "fits"
    assert made.as_dict()["proof"]["contradicts"] is True


def test_numbers_of_the_error_say_what_was_needed(facts, knowledge):
    died = facts(crash__total_gib=23.6, crash__allocated_gib=22.5, crash__tried_gib=2.0, **OUT)
    made = estimate(died, knowledge)
    assert made.proof.least == pytest.approx(22.5 + 2.0 + 0.6)
    assert made.proof.over > 10


def test_an_error_below_the_estimate_shifts_nothing(facts, knowledge):
    off = facts(
        train__gradient_checkpointing=False,
        crash__total_gib=23.6,
        crash__allocated_gib=22.5,
        crash__tried_gib=0.5,
        **OUT,
    )
    made = estimate(off, knowledge)
    assert made.proof.over == 0
    assert not made.proof.contradicts


def test_another_phase_and_another_fault_prove_nothing(facts, knowledge):
    elsewhere = {**OUT, "problem__phase": "install"}
    assert estimate(facts(gpu__vram_gib=24.0, log__aborted=True, **elsewhere), knowledge).proof is None
    host = {**OUT, "problem__class": "host_ram_oom"}
    assert estimate(facts(gpu__vram_gib=24.0, log__aborted=True, **host), knowledge).proof is None


def test_a_change_that_saves_enough_fits(facts, knowledge):
    before = facts(train__gradient_checkpointing=False, gpu__vram_gib=24.0, log__aborted=True, **OUT)
    after = facts(gpu__vram_gib=24.0, log__aborted=True, **OUT)
    assert savings(before, after, knowledge).fits == "fits"


def test_what_the_evidence_proved_stays_needed_after_a_change(facts, knowledge):
    before = facts(gpu__vram_gib=16.0, log__aborted=True, batch_size=2, **OUT)
    after = facts(gpu__vram_gib=16.0, log__aborted=True, batch_size=2, datasets__resolution=1000, **OUT)
    saved = savings(before, after, knowledge)
    assert saved.gib["train"] < 1
    assert saved.fits != "fits"


def test_with_checkpointing_off_a_range_is_given_until_a_gpu_has_been_measured(facts, knowledge):
    memory = estimate(facts(train__gradient_checkpointing=False), knowledge).as_dict()
    least, most = memory["range_gib"]["train"]
    assert memory["range_only"] is not knowledge.memory.errors.gpu_record
    assert least < memory["peak_gib"]["train"] < most
    assert estimate(facts(), knowledge).as_dict()["range_only"] is False


def test_savings_need_figures_for_both(facts, knowledge):
    assert savings(facts(), facts(model__qtype="nvfp4"), knowledge) is None
    assert savings(facts(), facts(), knowledge).gib == {}


def test_a_card_that_spilled_did_not_hold_the_phase(facts, knowledge):
    """Windows moves what is too much into system RAM: no error, and the same proof."""
    spilled = {"gpu__vram_gib": 16.0, "problem__class": "shared_memory_spill", "problem__phase": "train"}
    made = estimate(facts(**spilled, datasets__resolution=512), knowledge)
    assert made.proof is not None
    assert made.proof.contradicts
    assert made.verdict("train") != "fits"
