"""What the estimate says of configs, and when it says nothing."""

import subprocess
import sys

import pytest

from bot.engine.memory import estimate, why_none

from .conftest import savings


def peak(facts, knowledge, phase="train"):
    return estimate(facts, knowledge).peak(phase)


def test_the_parts_add_up_to_the_peak(facts, knowledge):
    memory = estimate(facts(gpu__vram_gib=24.0), knowledge).as_dict()
    assert sum(memory["parts"].values()) == pytest.approx(memory["peak_gib"]["train"], abs=0.1)
    assert set(memory["peak_gib"]) == {"load", "cache", "train", "sample"}
    assert memory["basis"] == "knowledge/memory/z-image.yaml"
    assert 0 < memory["error"] < 0.5


def test_checkpointing_off_costs_tens_of_gib(facts, knowledge):
    off = facts(train__gradient_checkpointing=False)
    saved = savings(off, facts(), knowledge)
    assert 40 < saved.gib["train"] < 60
    assert "load" not in saved.gib


@pytest.mark.parametrize(("arch", "least", "most"), [("zimage", 8, 12), ("qwen_image", 22, 29)])
def test_float8_keeps_an_unpacked_copy_when_checkpointing_is_off(facts, knowledge, arch, least, most):
    off = {"model__arch": arch, "train__gradient_checkpointing": False}
    copies = estimate(facts(**off, model__qtype="float8"), knowledge).phases["train"].parts["activations"]
    plain = estimate(facts(**off, model__quantize=False), knowledge).phases["train"].parts["activations"]
    assert least < copies - plain < most


def test_control_images_cost_the_same_whatever_the_bucket_unless_they_match_it(facts, knowledge):
    edit = {"model__arch": "qwen_image_edit_plus", "datasets__controls": 2}
    small = peak(facts(**edit, datasets__resolution=512), knowledge)
    matched = peak(facts(**edit, datasets__resolution=512, model__match_target_res=True), knowledge)
    large = peak(facts(**edit, datasets__resolution=1024), knowledge)
    assert large - small < small - matched
    assert peak(facts(**edit, model__match_target_res=True), knowledge) == large


def test_rank_hardly_matters(facts, knowledge):
    assert peak(facts(network__rank=64), knowledge) - peak(facts(network__rank=16), knowledge) < 1.5


def test_the_text_encoder_stays_on_the_card_unless_cached_or_unloaded(facts, knowledge):
    kept = facts(train__cache_text_embeddings=False)
    unloaded = facts(train__cache_text_embeddings=False, train__unload_text_encoder=True)
    assert peak(kept, knowledge) - peak(facts(), knowledge) > 3
    assert peak(unloaded, knowledge) == peak(facts(), knowledge)
    assert peak(unloaded, knowledge, "sample") > peak(facts(), knowledge, "sample") + 3, "previews bring it back"


def test_a_second_graph_costs_what_the_first_keeps(facts, knowledge):
    kept = facts(train__preservation="dop")
    assert 0.5 < peak(kept, knowledge) - peak(facts(), knowledge) < 2
    off = facts(train__gradient_checkpointing=False)
    doubled = facts(train__gradient_checkpointing=False, train__preservation="bpp")
    assert peak(doubled, knowledge) > 1.7 * peak(off, knowledge)


def test_offloading_moves_weights_to_host_memory(facts, knowledge):
    offloaded = estimate(
        facts(model__layer_offloading=True, model__offload_transformer=1.0, model__qtype="float8"), knowledge
    )
    assert offloaded.peak("train") < peak(facts(), knowledge) - 3
    assert offloaded.host > 5
    assert estimate(facts(), knowledge).host == 0


def test_offloading_that_the_toolkit_ignores_changes_nothing(facts, knowledge):
    asked = facts(model__arch="flux", model__offload_transformer=1.0, arch__layer_offloading="ignored")
    assert peak(asked, knowledge) == peak(facts(model__arch="flux"), knowledge)


