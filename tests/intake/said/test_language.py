"""The language of a line or two of chat."""

import subprocess
import sys

import pytest

from bot.intake.said.language import language_of
from tests.intake.said.making import knowledge, lines


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("RTX 3060 12GB. 512+768 finished a run, added 1024 and now:", "en"),
        ("Hallo, mein Training bricht ab und ich weiß nicht warum", "de"),
        ("ciao, ho un problema con la scheda e non so cosa fare", "it"),
        ("No tengo memoria suficiente en mi 3090, gracias", "es"),
        ("J'ai une 3090 et ça plante toujours", "fr"),
        ("estou treinando no meu PC e estoura a memória", "pt"),
        ("помогите, FLUX не помещается", "ru"),
        ("klein 9b 图像编辑一步都跑不起来 no error", "zh"),
        ("メモリ不足です", "ja"),
        ("VRAM voll bei Batch Size 8", "de"),
        ("Crash durante le anteprime con Flux su 4070", "it"),
        ("me da error de memoria al cargar flux", "es"),
        ("4090 flux oom", None),
        ("rank=32 batch_size=1 /data/set", None),
        ("", None),
    ],
)
def test_language(text, tag):
    assert language_of(lines(text), knowledge()) == tag


def test_a_text_that_small_words_leave_open_is_asked_about():
    text = "training crasht immer wieder beim speichern vom checkpoint trotz kleinerer auflösung und weniger bildern"
    assert language_of(lines(text), knowledge()) == "de"


def test_the_large_model_is_not_loaded_for_clear_text():
    code = (
        "import sys; from bot.intake.said.language import language_of; from bot.intake.text.clean import Line; "
        "from bot.knowledge.load import Knowledge; "
        "assert language_of([Line('ich habe nur einen Schalter geändert', 1)], Knowledge()) == 'de'; "
        "assert 'py3langid' not in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("OOM during training step 3 times in a row, aborting training. RuntimeError, bytes allocated", None),
        ("dies early, OOM during training step, several times in a row, aborting training at step 12", "en"),
    ],
)
def test_the_large_model_is_not_loaded_for_what_programs_print(text, tag):
    code = (
        "import sys; from bot.intake.said.language import language_of; from bot.intake.text.clean import Line; "
        "from bot.knowledge.load import Knowledge; "
        f"assert language_of([Line({text!r}, 1)], Knowledge()) == {tag!r}; "
        "assert 'py3langid' not in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
