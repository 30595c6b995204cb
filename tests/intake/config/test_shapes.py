"""Whole jobs, process dumps, fragments, loose keys, torn texts, and jobs that do not train."""

import json

import pytest

from tests.intake.config.making import JOB, document, job, read, values


def test_job_states_written_values_with_line_and_path():
    facts, _ = read(JOB)
    batch = facts["train.batch_size"]
    assert (batch.value, batch.origin, batch.path) == (2, "config", "config.process[0].train.batch_size")
    assert batch.place is not None
    assert (batch.place.source, batch.place.line, batch.place.text) == (3, 24, "batch_size: 2")


def test_job_states_defaults_for_absent_keys_and_sections():
    facts, _ = read(job(sample=""))
    assert (facts["train.gradient_checkpointing"].value, facts["train.gradient_checkpointing"].origin) == (
        True,
        "default",
    )
    assert facts["sample.width"].value == 512
    assert facts["sample.width"].place is None


def test_dump_of_the_process_alone_is_read_from_its_own_root():
    dump = json.dumps(document(JOB).parsed.data["config"]["process"][0], indent=4)
    facts, _ = read(dump)
    assert facts["config.shape"].value == "process"
    assert facts["train.batch_size"].path == "train.batch_size"
    assert facts["train.optimizer"].value == "adamw"


def test_absent_sections_of_a_fragment_are_unknown():
    found = values("train:\n  batch_size: 4\n  gradient_checkpointing: off\n")
    assert found["config.shape"] == "fragment"
    assert found["train.gradient_checkpointing"] is False
    assert found["batch_size"] == 4
    assert not [name for name in found if name.startswith(("model.", "datasets.", "sample.", "network."))]


def test_network_fragment_is_no_process():
    found = values("network:\n  type: lokr\n  linear: 8\n")
    assert (found["network.type"], found["network.rank"]) == ("lokr", 8)
    loose = values("type: lora\nlinear: 64\nlinear_alpha: 64\n")
    assert loose["network.rank"] == 64
    assert loose["config.job_kind"] == "train"
    assert "train.batch_size" not in loose


@pytest.mark.parametrize(
    ("text", "fact", "value"),
    [
        ("cache_latents_to_disk: true\nresolution:\n  - 1024\ncontrol_path_1: /c\n", "datasets.resolution", 1024),
        ("batch_size: 2\ngradient_checkpointing: false\nsteps: 900\n", "train.gradient_checkpointing", False),
        ("arch: wan22_5b\nlow_vram: true\nquantize: true\n", "model.arch", "wan22_5b"),
        ("width: 640\nheight: 640\nsample_steps: 9\n", "sample.width", 640),
    ],
)
def test_loose_keys_are_known_by_their_section(text, fact, value):
    facts, misplaced = read(text)
    assert facts[fact].value == value
    assert facts[fact].place is not None
    assert misplaced == ()


def test_loose_keys_of_several_sections_each_find_theirs():
    found = values("batch_size: 3\ngradient_checkpointing: true\nlow_vram: true\nresolution: [512]\n")
    assert (found["batch_size"], found["model.low_vram"], found["datasets.resolutions"]) == (3, True, (512,))


def test_items_of_a_datasets_list_without_its_key():
    found = values("- folder_path: /a\n  resolution: 768\n- folder_path: /b\n  resolution: [512, 1280]\n")
    assert found["datasets.resolutions"] == (512, 768, 1280)
    assert found["datasets.count"] == 2


def test_torn_text_gives_no_defaults_for_what_may_be_lost():
    text = "type: sd_trainer\ntrain:\n  batch_size: 1\ndatasets:\n- folder_path: /a\n  resolution: 512\n"
    whole, torn = values(text), values(text, cut=True)
    assert whole["datasets.num_frames"] == 1
    assert "datasets.num_frames" not in torn
    assert "sample.width" not in torn
    assert torn["train.gradient_checkpointing"] is True


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("job: extract\nconfig:\n  name: x\n  process:\n  - type: locon\n    linear: 4\n", "extract"),
        ("job: mod\nconfig:\n  name: x\n  process:\n  - type: rescale_lora\n", "mod"),
        (
            "job: generate\nconfig:\n  name: x\n  process:\n  - type: to_folder\n    generate: {width: 512}\n",
            "generate",
        ),
        ("job: extension\nconfig:\n  name: x\n  process:\n  - type: Qwen3VLCaptioner\n    caption: {}\n", "caption"),
        ("type: AceStepCaptioner\ncaption:\n  quantize: true\n", "caption"),
        ("job: extension\nconfig:\n  name: x\n  process:\n  - type: super_tagger\n", "caption"),
    ],
)
def test_jobs_that_do_not_train_state_nothing_about_training(text, kind):
    facts, misplaced = read(text)
    assert facts["config.job_kind"].value == kind
    assert facts["config.training"].value is False
    assert misplaced == ()
    assert not [name for name in facts if not name.startswith("config.")]


def test_slider_trains():
    found = values(
        "job: train\nconfig:\n  name: x\n  process:\n  - type: slider\n    train: {batch_size: 1}\n    model: {name_or_path: a}\n"
    )
    assert (found["config.job_kind"], found["config.training"], found["model.arch"]) == ("slider", True, "sd1")


@pytest.mark.parametrize(
    "text", ["[]", "{}", "- 1\n- 2\n", "datasets: 5\n", "config: 3\n", "job: extension\nconfig:\n  process: []\n"]
)
def test_odd_roots_are_read_without_error(text):
    assert values(text)["config.present"] is True


def test_a_job_without_datasets_was_trimmed_so_its_previews_are_unknown():
    found = values(job(datasets="", sample=""))
    assert "datasets.resolution" not in found
    assert "sample.width" not in found
    assert found["batch_size"] == 1
