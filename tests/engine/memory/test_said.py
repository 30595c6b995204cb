"""What checkpointing that is off costs, as the words of the findings tell it."""

import pytest

from bot.cli.inputs import read_inputs
from bot.engine import diagnose
from bot.engine.memory_said import said
from bot.intake.read import read
from bot.reply.compose import compose
from bot.reply.text import render

CONFIG = """\
job: extension
config:
  process:
    - network: {type: lora, linear: 32}
      datasets: [{folder_path: a, resolution: [512, 1024], cache_latents_to_disk: true}]
      train: {batch_size: 1, gradient_checkpointing: false, optimizer: adamw8bit, dtype: bf16}
      model:
        name_or_path: Tongyi-MAI/Z-Image-Turbo
        arch: zimage:turbo
        assistant_lora_path: ostris/zimage_turbo_training_adapter/zimage_turbo_training_adapter_v2.safetensors
        quantize: true
        qtype: qfloat8
"""


def gib(found, name):
    return found[f"estimate.{name}_gib"].value


def test_z_image_goes_from_three_gib_of_activations_to_fifty(facts, knowledge):
    found = said(facts(train__gradient_checkpointing=False, model__quantize=False), knowledge)
    assert gib(found, "activations_on") == pytest.approx(2.8, abs=0.4)
    assert gib(found, "activations_off") == pytest.approx(48, abs=2)
    assert "estimate.copy_gib" not in found


@pytest.mark.parametrize(("arch", "copy"), [("zimage", 9.9), ("qwen_image", 25.4)])
def test_float8_holds_the_weights_twice(facts, knowledge, arch, copy):
    stated = {"model__arch": arch, "train__gradient_checkpointing": False}
    assert gib(said(facts(**stated, model__qtype="float8"), knowledge), "copy") == pytest.approx(copy, abs=0.5)
    assert "estimate.copy_gib" not in said(facts(**stated, model__qtype="qfloat8"), knowledge)
    offloaded = facts(**stated, model__qtype="float8", model__layer_offloading=True, model__offload_transformer=1.0)
    assert "estimate.copy_gib" not in said(offloaded, knowledge)


def test_with_checkpointing_on_or_without_figures_nothing_is_stated(facts, knowledge):
    assert said(facts(), knowledge) == {}
    assert said(facts(train__gradient_checkpointing=False, datasets__resolution=None), knowledge) == {}
    assert said(facts(train__gradient_checkpointing=False, model__arch="minimax_h3"), knowledge) == {}


@pytest.mark.parametrize("tag", ["en", "de", "it"])
def test_a_reply_says_both_in_every_language(knowledge, tag, tmp_path):
    config = tmp_path / "config.yaml"
    config.write_text(CONFIG, "utf-8")
    made = diagnose(read(read_inputs((str(config),)), knowledge), knowledge, locale=tag)
    found = {finding.rule: finding.values for finding in made.findings}
    assert found["gradient-checkpointing-off"]["estimate.activations_off_gib"] > 40
    assert found["adapter-makes-float8-without-checkpointing"]["estimate.copy_gib"] == pytest.approx(9.9, abs=0.5)
    reply = render(compose(made, knowledge.locale(tag)))
    off, on, copy = ("48.3", "3.1", "9.9") if tag == "en" else ("48,3", "3,1", "9,9")
    assert f"{off} GiB" in reply
    assert f"{on} GiB" in reply
    assert f"{copy} GiB" in reply
