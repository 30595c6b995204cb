"""Against public figures: as close as stated, and never `fits` where somebody ran out."""

from statistics import median

import pytest
import yaml

from bot.knowledge.folder import data_folder
from knowledge.memory import validate


@pytest.fixture(scope="module")
def judged(knowledge):
    return validate.judge_all(data_folder() / "memory" / "datapoints.csv", knowledge)


@pytest.mark.parametrize(("kind", "asked"), [("on", 0.05), ("off", 0.10), (None, 0.08)])
def test_the_medians_are_as_asked_for(judged, kind, asked):
    assert median(validate.errors_of(judged, kind)) <= asked


def test_nothing_fits_where_it_was_reported_to_run_out(judged):
    assert not [one.row["id"] for one in judged if one.verdict == "fits" and one.row["kind"] == "oom"]


def test_what_was_reported_to_run_is_not_called_impossible(judged):
    assert not [one.row["id"] for one in judged if one.verdict == "no" and one.row["kind"] == "fits"]


def test_every_far_miss_has_a_reason(judged):
    assert all(one.row["note"] for one in judged if one.error is not None and abs(one.error) > validate.FAR)


def test_the_stated_error_is_the_measured_one(judged):
    stated = yaml.safe_load((data_folder() / "memory" / "errors.yaml").read_text(encoding="utf-8"))
    assert stated["gc_on"] == validate.unmeasured(judged)
    assert stated["gc_off"] == validate.band(validate.errors_of(judged, "off"))
    assert stated["families"] == validate.families(judged)


def test_facts_are_read_with_their_types():
    made = validate.facts_of("network.rank=16 train.use_ema=true model.offload_transformer=0.5 model.qtype=uint3", "24")
    values = {name: fact.value for name, fact in made.items()}
    assert values == {
        "network.rank": 16, "train.use_ema": True, "model.offload_transformer": 0.5, "model.qtype": "uint3",
        "gpu.vram_gib": 24.0,
    }  # fmt: skip


def test_the_command_prints_and_fails_where_the_figures_are_off(judged, capsys, monkeypatch):
    assert validate.report(judged)
    printed = capsys.readouterr().out
    assert "checkpointing off" in printed
    assert "st-zimage" in printed
    monkeypatch.setitem(validate.WITHIN, "on", 0.0)
    assert not validate.report(judged)
