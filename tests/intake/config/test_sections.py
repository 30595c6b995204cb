"""What each section's keys mean to ai-toolkit."""

import pytest

from tests.intake.config.making import job, read, values


def test_batch_size_of_a_dataset_overrides_the_one_of_train():
    facts, _ = read(job(train="{batch_size: 1}", datasets="[{resolution: 512}, {resolution: 768, batch_size: 4}]"))
    assert (facts["batch_size"].value, facts["batch_size"].path) == (4, "config.process[0].datasets[1].batch_size")
    assert facts["datasets.batch_overrides"].value is True
    assert facts["train.batch_size"].value == 1


def test_train_batch_counts_where_some_dataset_has_none_of_its_own():
    facts, _ = read(job(train="{batch_size: 6}", datasets="[{resolution: 512}, {resolution: 768, batch_size: 4}]"))
    assert (facts["batch_size"].value, facts["batch_size"].path) == (6, "config.process[0].train.batch_size")


def test_train_batch_does_not_count_where_every_dataset_overrides_it():
    assert values(job(train="{batch_size: 9}", datasets="[{batch_size: 2}, {batch_size: 3}]"))["batch_size"] == 3


def test_null_batch_of_a_dataset_means_the_one_of_train():
    assert values(job(train="{batch_size: 5}", datasets="[{batch_size: null}]"))["batch_size"] == 5


@pytest.mark.parametrize(
    ("written", "sizes"),
    [
        ("640", (640,)),
        ("[1024, 512, 512]", (512, 1024)),
        ("['768', \"512\"]", (512, 768)),
        ("'512, 768'", (512, 768)),
        ("512.0", (512,)),
    ],
)
def test_resolution_as_number_list_or_digits(written, sizes):
    found = values(job(datasets=f"[{{resolution: {written}}}]"))
    assert found["datasets.resolutions"] == sizes
    assert found["datasets.resolution"] == max(sizes)


def test_resolution_of_several_datasets_points_to_the_largest():
    facts, _ = read(job(datasets="[{resolution: [512]}, {resolution: [1536, 768]}, {folder_path: /c}]"))
    assert facts["datasets.resolutions"].value == (512, 768, 1536)
    assert facts["datasets.resolution"].path == "config.process[0].datasets[1].resolution"


def test_gradient_checkpointing_follows_truth_of_the_value():
    assert values(job(train="{gradient_checkpointing: no}"))["train.gradient_checkpointing"] is False
    assert values(job(train="{gradient_checkpointing: null}"))["train.gradient_checkpointing"] is False
    assert values(job(train="{gradient_checkpointing: 'off'}"))["train.gradient_checkpointing"] is True


def test_fp32_where_no_dtype_is_written():
    assert values(job(train="{batch_size: 1}"))["train.dtype"] == "fp32"


def test_preservation_ema_cfg_and_validation():
    text = job(
        train="{blank_prompt_preservation: true, ema_config: {use_ema: true}, do_random_cfg: true, validation_config: {resolution: 512}}"
    )
    found = values(text)
    assert (found["train.preservation"], found["train.use_ema"], found["train.do_cfg"], found["train.validation"]) == (
        "bpp",
        True,
        True,
        True,
    )
    assert values(job(train="{diff_output_preservation: true}"))["train.preservation"] == "dop"
    assert values(job(train="{validation_config: {validation_items: []}}"))["train.validation"] is False


def test_latents_count_as_cached_only_where_every_dataset_caches():
    both = "[{cache_latents: true}, {cache_latents_to_disk: true}]"
    assert values(job(datasets=both))["datasets.cache_latents"] is True
    assert values(job(datasets=both))["datasets.cache_latents_ram"] is True
    facts, _ = read(job(datasets="[{cache_latents_to_disk: true}, {cache_latents_to_disk: false}]"))
    assert facts["datasets.cache_latents"].value is False
    assert facts["datasets.cache_latents"].path == "config.process[0].datasets[1].cache_latents_to_disk"
    assert values(job(datasets="[{cache_latents_to_disk: true, augments: [flip]}]"))["datasets.cache_latents"] is False


