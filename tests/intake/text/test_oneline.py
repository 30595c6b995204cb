"""A config whose line breaks became blanks is taken apart again, or left alone: never half of it."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine import diagnose
from bot.intake.read import Pasted, read
from bot.intake.text.oneline import unfolded
from bot.knowledge.load import Knowledge
from bot.yamledit import parse

JOB = """\
job: extension
config:
  # this name will be the folder
  name: "my lora: v1"
  process:
    - type: 'sd_trainer'
      # root folder; it's made when needed
      training_folder: "output"
#      trigger_word: "p3r5on"
      network:
        type: "lora"
        linear: 16
      datasets:
        - folder_path: "/path/to/images"
          cache_latents_to_disk: true  # leave this on, it's cheap
          resolution: [ 512, 768, 1024 ]
      train:
        batch_size: 1
        steps: 2000  # 500 - 4000 is a good range
        gradient_checkpointing: false
        optimizer: "adamw8bit"
        lr: 1e-4
        ema_config:
          use_ema: true
        dtype: bf16
      model:
        name_or_path: "black-forest-labs/FLUX.1-dev"
        is_flux: true
        quantize: true
      sample:
        sample_every: 250
        prompts:
          - "a woman, style: film"
          - "a man"
        seed: 42
meta:
  name: "[name]"
"""
BLANKS = {
    "one blank": re.sub(r"\s+", " ", JOB).strip(),
    "indentation kept": JOB.strip().replace("\n", " "),
}
FLUX = Knowledge()


def rows_of(text):
    return [(row, at) for at, row in enumerate(text.split("\n"), 1)]


@pytest.mark.parametrize("row", BLANKS.values(), ids=BLANKS)
def test_the_config_is_what_it_was(row):
    made = unfolded(rows_of(f"oom on my 3090\n{row}\nhelp"))
    assert made.restored == (2,)
    assert {number for _, number in made.rows} == {1, 2, 3}
    lines = "\n".join(line for line, number in made.rows if number == 2)
    assert parse(lines).data == parse(JOB).data


def test_words_before_and_behind_in_the_same_row_stay_words():
    made = unfolded([("this is it: train: batch_size: 4 steps: 10 what now", 1)])
    assert [row for row, _ in made.rows] == ["this is it:", "train:", "  batch_size: 4", "  steps: 10", "what now"]


def test_items_below_each_other_and_the_marks_of_code_are_told_apart():
    row = "see `datasets: - folder_path: /a resolution: - 512 - 768 num_frames: 41 train: batch_size: 1` any idea?"
    made = [row for row, _ in unfolded([(row, 1)]).rows]
    assert (made[0], made[-1]) == ("see", "any idea?")
    wanted = {
        "datasets": [{"folder_path": "/a", "resolution": [512, 768], "num_frames": 41}],
        "train": {"batch_size": 1},
    }
    assert parse("\n".join(made[1:-1])).data == wanted


def test_wrapped_rows_are_one_config():
    words = BLANKS["one blank"].split(" ")
    wrapped = "\n".join(" ".join(words[at : at + 20]) for at in range(0, len(words), 20))
    made = unfolded(rows_of(wrapped))
    assert parse("\n".join(row for row, _ in made.rows)).data == parse(JOB).data


@pytest.mark.parametrize(
    "row",
    [
        "train: batch_size: 4 what: 3 steps: 10 dtype: bf16",
        "train: batch_size: 4 or 2 steps: 10 dtype: bf16",
        "train: batch_size: 4 batch_size: 2 steps: 10",
        "train: {batch_size: 4, steps: 10, dtype: bf16}",
        "datasets: [{folder_path: a, resolution: [512]}] train: batch_size: 4 steps: 10",
        "# train: batch_size: 4 steps: 10 dtype: bf16",
        "batch_size: 4 steps: 10 dtype: bf16 model: flux",
        "Loading model: done, sample: 3 of 4, train: waiting",
    ],
)
def test_what_is_not_certain_stays(row):
    assert unfolded([(row, 1)]).rows == [(row, 1)]


def test_a_file_in_long_rows_stays_as_it_is():
    rows = rows_of(
        "process:\n"
        "  - datasets: [{folder_path: /a, resolution: [512, 1024], cache_latents_to_disk: true}]\n"
        "    train: {batch_size: 1, gradient_checkpointing: false, optimizer: adamw8bit, dtype: bf16}\n"
        "    model:\n"
        "      name_or_path: Tongyi-MAI/Z-Image-Turbo  # for the model: name_or_path: is the folder or the repository\n"
        "      quantize: true\n"
    )
    assert unfolded(rows).rows == rows


def test_the_reply_has_a_diff_of_few_lines_and_says_what_was_lost():
    paste = f"flux lora oom on 3090 at step 2\n{BLANKS['one blank']}"
    verdict = diagnose(read([Pasted("post", paste)], FLUX), FLUX, locale="en")
    assert "\n-        gradient_checkpointing: false\n+        gradient_checkpointing: true\n" in verdict.diff
    assert verdict.diff.count("\n") < 10
    assert ("line-breaks-restored", {"line": 2}) in verdict.notices


def test_where_it_cannot_be_told_the_reply_asks_for_the_file():
    paste = "flux lora oom on 3090\ntrain: batch_size: 4 huh: 3 steps: 10 gradient_checkpointing: false lr: 1e-4"
    verdict = diagnose(read([Pasted("post", paste)], FLUX), FLUX, locale="en")
    assert verdict.diff is None
    assert ("line-breaks-lost", {"line": 2}) in verdict.notices


pieces = st.sampled_from(["train:", "model:", "steps: 3", "- x", '"', "[", "#", "quantize: true", "word", "- type: a"])


@given(st.lists(pieces, max_size=20), st.sampled_from([" ", "  ", "   "]))
@settings(deadline=None, max_examples=200)
def test_nothing_is_lost_whatever_the_row(parts, gap):
    row = "train: " + gap.join(parts)
    made = unfolded([(row, 1)])
    assert "".join(row.split()) == "".join("".join(line.split()) for line, _ in made.rows)
