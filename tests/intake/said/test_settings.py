"""Settings given in prose."""

import pytest

from bot.intake.said.settings import said_settings
from tests.intake.said.making import knowledge, passage


def said(text: str) -> dict[str, object]:
    return {name: fact.value for name, fact in said_settings(passage(text), knowledge())[0].items()}


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("gradient_checkpointing: true", True), ("GC on", True), ("with gradient checkpointing", True), ("GC = off", False),
        ("gradient checkpointing is disabled", False), ("gradient_checkpointing aus", False), ("Gradient Checkpointing an", True),
        ("gradient checkpointing disattivato", False), ("disattivato il gradient checkpointing", False), ("I turned GC off", False),
        ("no gradient checkpointing", False), ("sans gradient checkpointing", False), ("GC: no", False), ("Gradient Checkpointing hab ich ausgemacht", False), ("gradient checkpointing l'ho disattivato", False), ("梯度检查点关闭", False),
        ("gradient checkpointing", None), ("Kann ich gradient checkpointing ausschalten?", None), ("should I turn GC off?", None),
        ("what if GC is off", None), ("tried GC on+off", None), ("GC on and off", None), ("GC on my card", None), ("GC is on and it fails", True),
        ("gradient checkpointing ist nicht an", False), ("GC is not on", False), ("GC isn't off", True), ("non è attivo il GC", None), ("gradient checkpointing non è attivo", False),
        ("I don't have GC on", False), ("I forgot to turn on gradient checkpointing", False), ("gc's on", True), ("GC hab ich schon drin", True), ("GC war schon an", True),
        ("梯度檢查點有開", True), ("梯度检查点没开", False), ("그래디언트 체크포인팅 꺼짐", False), ("그래디언트 체크포인팅은 켜져 있어요", True), ("勾配チェックポイントはオフです", False),
        ("gradient checkpointing włączony", True), ("gradient checkpointing kapali", False), ("checkpointing de gradiente ligado", True), ("чекпоинтинг стоит выключен", False), ("is it ok that GC should be off?", None),
    ],
)  # fmt: skip
def test_switch(text, state):
    assert said(text).get("train.gradient_checkpointing") is state


@pytest.mark.parametrize(
    ("text", "batch"),
    [
        ("Batch Size: 1", 1), ("batch is 1", 1), ("batch_size=4", 4), ("batch 2, rank 16", 2), ("batch of 8", 8), ("bs 2", 2), ("bs4 gc on", 4), ("batch di 3", 3),
        ("batch size von 4", 4), ("批次大小 2", 2), ("батч 2", 2), ("lote de 2", 2), ("lot de 1", 1), ("배치 2", 2), ("배치는 4", 4), ("batch是2", 2), ("batch's 1", 1), ("batch a 1", 1), ("skipping batch 1/3", None), ("batch 100000", None), ("a batch job", None),
    ],
)  # fmt: skip
def test_batch(text, batch):
    found = said(text)
    assert (found.get("train.batch_size"), found.get("batch_size")) == (batch, batch)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("Resolutions: 512, 768", (512, 768)), ("buckets 512/768/1024", (512, 768, 1024)), ("512 only", (512,)), ("batch 1, 512. first step", (512,)), ("해상도 1024", (1024,)), ("分辨率只用512", (512,)), ("rozdzielczość 768", (768,)), ("only 768", (768,)),
        ("nur 512", (512,)), ("512+768 finished, now it fails", (512, 768)), ("5090, 1024, batch 1", (1024,)), ("trained at 1280", (1280,)),
        ("512x512x33 frames", (512,)), ("auflösung: 1536", (1536,)), ("分辨率 1024", (1024,)), ("20 GB used at 1024. 512 only still fails", (512,)),
        ("z-image turbo 1024 batch 2", (1024,)), ("81 Frames, 768er Auflösung", (768,)), ("OOM bei 1536er Bucket", (1536,)), ("33 frames 512, dies", (512,)), ("step 1024, dies", None), ("rank 512", None), ("at 3000 steps", None),
    ],
)  # fmt: skip
def test_resolutions(text, sizes):
    found = said(text)
    assert found.get("datasets.resolutions") == sizes
    assert found.get("datasets.resolution") == (sizes[-1] if sizes else None)


