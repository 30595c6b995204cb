"""nvidia-smi, torch's own lines, and paths."""

import pytest

from bot.intake.said.hardware_log import log_hardware
from tests.intake.said.making import knowledge, lines

SMI = """\
|   0  NVIDIA GeForce RTX 4090        On  |   00000000:01:00.0 Off |                  Off |
| 30%   41C    P8              14W / 450W |  21034MiB /  24564MiB |      0%      Default |
|   1  NVIDIA GeForce RTX 4090        On  |   00000000:02:00.0 Off |                  Off |
| 30%   39C    P8              11W / 450W |      3MiB /  24564MiB |      0%      Default |
| Processes:                                                                              |
|    0   N/A  N/A      2101      C   python                                      14021MiB |
|    0   N/A  N/A      2202      C   /opt/comfy/bin/python3                       4096MiB |
|    0   N/A  N/A      2303      G   /usr/lib/xorg/Xorg                            512MiB |
"""


def shown(text: str) -> dict[str, object]:
    return {name: fact.value for name, fact in log_hardware(0, lines(text), knowledge()).items()}


def test_table_of_two_cards():
    found = shown(SMI)
    assert (found["gpu.name"], found["gpu.vram_gib"], found["gpu.count"]) == ("RTX 4090", 24.0, 2)
    assert found["gpu.others_gib"] == 4.5


def test_another_program_in_python_is_not_ones_own():
    alone = SMI.replace(
        "python                                      14021MiB", "/home/a/ComfyUI/venv/bin/python            14021MiB"
    )
    assert shown(alone)["gpu.others_gib"] == 18.19


def test_size_of_a_card_that_is_not_catalogued():
    assert shown("| 30%   41C    P8              14W / 450W |  34MiB /  45636MiB |")["gpu.vram_gib"] == 45.0


def test_warning_of_torch_names_the_card():
    found = shown(
        "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation."
    )
    assert (found["gpu.name"], found["gpu.vram_gib"], found["gpu.count"]) == ("RTX 5090", 32.0, 1)


@pytest.mark.parametrize(
    ("text", "platform", "cloud"),
    [
        ('  File "D:\\tools\\aitk\\run.py", line 3, in main', "windows", None),
        ('  File "/home/me/ai-toolkit/run.py", line 3', "linux", None),
        ('  File "/workspace/ai-toolkit/run.py", line 3', "linux", "runpod"),
        ('  File "/app/ai-toolkit/run.py", line 3', "linux", "runcomfy"),
        ("/mnt/c/Users/me/out", "wsl", None),
        ('  File "/Users/me/aitk/run.py"', "macos", None),
        ("nothing to see", None, None),
    ],
)
def test_paths(text, platform, cloud):
    found = shown(text)
    assert (found.get("host.platform"), found.get("host.cloud")) == (platform, cloud)
