"""One and the same bullet before every row of a config, whatever it is, is none of the config's."""

import pytest

from bot.engine import diagnose
from bot.intake.read import Pasted, read
from bot.intake.text.bullets import without_bullets
from bot.knowledge.load import Knowledge

CONFIG = """\
train:
  batch_size: 1
  gradient_checkpointing: false
  optimizer: adamw8bit
datasets:
  - folder_path: /data/owl
    cache_latents_to_disk: true
    resolution:
      - 512
      - 768
model:
  arch: flux
  quantize: true
"""
ROWS = CONFIG.rstrip().split("\n")
SHAPES = ["* {}", "- {}", "\u2022 {}", "\u2022\t{}", "> {}", "| {}", "# {}", "// {}", "- [ ] {}", "* [x] {}"]
SHAPES += ["\u2013 {}", "\u2192 {}", ":small_blue_diamond: {}", "\u2705 {}", "  * {}", '"{}"', '"{}",', "`{}`", "'{}',"]
COUNTED = ["{1}. {0}", "{1}) {0}", "({1}) {0}", "[{1}] {0}", "{1}: {0}", "#{1} {0}", "{1} | {0}", "L{1} {0}"]
FLUX = Knowledge()


@pytest.mark.parametrize("shape", SHAPES + COUNTED)
def test_the_config_below_the_bullets_is_changed(shape):
    paste = "\n".join(["flux, oom on my 3090 in step 2", *(shape.format(row, at) for at, row in enumerate(ROWS, 1))])
    verdict = diagnose(read([Pasted("post", paste)], FLUX), FLUX, locale="en")
    assert "\n-  gradient_checkpointing: false\n+  gradient_checkpointing: true\n" in verdict.diff
    assert verdict.findings[0].evidence[0].line == 4


def test_rows_that_are_yaml_or_commented_out_or_words_stay():
    for text in (
        "datasets:\n  - folder_path: /a\n  - folder_path: /b\n  - folder_path: /c\n",
        "- folder_path: /a\n- caption_ext: txt\n- resolution: 512\n- num_frames: 1\n",
        "train:\n  batch_size: 1\n# sample:\n#   width: 512\n#   height: 512\n#   seed: 1\n",
        "* try batch_size: 1\n* or quantize: true\n* or low_vram: true\n",
    ):
        rows = [(row, at) for at, row in enumerate(text.split("\n"), 1)]
        assert without_bullets(rows) is rows
