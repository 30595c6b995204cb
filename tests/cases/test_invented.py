"""No name, place or word of a person's own is left in a case that goes out, and the case stays what it was."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.cases.invented import Inventor
from bot.engine import diagnose
from bot.intake.read import Pasted, read
from bot.knowledge.load import Knowledge

KNOWLEDGE = Knowledge()
CORPUS = sorted((Path(__file__).parents[1] / "corpus").glob("*.txt"))
YAML = """\
job: extension
meta:
  name: "[name]"
  version: '1.0'
  author: Anna Schmidt
config:
  name: anna_schmidt_face_v2 # anna
  process:
  - type: sd_trainer
    training_folder: /data/annarun
    trigger_word: annaschm
    save:
      push_to_hub: true
      hf_repo_id: annaschmidt/annaface
      hf_private: true
    datasets:
      - {folder_path: "/data/annapics", default_caption: "anna at home", caption_ext: txt}
      - folder_path: /data/annapics2
        control_path: [/data/annactl, /data/annactl2]
        trigger_word: annaschm2
        caption_dropout_rate: 0.05
    network:
      type: lora
      pretrained_lora_path: /data/anna_old.safetensors
    model:
      name_or_path: /models/anna-merge/model
      arch: flux
      assistant_lora_path: ostris/x
      extras_name_or_path: "annaschmidt/private-extras"
      lora_path: /data/anna_old.safetensors
    sample:
      neg: "anna ugly"
      samples:
        - prompt: annaschm walking
          ctrl_img: /data/annactl/1.png
          neg: annaschm ugly
        - prompt: |
            annaschm on a long
            multi line prompt
        - "prompt": >-
            annaschm folded
      prompts:
        - annaschm on a beach
        - |
          annaschm block item
          second line anna
        - "annaschm multi
           line quoted anna"
    slider:
      targets:
        - target_class: anna
          positive: "anna old"
          negative: "anna young"
      anchors:
        - prompt: anna person
    logging:
      project_name: annaproj
      run_name: annarun1
      use_wandb: true
"""
JSON = (
    '{"config":{"name":"anna_face","process":[{"trigger_word":"annaschm","training_folder":"/data/annarun","datasets":['
    '{"folder_path":"/data/annapics","mask_path":null,"default_caption":"anna"}],"sample":{"prompts":["annaschm at sea",'
    '"anna two"]},"model":{"name_or_path":"anna/private"}}]}}'
)
TOML = """\
output_name = "anna_face"
output_dir = '/data/annaout'
train_data_dir = "/data/annapics"
class_tokens = "annaschm woman"  # anna
"""
COMMAND = (
    "accelerate launch flux_train_network.py --output_name=anna_face --output_dir /data/annarun --train_data_dir"
    ' "/data/annapics" --sample_prompts=anna.txt --pretrained_model_name_or_path /models/anna.safetensors --seed 4'
)
SMART = "name: \u201canna one\u201d\ntrigger_word: \u2018annaschm\u2019\nsteps: 200"
TORN = '  "prompts": [\n    "annaschm at sea",\n    "anna two'
TEXTS = {"yaml": YAML, "json": JSON, "toml": TOML, "command": COMMAND, "smart quotes": SMART}
LOG = """\
Loading /data/annapics/anna_at_sea.jpg
Saving at /data/annarun/anna_schmidt_face_v2/anna_schmidt_face_v2_000000250.safetensors
annaschm walking: 100%
CUDA out of memory.
"""


def renamed(*texts: str) -> list[str]:
    return Inventor(KNOWLEDGE).renamed(texts)


@pytest.mark.parametrize("kind", TEXTS)
def test_no_name_is_left(kind: str) -> None:
    assert "anna" not in renamed(TEXTS[kind])[0].lower()


def test_what_the_config_names_goes_from_the_log_too() -> None:
    assert renamed(YAML, LOG)[1] == (
        "Loading /data/datasets/subject/file.jpg\n"
        "Saving at /data/output/my_first_lora/my_first_lora_000000250.safetensors\n"
        "a photo of sks_subject by the sea: 100%\n"
        "CUDA out of memory.\n"
    )


def test_all_that_is_no_name_stays() -> None:
    before, after = (yaml.safe_load(text)["config"]["process"][0] for text in (YAML, renamed(YAML)[0]))
    assert after["model"]["arch"] == "flux"
    assert (before["datasets"][1]["caption_dropout_rate"], len(after["datasets"][1]["control_path"])) == (0.05, 2)
    assert yaml.safe_load(renamed(JSON)[0])["config"]["process"][0]["datasets"][0]["mask_path"] is None
    assert renamed(COMMAND)[0].endswith("--pretrained_model_name_or_path /data/models/model.safetensors --seed 4")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("C:\\AITK\\anna", "C:\\datasets\\subject"),
        ("/workspace/anna", "/workspace/datasets/subject"),
        ("/anna/pics", "/data/datasets/subject"),
        ("pics/anna", "datasets/subject"),
        ("~/anna", "~/datasets/subject"),
    ],
)
def test_a_place_stays_on_its_drive_or_below_its_root(before: str, after: str) -> None:
    assert renamed(f"folder_path: {before}") == [f"folder_path: {after}"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("black-forest-labs/FLUX.1-dev", "black-forest-labs/FLUX.1-dev"),
        ("/home/anna/FLUX.1-dev", "/home/models/FLUX.1-dev"),
        ("/home/anna/anna.safetensors", "/home/models/model.safetensors"),
        ("/home/anna/FLUX.1-dev/anna.safetensors", "/home/models/FLUX.1-dev/model.safetensors"),
        ("zhen-nan/L2P/model-1k-merge.safetensors", "zhen-nan/L2P/model-1k-merge.safetensors"),
        ("anna/her-model", "somebody/model"),
    ],
)
def test_a_models_name_stays_where_it_tells_the_family(before: str, after: str) -> None:
    assert renamed(f"name_or_path: {before}") == [f"name_or_path: {after}"]


@pytest.mark.parametrize(
    "text", [TORN, "prompts: [", "name:", 'name: "', "prompts:\n- |", "- prompt:", "\nname", "name: ]{"]
)
def test_a_torn_text_is_no_fault(text: str) -> None:
    assert "anna at" not in renamed(text)[0]


def diagnosed(text: str) -> dict[str, Any]:
    made = diagnose(read([Pasted("paste.txt", text)], KNOWLEDGE), KNOWLEDGE, locale="en").as_dict()
    steps = [
        (step["lever"], step["rule"], step["now"], [patch["path"] for patch in step["patches"]])
        for step in made["steps"]
    ]
    facts = {name: made[name] for name in ("problem", "model", "hardware", "source_tool", "outcome")}
    return facts | {"steps": steps, "findings": [finding["rule"] for finding in made["findings"]]}


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.stem)
def test_the_diagnosis_is_the_same(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    (made,) = renamed(text)
    assert diagnosed(made) == diagnosed(text)
    assert renamed(made) == [made], "renaming twice is renaming once"
