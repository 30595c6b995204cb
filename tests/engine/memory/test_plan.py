"""Plans: what they start with, what they give way on, and when they say no."""

from dataclasses import replace

import pytest
import yaml

from bot.engine.memory import estimate
from bot.engine.plan import named_arch, plan
from bot.engine.plan_asked import NotPlanned, plan_for
from bot.engine.plan_config import as_facts
from bot.engine.plan_levers import given_back
from bot.evidence import ConfigDocument
from bot.intake.config.read import config_facts
from bot.knowledge.keys import keys_of
from bot.knowledge.load import Knowledge
from bot.reply.plan_text import plan_yaml
from bot.yamledit import parse

# Stated by the plan for the estimate alone, or defaults that only a whole reading states.
READ = (
    "model.arch", "model.assistant_lora", "datasets.controls", "sample.controls", "model.quantize", "model.quantize_te", "model.qtype", "model.ara", "model.low_vram",
    "model.layer_offloading", "model.offload_transformer", "model.match_target_res", "network.rank", "network.type",
    "train.gradient_checkpointing", "train.dtype", "train.optimizer", "train.cache_text_embeddings",
    "train.disable_sampling", "batch_size", "datasets.resolution", "datasets.num_frames", "datasets.cache_latents",
    "sample.width", "sample.height", "arch.low_vram", "arch.layer_offloading",
)  # fmt: skip
KNOWLEDGE = Knowledge()
PLANNED = sorted(KNOWLEDGE.memory.models.keys() & KNOWLEDGE.families.archs.keys())
CASES = [
    (name, vram) for name in PLANNED for vram in (12, 24, 80)
    if plan(KNOWLEDGE.families.archs[name], vram, KNOWLEDGE, nearest=False).outcome in {"fits", "tight"}
]  # fmt: skip


def made(knowledge, name, vram):
    return plan(knowledge.families.archs[name], vram, knowledge)


def read_back(text, knowledge):
    document = ConfigDocument(0, 0, len(text), 1, text, True, "yaml", parse(text), ("config", "process", 0))
    return config_facts(document, knowledge)


@pytest.mark.parametrize(("name", "vram"), CASES)
def test_a_plan_is_the_config_that_was_estimated(knowledge, name, vram):
    found = made(knowledge, name, vram)
    assert found.outcome in {"fits", "tight"}
    facts, misplaced = read_back(plan_yaml(found), knowledge)
    stated = as_facts(found.arch, found.choice, found.start, vram)
    differing = {key for key in READ if key in facts and facts[key].value != stated[key].value}
    assert not differing
    assert not misplaced
    again = estimate({**facts, "gpu.vram_gib": stated["gpu.vram_gib"]}, knowledge)
    assert again.peak("train") == pytest.approx(found.estimate.peak("train"))


@pytest.mark.parametrize(("name", "vram"), CASES)
def test_every_key_of_a_plan_is_one_that_the_toolkit_reads(knowledge, name, vram):
    process = yaml.safe_load(plan_yaml(made(knowledge, name, vram)))["config"]["process"][0]
    known = keys_of(knowledge).known
    sections = {name: keys for name, keys in process.items() if isinstance(keys, dict)} | {
        "datasets": process["datasets"][0]
    }
    assert not {(name, key) for name, keys in sections.items() for key in keys if key not in known[name]}


def test_a_plan_starts_from_what_the_form_sets_for_the_model(knowledge):
    """What no memory figure needs but every run does: the adapter of a distilled model, the sampler, untrained experts."""
    turbo, sdxl, hidream = (
        yaml.safe_load(plan_yaml(made(knowledge, name, 80)))["config"]["process"][0]
        for name in ("zimage:turbo", "sdxl", "hidream")
    )
    assert "training_adapter" in turbo["model"]["assistant_lora_path"]
    assert (turbo["sample"]["guidance_scale"], turbo["sample"]["sample_steps"]) == (1, 9)
    assert sdxl["train"]["noise_scheduler"] == sdxl["sample"]["sampler"] == "ddpm"
    assert "timestep_type" not in sdxl["train"]
    assert "ff_i.experts" in hidream["network"]["network_kwargs"]["ignore_if_contains"]


def test_every_row_of_starts_is_an_architecture_that_has_plans(knowledge):
    assert set(knowledge.read("memory/starts.yaml")["models"]) <= set(PLANNED)


@pytest.mark.parametrize(("name", "vram"), CASES)
def test_checkpointing_is_on_and_the_batch_is_one(knowledge, name, vram):
    process = yaml.safe_load(plan_yaml(made(knowledge, name, vram)))["config"]["process"][0]
    assert process["train"]["gradient_checkpointing"] is True
    assert process["train"]["batch_size"] == 1
    assert process["train"]["dtype"] == "bf16"


def test_a_large_card_gives_way_on_nothing_and_may_raise(knowledge):
    found = made(knowledge, "zimage", 80)
    assert found.outcome == "fits"
    assert found.gave == ()
    assert {one.lever for one in found.raises} >= {"batch_size", "top_bucket"}
    assert all(one.costs > 0 for one in found.raises)
    assert found.headroom > 40