def test_text_embeddings_cached_by_a_dataset_count_for_all():
    facts, _ = read(job(datasets="[{cache_text_embeddings: true}]"))
    assert facts["train.cache_text_embeddings"].value is True
    assert facts["train.cache_text_embeddings"].path == "config.process[0].datasets[0].cache_text_embeddings"


def test_video_by_frames_or_by_counting_them():
    frames = values(job(datasets="[{num_frames: 33}, {num_frames: 81}]"))
    assert (frames["datasets.num_frames"], frames["datasets.video"]) == (81, True)
    assert values(job(datasets="[{auto_frame_count: true}]"))["datasets.video"] is True
    assert values(job())["datasets.video"] is False


def test_control_paths_are_counted_in_every_spelling():
    assert values(job(datasets="[{control_path: [/a, /b]}]"))["datasets.controls"] == 2
    assert values(job(datasets="[{control_path: /a}]"))["datasets.controls"] == 1
    assert (
        values(job(datasets="[{control_path_1: /a, control_path_2: /b, control_path_3: null}]"))["datasets.controls"]
        == 2
    )
    assert values(job(datasets="[{control_path: null}]"))["datasets.controls"] == 0


def test_rank_by_either_name_and_no_network_for_a_full_fine_tune():
    assert values(job(network="{type: LoKr, rank: 4}"))["network.type"] == "lokr"
    assert values(job(network="{rank: 4, linear: 99}"))["network.rank"] == 4
    assert "network.rank" not in values(job(network=""))


def test_text_encoder_follows_quantize_and_its_qtype_where_the_key_is_ignored():
    found = values(job(model="{arch: wan22_14b:t2v, quantize: true, qtype: 'uint4|some/adapter', qtype_te: qfloat8}"))
    assert found["model.quantize_te"] is True
    assert (found["model.qtype"], found["model.ara"], found["model.qtype_te"]) == ("uint4", True, "uint4")
    honoured = values(job(model="{arch: zimage, quantize: true, quantize_te: false, qtype: uint4, qtype_te: qfloat8}"))
    assert (honoured["model.quantize_te"], honoured["model.qtype_te"], honoured["model.ara"]) == (
        False,
        "qfloat8",
        False,
    )


@pytest.mark.parametrize(
    ("model", "transformer", "text_encoder"),
    [
        ("{layer_offloading: false, layer_offloading_transformer_percent: 1}", 0.0, 0.0),
        ("{layer_offloading: true}", 1.0, 1.0),
        (
            "{layer_offloading: true, layer_offloading_transformer_percent: 0.3, layer_offloading_text_encoder_percent: 0}",
            0.3,
            0.0,
        ),
        ("{layer_offloading: true, layer_offloading_transformer_percent: 50}", 1.0, 1.0),
        ("{auto_memory: true}", 1.0, 1.0),
        ("{low_vram: true}", 0.0, 0.0),
    ],
)
def test_offloading_shares(model, transformer, text_encoder):
    found = values(job(model=model))
    assert (found["model.offload_transformer"], found["model.offload_text_encoder"]) == (transformer, text_encoder)
    assert found["model.layer_offloading"] is (transformer > 0 or text_encoder > 0)


def test_model_kwargs_and_assistant():
    found = values(
        job(model="{arch: qwen_image_edit_plus, model_kwargs: {match_target_res: true}, assistant_lora_path: x}")
    )
    assert (found["model.match_target_res"], found["model.assistant_lora"]) == (True, True)


def test_values_of_the_wrong_kind_leave_a_fact_unknown():
    found = values(job(train="{batch_size: [1], optimizer: {a: 1}}", network="{linear: many}", sample="{width: wide}"))
    assert "train.batch_size" not in found
    assert "train.optimizer" not in found
    assert "network.rank" not in found
    assert found["sample.width"] == 512
