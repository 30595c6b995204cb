"""Keys that ai-toolkit ignores where they stand."""

import pytest

from tests.intake.config.making import JOB, job, read, values


def found(text: str) -> list[tuple[str, str | None]]:
    return [(one.path, one.meant) for one in read(text)[1]]


@pytest.mark.parametrize(
    ("section", "key", "meant"),
    [
        ("model", "gradient_checkpointing", "train.gradient_checkpointing"),
        ("model", "batch_size", "train.batch_size"),
        ("model", "cache_text_embeddings", "train.cache_text_embeddings"),
        ("train", "low_vram", "model.low_vram"),
        ("train", "cache_latents_to_disk", "datasets[0].cache_latents_to_disk"),
        ("train", "resolution", "datasets[0].resolution"),
        ("train", "gradient_checkpoint", "train.gradient_checkpointing"),
        ("train", "Gradient-Checkpointing", "train.gradient_checkpointing"),
        ("train", "gradient_checkpoiting", "train.gradient_checkpointing"),
        ("train", "batchsize", "train.batch_size"),
        ("train", "use_ema", "train.ema_config.use_ema"),
        ("model", "match_target_res", "model.model_kwargs.match_target_res"),
        ("model", "layer_ofloading", "model.layer_offloading"),
        ("sample", "steps", "sample.sample_steps"),
        ("sample", "disable_samplin", None),
    ],
)
def test_key_in_the_wrong_place_or_misspelt(section, key, meant):
    flows = {"model": "arch: zimage", "train": "steps: 9", "sample": "width: 512"}
    got = found(job(**{section: f"{{{flows[section]}, {key}: 1}}"}))
    assert got == ([] if meant is None else [(f"{section}.{key}", meant)])


def test_key_beside_the_sections_and_at_the_root():
    assert found(job().replace("    - type: sd_trainer", "    - type: sd_trainer\n      batch_size: 2")) == [
        ("batch_size", "train.batch_size")
    ]
    assert found(JOB + "low_vram: true\n") == [("low_vram", "model.low_vram")]


def test_key_in_a_dataset_names_its_own_entry():
    got = found(job(datasets="[{resolution: 512}, {resolutions: [512]}]"))
    assert got == [("datasets[1].resolutions", "datasets[1].resolution")]


def test_misplaced_key_has_no_effect_and_a_place():
    facts, misplaced = read(job(model="{arch: zimage, gradient_checkpointing: false}"))
    assert facts["train.gradient_checkpointing"].value is True
    assert facts["config.misplaced"].value == ("model.gradient_checkpointing",)
    assert misplaced[0].place is not None
    assert "gradient_checkpointing" in misplaced[0].place.text


@pytest.mark.parametrize(
    ("section", "keys"),
    [
        (
            "train",
            "gradient_accumulation_steps: 1, noise_offset: 0.1, lr_scheduler: constant, prompt_dropout_prob: 0, seed: 3",
        ),
        ("model", "only_if_contains: [a], vae_path: /v, te_dtype: bf16, refiner_name_or_path: x, is_v_pred: true"),
        (
            "datasets",
            "cache_clip_vision_to_disk: true, num_repeats: 2, square_crop: true, my_own_note: x, buckets: true",
        ),
        ("sample", "walk_seed: true, network_multiplier: 1.0, sample_start_step: 3, refiner_start_at: 1"),
        ("network", "lokr_factor: -1, layer_offloading: false, network_kwargs: {}, pretrained_lora_path: x"),
    ],
)
def test_rare_but_legitimate_keys_raise_no_alarm(section, keys):
    flow = f"[{{folder_path: /a, {keys}}}]" if section == "datasets" else f"{{{keys}}}"
    assert found(job(**{section: flow})) == []


def test_whole_job_as_the_interface_writes_it_has_nothing_misplaced():
    assert found(JOB) == []
    assert "config.misplaced" not in values(JOB)


def test_many_odd_keys_are_capped():
    keys = ", ".join(f"batch_size{'_' * number}: 1" for number in range(1, 60))
    assert len(found(job(model=f"{{{keys}}}"))) == 20
