"""Whose card it is, and which of several is the one in trouble."""

import pytest

from bot.intake.said.hardware import said_hardware
from tests.intake.said.making import knowledge, passage


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("my friend has a 4090, I have a 3060, flux ooms at step 1", "RTX 3060"),
        ("on runpod with a 4090 it works, here (3060) not", "RTX 3060"),
        ("flux lora works on my buddy's 4090 but not on mine (3060)", "RTX 3060"),
        ("a guy on here with a 4090 said batch 4 works. 3090 here, flux, oom at step 1", "RTX 3090"),
        ("used to have a 3090, now on a 4080 and flux runs out of memory", "RTX 4080"),
        ("got a 3060 for display and a 4090 for training, flux oom", "RTX 4090"),
        ("my friend's 4090 ooms too, I have a 3060", "RTX 3060"),
        ("works on my 4090, fails on my 3060", "RTX 3060"),
        ("ein Kumpel hat ne 4090 da läuft flux, bei mir (3060) oom", "RTX 3060"),
        ("un mio amico ha una 4090, io ho una 3060 e flux va in oom", "RTX 3060"),
        ("mon pote a une 4090, moi j'ai une 3060, flux plante", "RTX 3060"),
        ("видеокарта друга 4090 летает, моя 3060 падает", "RTX 3060"),
        ("朋友的4090能跑\uff0c我的3060跑flux爆显存", "RTX 3060"),
    ],
)
def test_the_card_is_the_one_of_who_asks(text: str, card: str) -> None:
    assert said_hardware(passage(text), knowledge())["gpu.name"].value == card
