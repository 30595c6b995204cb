"""Which trainer, and what other trainers' settings say."""

import pytest

from bot.intake.said.tools import which_tool
from bot.intake.said.tools_facts import tool_facts
from tests.intake.said.making import knowledge, lines

KOHYA = (
    'accelerate launch sdxl_train_network.py --pretrained_model_name_or_path="sd_xl_base_1.0.safetensors" --train_data_dir=/d '
    "--resolution=1024,768 --network_module=networks.lora --network_dim=64 --train_batch_size=4 --cache_latents --gradient_checkpointing"
)
MUSUBI = "python qwen_image_train_network.py --dit x --blocks_to_swap 30 --fp8_base --fp8_scaled --gradient_checkpointing --network_dim 16"
PIPE = "micro_batch_size_per_gpu = 2\npipeline_stages = 1\nactivation_checkpointing = true\n[model]\nckpt_path = '/m/Wan2.1-T2V-14B'"
BUCKETS = (
    "INFO:bucket: (640, 480, 33), count: 4\nINFO:bucket: (480, 480, 97), count: 1\nINFO:bucket: (960, 960, 1), count: 0"
)
ONE = {"__version": 9, "training_method": "LORA", "model_type": "STABLE_DIFFUSION_XL_10_BASE", "gradient_checkpointing": "OFF", "batch_size": 3,
       "resolution": "1024", "frames": "25", "layer_offload_fraction": 0.5, "transformer": {"weight_dtype": "NFLOAT_4"}}  # fmt: skip
SIMPLE = {
    "--model_family": "flux",
    "--data_backend_config": "m.json",
    "--train_batch_size": 2,
    "--base_model_precision": "int8-quanto",
}


@pytest.mark.parametrize(
    ("text", "configs", "tool"),
    [
        (KOHYA, (), "kohya-sd-scripts"),
        ("kohya_ss gui, sdxl, OOM", (), "kohya-sd-scripts"),
        (MUSUBI, (), "musubi-tuner"),
        ("musubi, --blocks_to_swap 20", (), "musubi-tuner"),
        (PIPE, (), "diffusion-pipe"),
        ("", (ONE,), "onetrainer"),
        ("OneTrainer, chroma", (), "onetrainer"),
        ("", (SIMPLE,), "simpletuner"),
        ("examples/wanvideo/model_training/train.py --dataset_base_path /d", (), "diffsynth"),
        ("accelerate launch train_dreambooth_lora_flux.py", (), "other"),
        ("Running 1 job\n# Running job: x", (), "ai-toolkit"),
        ("", ({"train": {}, "job": "extension", "process": []},), "ai-toolkit"),
        ('File "/home/me/ai-toolkit/run.py"', (), "ai-toolkit"),
        ("layer offloading 100 %, still OOM", (), "ai-toolkit"),
        ("used kohya before, in ai-toolkit the same lora fails", (), "ai-toolkit"),
        ("my lora goes OOM on a 3090", (), "ai-toolkit"),
        ("FLUX dev, 3090", (), "ai-toolkit"),
        ("torch.OutOfMemoryError: CUDA out of memory.", (), "unknown"),
        ("", (), "unknown"),
    ],
)
def test_tool(text, configs, tool):
    assert which_tool(lines(text), configs, knowledge()) == tool


def stated(text: str, *configs: dict[str, object], tool: str = "kohya-sd-scripts") -> dict[str, object]:
    return {name: fact.value for name, fact in tool_facts(0, lines(text), configs, tool, knowledge()).items()}


def test_flags_of_a_command_line():
    found = stated(KOHYA)
    assert found["train.gradient_checkpointing"] is True
    assert (found["train.batch_size"], found["batch_size"], found["network.rank"]) == (4, 4, 64)
    assert (found["datasets.resolution"], found["datasets.resolutions"]) == (1024, (768, 1024))
    assert (found["datasets.cache_latents"], found["model.arch"]) == (True, "sdxl")


@pytest.mark.parametrize(
    ("tool", "text", "checkpointing"),
    [
        ("kohya-sd-scripts", "flux_train_network.py --pretrained_model_name_or_path a.sft --train_batch_size 1", False),
        ("kohya-sd-scripts", 'pretrained_model_name_or_path = "a.sft"\ntrain_batch_size = 1', False),
        ("kohya-sd-scripts", "--pretrained_model_name_or_path a.sft --config_file b.toml", None),
        ("kohya-sd-scripts", "--train_batch_size 1 --network_dim 8", None),
        ("musubi-tuner", "wan_train_network.py --dit a.safetensors --fp8_base", False),
        ("musubi-tuner", "wan_train_network.py --dit a.safetensors --gradient_checkpointing", True),
        ("simpletuner", "--pretrained_model_name_or_path a --train_batch_size 1", None),
    ],
)
def test_a_switch_that_a_whole_command_line_lacks_is_off(tool, text, checkpointing):
    assert stated(text, tool=tool).get("train.gradient_checkpointing") is checkpointing


def test_swapped_blocks_and_eight_bit_weights():
    found = stated(MUSUBI)
    assert (found["model.layer_offloading"], found["model.quantize"], found["train.gradient_checkpointing"]) == (
        True,
        True,
        True,
    )
    assert stated("--blocks_to_swap 0")["model.layer_offloading"] is False


def test_assignments_of_a_toml_file():
    found = stated(PIPE)
    assert (found["train.batch_size"], found["train.gradient_checkpointing"], found["model.arch"]) == (
        2,
        True,
        "wan21:14b",
    )


def test_config_of_onetrainer():
    found = stated("", ONE)
    assert found["train.gradient_checkpointing"] is False
    assert (found["train.batch_size"], found["datasets.resolution"], found["model.family"]) == (3, 1024, "sdxl")
    assert (found["model.layer_offloading"], found["model.quantize"]) == (True, True)
    assert "datasets.num_frames" not in found


@pytest.mark.parametrize(
    ("config", "arch"),
    [
        ({"model_type": "QWEN"}, "qwen_image"),
        ({"model_type": "Z_IMAGE"}, "zimage"),
        ({"--model_family": "sd1x"}, "sd15"),
        ({"model_type": "LORA"}, None),
    ],
)
def test_a_trainers_own_word_for_a_model(config, arch):
    assert stated("", config, tool="onetrainer").get("model.arch") == arch


def test_area_becomes_the_edge_of_a_square():
    assert stated("--max_pixels 589824")["datasets.resolution"] == 768


def test_bucket_lines_with_frames():
    found = stated(BUCKETS)
    assert found["log.buckets"] == ("640x480x33", "480x480x97")
    assert (found["log.bucket_frames"], found["log.bucket_pixels"], found["datasets.num_frames"]) == (97, 640 * 480, 97)


def test_ordinary_text_states_nothing():
    assert stated("a = b\nsee --help, or -- well -- not") == {}


def test_a_program_that_makes_pictures_trains_nothing_unless_it_says_so():
    trace = 'File "/srv/ComfyUI/execution.py", line 317, in execute\n'
    assert stated(trace, tool="other")["tool.generates"] is True
    assert "tool.generates" not in stated(trace + "training step 4", tool="other")
    assert "tool.generates" not in stated("finetrainers, batch 2", tool="other")
