"""Cards, memory, systems and other cards asked about, from prose."""

import pytest

from bot.intake.said.hardware import said_hardware
from tests.intake.said.making import knowledge, passage


def said(text: str) -> dict[str, object]:
    return {name: fact.value for name, fact in said_hardware(passage(text), knowledge()).items()}


@pytest.mark.parametrize(
    ("text", "vram", "ram"),
    [
        ("RTX 3060 12GB, works", 12, None),
        ("5090 32GB, 96GB system RAM", 32, 96),
        ("4060 Ti 16gb", 16, None),
        ("my 4060 Ti", None, None),
        ("gpu 32gb, ram 128gb", 32, 128),
        ("24 gb vram and 64 gb ram", 24, 64),
        ("64GB RAM / 24GB VRAM", 24, 64),
        ("VRAM: 24 GB\nRAM: 64 GB", 24, 64),
        ("rtx pro 6000 (96gb), 256gb system ram. Usually ~28GB used.", 96, 256),
        ("3090 and 64 GB DDR4", 24, 64),
        ("RTX 4090, 64gb", 24, 64),
        ("A6000 (48 GB)", 48, None),
        ("L20(48G)训练", 48, None),
        ("16G显存 64G内存", 16, 64),
        ("12 GB di VRAM e 32 GB di RAM", 12, 32),
        ("64 GB Arbeitsspeicher, RTX 3090", 24, 64),
        ("оперативки 32 \u0433\u0431, 4060 ti 16 \u0433\u0431", 16, 32),
        ("macbook m1 16gb", 16, 16),
        ("strix halo, 128 gb", 128, 128),
        ("a 24 GB card", 24, None),
        ("which settings for 12GB?", 12, None),
        ("8 GB still free, 5 GB used", None, None),
        ("it takes 18GB on my 4090", 24, None),
        ("显存用了10GB左右", None, None),
        ("A100 40GB", 40, None),
        ("an A100", None, None),
        ("16 GB 5060 ti", 16, None),
        ("24GB 4090, loads 32GB into ram", 24, None),
        ("3080 with 10 GB", 10, None),
        ("dedicated 31.6/32 GB on a 5090", 32, None),
        ("60 GB page file, 3090", 24, None),
        ("单卡80G可以训练吗", 80, None),
        ("flux на 12 \u0433\u0431 видеопамяти, оперативки 32", 12, 32),
        ("vram 24, ram 64", 24, 64),
        ("12 giga di scheda video, 32 di ram", 12, 32),
        ("VRAM16GB、RAM64GB", 16, 64),
        ("M4 Max 128GB", 128, 128),
        ("노트북 4060", 8, None),
        ("portátil con 4070", 8, None),
        ("32 ram and a 3090", 24, 32),
        ("VRAM 95% of 24 GB, RAM 3200 MHz", 24, None),
        ("vram 23/24", None, None),
        ("显存24G爆了,内存64G", 24, 64),
        ("用5080 16G跑,内存只有32G", 16, 32),
        ("VRAM32GB(RTX5090)です", 32, None),
        ("3060 12기가, 램 32기가", 12, 32),
        ("ho 16 giga di ram e una 4070 da 12 giga di vram", 12, 16),
        ("tengo una 3060 de 12 gigas y 32 gigas de ram", 12, 32),
        ("ltx on an a100 80. it dies", 80, None),
    ],
)
def test_sizes(text, vram, ram):
    found = said(text)
    assert (found.get("gpu.vram_gib"), found.get("host.ram_gib")) == (vram, ram)


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("Dedicated GPU memory 11.4/12.0 GB, Shared GPU memory 0.2/31.9 GB", 0.2),
        ("Shared GPU memory usage: 9.8/15.9 GB", 9.8),
        ("Gemeinsam genutzter GPU-Speicher 3,5 GB / 15,9 GB", 3.5),
    ],
)
def test_of_shared_memory_what_is_used_counts(text, used):
    assert said(text)["gpu.shared_gib"] == used


def test_shared_memory_is_no_size_of_the_card():
    found = said("4060 Ti 16gb windows\nshared gpu memory 11 GB")
    assert (found["gpu.vram_gib"], found["gpu.shared_gib"]) == (16, 11)


@pytest.mark.parametrize(
    ("text", "own", "target"),
    [
        ("5090, uses ~22 GB. will it run on the 16GB card if I offload?", 32, 16),
        ("I have a 3090, would a 5060 ti 16GB be enough?", 24, 16),
        ("can I run this on a 3060 12GB?", 12, None),
        ("läuft das auf einer 12 GB Karte?", 12, None),
        ("Habe eine 4090. Läuft das auf einer Karte mit 12 GB VRAM?", 24, 12),
    ],
)
def test_another_card_is_told_from_ones_own(text, own, target):
    found = said(text)
    assert (found.get("gpu.vram_gib"), found.get("gpu.target_vram_gib")) == (own, target)


@pytest.mark.parametrize(
    ("text", "vram"),
    [
        ("works on my 4090, fails on the 3060", 12),
        ("OOM on the 3060, my 4090 is fine", 12),
        ("me funciona en mi 4090 pero en la 3060 se queda sin memoria", 12),
        ("Auf der 4090 läuft es, auf der 3070 stürzt es ab", 8),
        ("4090能跑,3060爆显存", 12),
        ("my friend with a 4090 has no problem, i have a 3060", 12),
        ("upgraded from a 3060 to a 5090 and it still ooms", 32),
        ("it does not work on my 3070, the 4090 runs it", 8),
        ("on my 24gb card it is ok but the 8gb one dies", 8),
        ("a 4090 and a 3060", 24),
    ],
)
def test_of_several_cards_the_one_in_trouble(text, vram):
    assert said(text)["gpu.vram_gib"] == vram


@pytest.mark.parametrize(
    ("text", "platform", "cloud"),
    [
        ("win10, stability matrix", "windows", None),
        ("系统是wsl2 ubuntu", "wsl", None),
        ("arch linux, driver current", "linux", None),
        ("on my macbook", "macos", None),
        ("rented on RunPod", None, "runpod"),
        ("em docker, windows", "windows", "docker"),
        ("google colab T4", None, "colab"),
        ("a window with a view", None, None),
    ],
)
def test_surroundings(text, platform, cloud):
    found = said(text)
    assert (found.get("host.platform"), found.get("host.cloud")) == (platform, cloud)


def test_first_card_is_the_one_and_its_line_is_kept():
    facts = said_hardware(passage("hello\n2x RTX 4090 here\nalso a 3090 box"), knowledge())
    assert (facts["gpu.name"].value, facts["gpu.count"].value) == ("RTX 4090", 2)
    assert facts["gpu.name"].place is not None
    assert (facts["gpu.name"].place.line, facts["gpu.vendor"].value) == (2, "nvidia")


def test_torch_error_in_prose_gives_no_card():
    text = "Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.94 GiB is free."
    assert "gpu.vram_gib" not in said(text)


def test_of_two_cards_to_choose_from_neither_is_the_own():
    facts = said("64 GB RAM. RTX 3060 12GB or a 4090, which one should I take?")
    assert facts == {"gpu.choice": True, "host.ram_gib": 64.0}
    assert "gpu.choice" not in said("it crashes on my 3060 or 4090, which settings?")
    assert said("I use a 3060 or sometimes nothing")["gpu.vram_gib"] == 12.0
