"""`plan` and `estimate` as a person calls them."""

import json

import pytest
import yaml
from click.testing import CliRunner

from bot.cli import cli

JOB = """\
job: extension
config:
  name: lamp
  process:
    - type: sd_trainer
      network: {type: lora, linear: 16, linear_alpha: 16}
      datasets:
        - {folder_path: /data/lamp, cache_latents_to_disk: true, resolution: [512, 1024]}
      train: {batch_size: 2, gradient_checkpointing: true, dtype: bf16, optimizer: adamw8bit}
      model: {name_or_path: black-forest-labs/FLUX.1-dev, arch: flux, quantize: true}
      sample: {width: 1024, height: 1024, prompts: [a lamp]}
"""


def call(*words, text=None):
    return CliRunner().invoke(cli, list(words), input=text)


def test_estimate_prints_each_phase_and_its_basis():
    done = call("estimate", "-", "--gpu", "4090", "--lang", "en", text=JOB)
    assert done.exit_code == 0, done.output
    assert "Estimate for FLUX.1" in done.output
    assert "Training step: about" in done.output
    assert "knowledge/memory/flux-1.yaml" in done.output


def test_estimate_as_json_is_the_contracts_object():
    done = call("estimate", "-", "--vram", "24", "--format", "json", text=JOB)
    memory = json.loads(done.output)
    assert {"parts", "peak_gib", "error", "basis"} <= memory.keys()
    assert memory["verdict"]["train"] in {"fits", "tight", "no"}


@pytest.mark.parametrize(
    ("text", "said"), [("hello", "no config in this"), (JOB.replace("type: lora", "type: lokr"), "LoRA alone")]
)
def test_estimate_says_why_it_has_no_figure(text, said):
    done = call("estimate", "-", "--lang", "en", text=text)
    assert done.exit_code == 2
    assert said in done.output


def test_an_estimate_for_an_unknown_card_asks_for_its_memory():
    done = call("estimate", "-", "--gpu", "Wonder 9000", "--lang", "en", text=JOB)
    assert done.exit_code == 2
    assert "How much memory" in done.output
    assert call("estimate", "-", "--gpu", "Wonder 9000", "--vram", "24", text=JOB).exit_code == 0


def test_plan_prints_figures_and_a_job_to_paste():
    done = call("plan", "--model", "z-image", "--gpu", "RTX 3060", "--lang", "en")
    assert done.exit_code == 0, done.output
    assert done.output.startswith("A starting point for Z-Image on 12 GiB")
    job = yaml.safe_load(done.output[done.output.index("job: extension") :])
    assert job["config"]["process"][0]["model"]["arch"] == "zimage"


def test_plan_as_yaml_is_the_job_alone():
    done = call("plan", "--model", "flux", "--vram", "24", "--format", "yaml")
    assert yaml.safe_load(done.output)["job"] == "extension"
    none = call("plan", "--model", "flux2", "--vram", "12", "--format", "yaml", "--lang", "en")
    assert (none.exit_code, none.stdout) == (2, "")
    assert "not realistic" in none.stderr


def test_plan_as_json_holds_everything():
    found = json.loads(call("plan", "--model", "flux2", "--vram", "12", "--format", "json").output)
    assert found["outcome"] == "no"
    assert found["job"] is None
    assert found["nearest"]["cards_gib"]
    found = json.loads(call("plan", "--model", "zimage", "--vram", "24", "--format", "json").output)
    assert found["raises"][0].keys() == {"lever", "value", "costs"}
    assert found["memory"]["peak_gib"]["train"] > 5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--model", "nonesuch", "--vram", "24"), "no model `nonesuch`"),
        (("--model", "flux", "--gpu", "nonesuch"), "How much memory"),
        (("--model", "flux"), "Which card"),
    ],
)
def test_plan_refuses_with_a_sentence(words, said):
    done = call("plan", *words, "--lang", "en")
    assert done.exit_code == 2
    assert said in done.output