def test_a_small_card_gives_way_in_the_order_of_what_is_lost(knowledge):
    found = made(knowledge, "zimage:turbo", 8)
    assert found.gave[0] == "quantize"
    assert found.choice.resolution < 1024


def test_qwen_on_24_gib_takes_the_recovery_adapter_as_its_guide_does(knowledge):
    found = made(knowledge, "qwen_image", 24)
    assert found.choice.qtype.startswith("uint3|")
    assert found.choice.low_vram


def test_what_is_not_realistic_is_said_with_the_nearest_that_is(knowledge):
    found = made(knowledge, "flux2", 16)
    assert found.outcome == "no"
    assert plan_yaml(found) is None
    assert found.cards[0] > 16
    assert found.models
    assert all(made(knowledge, name, 16).outcome == "fits" for name in found.models)
    assert found.raises == ()


@pytest.mark.parametrize(("name", "vram"), CASES)
def test_nothing_has_given_way_that_need_not(knowledge, name, vram):
    """One step of any lever taken back, and it no longer fits."""
    found = made(knowledge, name, vram)
    if found.outcome != "fits":
        pytest.skip("where it is tight already, nothing can be taken back")
    first = replace(
        found.choice, resolution=1024, frames=41, offload=0.0, preview_side=1024, preview_frames=41, previews=True
    )
    start = (
        replace(first, resolution=768, preview_side=768)
        if found.arch.can.frames
        else replace(first, frames=1, preview_frames=1)
    )
    for more in given_back(found.arch, found.choice, start):
        after = estimate(as_facts(found.arch, more, found.start, vram), knowledge)
        assert any(after.verdict(phase) != "fits" for phase in after.phases), more


def test_the_nearest_card_is_one_that_the_plan_fits(knowledge):
    for name in ("flux", "flux2", "hidream", "wan22_14b:t2v"):
        found = made(knowledge, name, 8)
        assert made(knowledge, name, found.cards[0]).outcome == "fits", name


@pytest.mark.parametrize(
    ("gpu", "vram", "reason"),
    [
        (None, None, "no_card"),
        ("potato", None, "no_gpu"),
        ("RTX 3080", None, "which_size"),
        ("Mac M2 Max", None, "no_gpu"),
    ],
)
def test_a_question_that_lacks_the_size_is_asked_back(knowledge, gpu, vram, reason):
    with pytest.raises(NotPlanned) as lacking:
        plan_for("flux", gpu, vram, knowledge)
    assert lacking.value.reason == reason
    for tag in ("en", "de", "it"):
        assert knowledge.locale(tag).text(f"memory.{reason}", **lacking.value.values)


def test_a_model_that_nobody_knows_is_asked_back_with_examples(knowledge):
    with pytest.raises(NotPlanned) as lacking:
        plan_for("no such thing", "4090", None, knowledge)
    assert lacking.value.reason == "no_model"
    assert all(named_arch(name, knowledge) is not None for name in lacking.value.values["known"])


@pytest.mark.parametrize(
    ("gpu", "vram", "size", "vendor"),
    [
        ("RTX 3080 12GB", None, 12, "nvidia"),
        ("RTX 3080", 10.0, 10, "nvidia"),
        ("M2 Max 64GB", None, 64, "apple"),
        ("RX 7900 XTX", None, 24, "amd"),
        (None, 24.0, 24, "nvidia"),
    ],
)
def test_a_card_by_its_name_or_size(knowledge, gpu, vram, size, vendor):
    found = plan_for("z-image", gpu, vram, knowledge)
    assert (found.vram, found.vendor) == (size, vendor)
    device = yaml.safe_load(plan_yaml(found))["config"]["process"][0]["device"]
    assert device == ("mps" if vendor == "apple" else "cuda:0")


def test_a_bigger_card_is_never_worse(knowledge):
    order = {"no": 0, "tight": 1, "fits": 2}
    for name in ("zimage:turbo", "qwen_image", "wan21:14b"):
        outcomes = [order[made(knowledge, name, vram).outcome] for vram in (8, 16, 24, 48, 96)]
        assert outcomes == sorted(outcomes), name


def test_a_model_without_figures_has_no_plan(knowledge):
    found = plan(knowledge.families.archs["minimax_h3"], 24, knowledge)
    assert found.outcome == "unknown"
    assert found.headroom is None
    assert plan_yaml(found) is None


@pytest.mark.parametrize(
    ("said", "arch"),
    [
        ("z-image", "zimage"), ("z image turbo", "zimage:turbo"), ("flux", "flux"), ("FLUX.1", "flux"),
        ("wan 2.2", "wan22_14b:t2v"), ("qwen_image", "qwen_image"), ("sdxl", "sdxl"), ("no such thing", None),
    ],
)  # fmt: skip
def test_models_are_found_by_what_people_call_them(knowledge, said, arch):
    found = named_arch(said, knowledge)
    assert (found.id if found else None) == arch