def test_preview_sizes_are_no_buckets():
    found = said("previews at 1536x1536, buckets 512/768")
    assert (found["sample.width"], found["datasets.resolution"]) == (1536, 768)


@pytest.mark.parametrize(
    ("text", "frames", "video"),
    [
        ("121 frames", 121, True),
        ("分辨率512,81帧", 81, True),
        ("4090,512,768,81 frames", 81, True),
        ("num_frames: 81", 81, True),
        ("clips of 226 and 107 frames", 226, True),
        ("33 frames 512", 33, True),
        ("81 Bilder pro Clip", 81, True),
        ("49 fotogrammi", 49, True),
        ("a 480p con 41 frame: OOM", 41, True),
        ("2 pictures", 1, False),
        ("wan", None, None),
    ],
)
def test_frames(text, frames, video):
    found = said(text)
    assert (found.get("datasets.num_frames"), found.get("datasets.video")) == (frames, video)


def test_frames_of_previews():
    assert said("the preview has 41 frames") == {"sample.num_frames": 41}


def test_offloading_shares():
    found = said("layer offloading on with transformer 100% and text encoder 0%")
    assert (
        found["model.layer_offloading"],
        found["model.offload_transformer"],
        found["model.offload_text_encoder"],
    ) == (True, 1.0, 0.0)
    assert "model.offload_transformer" not in said("transformer 100% loaded")


def test_list_of_settings():
    found = said(
        "Rank: 32\nOptimizer: AdamW8Bit\nCache Latents: on\nlow_vram: true\nqfloat8 transformer / float8 text encoder\nEMA off"
    )
    assert found["network.rank"] == 32
    assert found["train.optimizer"] == "adamw8bit"
    assert (found["datasets.cache_latents"], found["model.low_vram"], found["train.use_ema"]) == (True, True, False)
    assert (found["model.qtype"], found["model.quantize"], found["model.qtype_te"], found["model.quantize_te"]) == (
        "qfloat8",
        True,
        "float8",
        True,
    )


def test_previews_switched_off_either_way():
    assert said("sampling is off")["train.disable_sampling"] is True
    assert said("disable_sampling: true")["train.disable_sampling"] is True
    assert said("previews on")["train.disable_sampling"] is False


def test_facts_have_places():
    facts = said_settings(passage("hi\nbatch 4"), knowledge())[0]
    place = facts["train.batch_size"].place
    assert place is not None
    assert (place.line, place.text) == (2, "batch 4")


@pytest.mark.parametrize(
    ("text", "fact", "value"),
    [
        ("gc on 1024 and it dies", "train.gradient_checkpointing", True),
        ("512 works, 1024 ooms", "datasets.resolution", 1024),
        ("512 res fine 1024 res boom", "datasets.resolution", 1024),
        ("from batch 1 to 4 it crawls", "batch_size", 4),
        ("lowered batch size from 4 to 1, same", "batch_size", 1),
        ("i unchecked gradient checkpointing", "train.gradient_checkpointing", False),
        ("warum oom wenn ich doch 32gb hab, gc an, batch 1", "batch_size", 1),
        ("why does it die with batch 2?", "batch_size", 2),
    ],
)
def test_what_was_changed_and_what_fails_is_what_is_set(text: str, fact: str, value: object) -> None:
    stated, _ = said_settings(passage(text), knowledge())
    assert stated[fact].value == value


def test_low_vram_on_a_card_is_no_switch() -> None:
    stated, _ = said_settings(passage("low vram on 4090"), knowledge())
    assert "model.low_vram" not in stated


def test_a_duration_is_no_count() -> None:
    stated, _ = said_settings(passage("1 step = 5 min"), knowledge())
    assert "said.step" not in stated