def test_both_experts_lie_on_the_card_without_low_vram(facts, knowledge):
    wan = {"model__arch": "wan22_14b:t2v", "datasets__resolution": 512}
    assert peak(facts(**wan, model__low_vram=False), knowledge) - peak(facts(**wan), knowledge) > 12


def test_flux_is_whole_on_the_card_before_it_is_quantized_unless_low_vram(facts, knowledge):
    flux = {"model__arch": "flux"}
    assert peak(facts(**flux, model__low_vram=False), knowledge, "load") > 22
    assert peak(facts(**flux), knowledge, "load") < 18


def test_text_encoders_come_onto_the_card_one_after_another(facts, knowledge):
    """HiDream's two large ones in bf16 would be 24 GiB; only the larger is whole at a time."""
    encoders = estimate(facts(model__arch="hidream", model__qtype="uint2"), knowledge).phases["load"].parts
    assert 17 < encoders["text_encoder"] < 22


def test_disabled_sampling_has_no_preview(facts, knowledge):
    memory = estimate(facts(train__disable_sampling=True), knowledge).as_dict()
    assert memory["peak_gib"]["sample"] is None


def test_a_printed_bucket_counts_as_long_as_the_config_allows_it(facts, knowledge):
    printed = facts(log__bucket_pixels=768 * 768)
    assert peak(printed, knowledge) == peak(facts(datasets__resolution=768), knowledge)
    lowered = facts(log__bucket_pixels=768 * 768, datasets__resolution=512)
    assert peak(lowered, knowledge) == peak(facts(datasets__resolution=512), knowledge)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"model__arch": "minimax_h3"}, "arch"),
        ({"model__arch": None}, "model"),
        ({"model__arch": None, "model__family": "wan-2-1"}, "variant"),
        ({"model__arch": "krea2:o_edit"}, "arch"),
        ({"model__qtype": "nvfp4"}, "qtype"),
        ({"network__type": None}, "full"),
        ({"network__type": "lokr"}, "network"),
        ({"train__optimizer": "muon"}, "optimizer"),
        ({"model__arch": "sd3", "model__name_or_path": "stabilityai/stable-diffusion-3.5-medium"}, "size"),
    ],
)
def test_no_figure_is_given_for_what_nobody_measured(facts, knowledge, changes, reason):
    assert estimate(facts(**changes), knowledge) is None
    assert why_none(facts(**changes), knowledge) == reason


def test_without_a_resolution_only_the_training_step_is_left_out(facts, knowledge):
    made = estimate(facts(datasets__resolution=None), knowledge)
    assert "train" not in made.phases
    assert made.as_dict()["missing"] == "resolution"
    assert made.as_dict()["peak_gib"]["load"] > 5


def test_a_fragment_without_a_batch_size_has_no_training_step(facts, knowledge):
    assert estimate(facts(batch_size=None), knowledge).as_dict()["missing"] == "batch"


def test_the_text_encoder_is_quantized_with_the_model_where_nothing_else_is_said(facts, knowledge):
    open_, said = facts(model__quantize_te=None), facts(model__quantize_te=False)
    kept = {"train__cache_text_embeddings": False}
    assert peak(facts(**kept, model__quantize_te=None), knowledge) == peak(facts(**kept), knowledge)
    assert peak(said, knowledge, "load") >= peak(open_, knowledge, "load")


def test_clips_of_unknown_length_leave_the_training_step_out(facts, knowledge):
    made = estimate(facts(model__arch="wan21:14b", datasets__auto_frame_count=True), knowledge)
    assert made.as_dict()["missing"] == "frames"
    known = facts(model__arch="wan21:14b", datasets__auto_frame_count=True, log__bucket_frames=33)
    assert "train" in estimate(known, knowledge).phases


def test_the_runtime_knows_no_torch():
    code = "import sys, bot.engine.memory, bot.engine.plan, bot.knowledge.memory; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
