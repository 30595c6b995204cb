"""What chat, editors and haste do to a config leaves the answer, and the change to make, as they are."""

import json
import pprint
import re

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine import diagnose
from bot.intake.read import Pasted, read
from bot.knowledge.load import Knowledge

SAID = "RTX 4090. OOM during training step 3 times in a row, aborting training\n\n"
JOB = """\
job: extension
config:
  # this is the folder's name
  name: "corner_shop"
  process:
    - type: 'sd_trainer'
      training_folder: "output"
      device: cuda:0
      network:
        type: "lora"
        linear: 16
      datasets:
        - folder_path: "/sets/shop"
          cache_latents_to_disk: true  # kept on disk, since the set is large and does not change between runs
          resolution:
            - 512
            - 1024
      train:
        batch_size: 1
        gradient_checkpointing: false  # off for the moment, since it is said to be faster like that, which is true
        cache_text_embeddings: true
        optimizer: "adamw8bit"
        dtype: "bf16"
      model:
        name_or_path: "black-forest-labs/FLUX.1-dev"
        arch: "flux"
        quantize: true
      sample:
        width: 768
        height: 768
        prompts:
          - "a corner shop at dawn"
"""
FRAGMENT = """\
datasets:
  - folder_path: /clips
    resolution: [480, 768]
    num_frames: 81
    cache_latents_to_disk: true
train:
  batch_size: 1
  gradient_checkpointing: false
  cache_text_embeddings: true
  dtype: bf16
model:
  name_or_path: Wan-AI/Wan2.2-TI2V-5B-Diffusers
  arch: wan22_5b
  quantize: true
  low_vram: true
"""
KEY = re.compile(r"(?m)^(\s*(?:- )?)([a-z_]+):")


def rows(change):
    return lambda text: "".join(f"{change(row)}\n" for row in text.splitlines())


def numbered(mark, width=0, start=1):
    return lambda text: "".join(
        f"{str(at).rjust(width)}{mark}{row}\n" for at, row in enumerate(text.splitlines(), start)
    )


def indented(make):
    return rows(lambda row: make(len(row) - len(row.lstrip())) + row.lstrip())


def wrapped(text):
    return "\n".join(re.sub(r"(.{20,80}) (?=\S)", "\\1\n", row) if len(row) > 80 else row for row in text.splitlines())


def as_diff(text):
    lines = []
    for row in text.splitlines():
        changed = "gradient_checkpointing" in row
        lines += [f"-{row.replace('false', 'true')}", f"+{row}"] if changed else [f" {row}"]
    return "@@ -1,9 +1,9 @@\n" + "\n".join(lines)


def as_json(**options):
    return lambda text: json.dumps(yaml.safe_load(text), **options)


MANGLED = {
    "indentation lost": rows(str.strip), "indentation halved": indented(lambda deep: " " * (deep // 2)),
    "indented twice as far": indented(lambda deep: " " * 2 * deep), "tabs": indented(lambda deep: "\t" * (deep // 2)),
    "hard blanks": indented(lambda deep: "\u00a0" * deep), "quoted": rows("> {}".format), "numbers, two blanks": numbered("  "),
    "numbers, one blank": numbered(" ", 3), "numbers with dots": numbered(". "), "numbers with colons": numbered(": ", 3, 88),
    "numbers with bars": numbered(" | ", 4), "numbers and tabs": numbered("\t", 6), "grep -n": numbered(":", 0, 40),
    "a diff": as_diff, "all added": rows("+{}".format), "curly quotes": lambda text: re.sub(r'"([^"\n]*)"', "\u201c\\1\u201d", text),
    "doubled": lambda text: text.replace("\n", "\n\n"), "Windows ends": lambda text: text.replace("\n", "\r\n"),
    "backticks around every row": rows(lambda row: f"`{row}`"), "bold keys": lambda text: KEY.sub(r"\1**\2**:", text),
    "no blank behind colons": lambda text: re.sub(r"(?m)^(\s*(?:- )?[a-z_]+): ", r"\1:", text),
    "full-width colons": lambda text: KEY.sub("\\1\\2\uff1a", text), "equals signs": lambda text: re.sub(r"(?m)^(\s*(?:- )?[a-z_]+): (?=\S)", r"\1 = ", text),
    "keys in quotes": lambda text: KEY.sub(r'\1"\2":', text), "commas behind values": lambda text: re.sub(r"(?m)^(\s*(?:- )?[a-z_]+: [\w.]+)$", r"\1,", text),
    "stars": lambda text: re.sub(r"(?m)^(\s*)- ", r"\1* ", text), "bullets": lambda text: re.sub(r"(?m)^(\s*)- ", "\\1\u2022 ", text),
    "HTML": lambda text: f"<pre><code>{text.replace(chr(34), '&quot;')}</code></pre>", "comments broken in two": wrapped,
    "as JSON": as_json(indent=4), "as JSON on one line": as_json(separators=(",", ":")), "as a dict": lambda text: repr(yaml.safe_load(text)),
    "remarks behind values": lambda text: re.sub(r"(?m)(checkpointing: false).*$", r"\1 (was true)", text), "an arrow": lambda text: re.sub(r"(?m)(checkpointing:) false.*$", r"\1 true -> false", text),
    "an arrow in the margin": lambda text: re.sub(r"(?m)(checkpointing: false).*$", r"\1 <-- changed this", text),
    "underscores eaten": lambda text: re.sub(r"(?m)(?<=[a-z0-9])_(?=[a-z0-9]+(?:_[a-z0-9]+)*:)", "", text),
    "blanks for underscores": lambda text: re.sub(r"(?m)^(\s*(?:- )?)([a-z_]+):", lambda key: f"{key[1]}{key[2].replace('_', ' ')}:", text),
    "a phone's capitals": lambda text: re.sub(r"(?m)^(\s*(?:- )?)([a-z])", lambda key: key[1] + key[2].upper(), text),
    "keys in capitals": lambda text: re.sub(r"(?m)^(\s*(?:- )?)([a-z_]+):", lambda key: f"{key[1]}{key[2].upper()}:", text),
    "semicolons behind values": lambda text: re.sub(r"(?m)^(\s*(?:- )?[a-z_]+: [\w.]+)$", r"\1;", text),
    "one row bold": lambda text: re.sub(r"(?m)^(\s*)(gradient_checkpointing: false).*$", r"\1**\2**", text),
    "a value struck out": lambda text: re.sub(r"(checkpointing:) false", r"\1 ~~true~~ false", text),
    "a value bold": lambda text: re.sub(r"(checkpointing:) false", r"\1 **false**", text),
    "a value in backticks": lambda text: re.sub(r"(checkpointing:) false", r"\1 `false`", text),
    "a value hidden": lambda text: re.sub(r"(checkpointing:) false", r"\1 ||false||", text),
    "one row slanted": lambda text: re.sub(r"(?m)^(\s*)(gradient_checkpointing: false).*$", r"\1*\2*", text),
    "a key in backticks": lambda text: text.replace("gradient_checkpointing:", "`gradient_checkpointing`:"),
    "an arrow before a row": lambda text: re.sub(r"(?m)^\s*(gradient_checkpointing: false).*$", r"--> \1", text),
    "a sign behind a value": lambda text: re.sub(r"(?m)(checkpointing: false).*$", "\\1 \u274c", text),
    "a bullet on every row": rows(lambda row: f"\u2022 {row.strip()}" if row.strip()[:2] != "- " else row.strip()),
    "digits read as letters": lambda text: text.replace("1024", "1O24").replace("512", "5l2").replace(" false", " fa1se").replace("batch_size: 1", "batch_size: l"),
    "a colon read as a semicolon": lambda text: text.replace("checkpointing: ", "checkpointing; "),
    "numbers on rows of their own": lambda text: "".join(f"{at}\n{row}\n" for at, row in enumerate(text.splitlines(), 1)),
    "numbers in a column of their own": lambda text: "".join(f"{at}\n" for at, _ in enumerate(text.splitlines(), 1)) + text,
    "numbers with an L": lambda text: "".join(f"L{at}: {row}\n" for at, row in enumerate(text.splitlines(), 1)),
    "guillemets": lambda text: re.sub(r'"([^"\n]*)"', "\u00ab\\1\u00bb", text),
    "as a dict, printed prettily": lambda text: pprint.pformat(yaml.safe_load(text), sort_dicts=False, width=60),
    "as ordered dicts": lambda text: re.sub(r"\}", "})", re.sub(r"\{", "OrderedDict({", repr(yaml.safe_load(text)))),
    "as JSON, keys bare": lambda text: re.sub(r'"(\w+)":', r"\1:", json.dumps(yaml.safe_load(text), indent=2)),
    "a tab for the first four blanks": rows(lambda row: f"\t{row[4:]}" if row.startswith("    ") else row),
    "a log collector": rows("2026-05-01T10:00:00.000000000Z {}".format), "pasted twice": lambda text: text + text,
}  # fmt: skip


TWICE = [("a diff", "quoted"), ("bullets", "quoted"), ("numbers, two blanks", "quoted"), ("bold keys", "numbers with colons"), ("equals signs", "a log collector"),
         ("backticks around every row", "numbers with bars"), ("tabs", "Windows ends"), ("as JSON", "numbers, two blanks"), ("keys in quotes", "curly quotes"),
         ("no blank behind colons", "doubled"), ("stars", "hard blanks"), ("remarks behind values", "keys in quotes"), ("an arrow", "underscores eaten"),
         ("underscores eaten", "keys in capitals"), ("underscores eaten", "keys in quotes"), ("a value bold", "equals signs"), ("an arrow before a row", "a value bold"),
         ("digits read as letters", "keys in quotes"), ("blanks for underscores", "a value in backticks"), ("a sign behind a value", "a phone's capitals")]  # fmt: skip
MANGLED |= {
    f"{first}, {second}": lambda text, made=(first, second): MANGLED[made[1]](MANGLED[made[0]](text))
    for first, second in TWICE
}


@pytest.fixture(scope="module")
def knowledge():
    return Knowledge()


@pytest.mark.parametrize("mangle", MANGLED.values(), ids=MANGLED)
@pytest.mark.parametrize(("text", "arch"), [(JOB, "flux"), (FRAGMENT, "wan22_5b")], ids=["job", "fragment"])
def test_the_answer_stays(text, arch, mangle, knowledge):
    made = diagnose(read([Pasted("a.txt", SAID + mangle(text))], knowledge), knowledge)
    now = next(step for step in made.steps if step.now)
    patch = now.patches[0]
    assert (made.problem["class"], made.model["arch"], now.lever) == ("vram_oom", arch, "gradient_checkpointing")
    assert (patch.path.rpartition(".")[2], patch.new, now.snippet) == ("gradient_checkpointing", True, False)
    assert made.diff is not None
    assert "top_bucket" in {step.lever for step in made.steps}


@pytest.mark.parametrize("bullet", ["- ", "* ", "\u2022 "])
def test_settings_behind_bullets_are_no_list_of_datasets(bullet, knowledge):
    said = ["batch_size: 2", "gradient_checkpointing: false", "resolution: [512, 1024]", "cache_text_embeddings: true"]
    made = diagnose(
        read(
            [Pasted("a.txt", "OOM in step 3 with Z-Image on a 4080\n" + "\n".join(bullet + line for line in said))],
            knowledge,
        ),
        knowledge,
    )
    levers = [step.lever for step in made.steps]
    assert (levers[0], made.steps[0].patches[0].path) == ("gradient_checkpointing", "train.gradient_checkpointing")
    assert {"batch_size", "top_bucket"} <= set(levers)
    assert "cache_latents" not in levers
    assert made.diff is not None


@pytest.mark.parametrize("mark", ["  ", ": ", " | "])
def test_numbers_go_and_nothing_else(mark, knowledge):
    config = read([Pasted("a.txt", numbered(mark, 3)(JOB))], knowledge).config
    assert config is not None
    assert config.text.rstrip() == JOB.rstrip()


def test_text_broken_in_two_is_left_as_it_is(knowledge):
    broken = FRAGMENT.replace(
        "  name_or_path: Wan-AI/Wan2.2-TI2V-5B-Diffusers", '  name_or_path: "Wan-AI/Wan2.2-\nTI2V-5B-Diffusers"'
    )
    diff = diagnose(read([Pasted("a.txt", SAID + broken)], knowledge), knowledge).diff
    assert diff is not None
    changed = [line for line in diff.splitlines() if line[:1] in "+-" and line[:3] not in {"+++", "---"}]
    assert changed == ["-  gradient_checkpointing: false", "+  gradient_checkpointing: true"]


@pytest.mark.parametrize("end", ["Wan-AI/Wan2", "Wan-AI/Wan2.2-TI2V-5B"])
def test_a_name_that_is_cut_off_is_not_changed_to_its_first_half(end, knowledge):
    cut = FRAGMENT.replace("  name_or_path: Wan", '  name_or_path: "Wan').partition(end)[0] + end
    diff = diagnose(read([Pasted("a.txt", SAID + cut)], knowledge), knowledge).diff
    assert diff is not None
    assert "gradient_checkpointing: true" in diff
    assert not any(line[:1] in "+-" and "name_or_path" in line for line in diff.splitlines())


def test_a_trimmed_first_row_goes_with_what_is_below_it(knowledge):
    cut = "\n".join(["batch_size: 1", *JOB[JOB.index("gradient_checkpointing") - 8 :].splitlines()])
    config = read([Pasted("a.txt", SAID + cut)], knowledge).config
    assert config is not None
    assert config.parsed.data["train"]["batch_size"] == 1
    assert config.parsed.data["train"]["gradient_checkpointing"] is False


def test_an_alias_without_its_anchor_is_not_made_text(knowledge):
    aliased = FRAGMENT.replace("gradient_checkpointing: false", "gradient_checkpointing: *flag")
    diff = diagnose(read([Pasted("a.txt", SAID + aliased)], knowledge), knowledge).diff
    assert '"*flag"' not in (diff or "")


def test_a_merged_section_is_read_with_its_anchor(knowledge):
    merged = "base: &base\n  batch_size: 3\n" + FRAGMENT.replace("  batch_size: 1\n", "").replace(
        "train:\n", "train:\n  <<: *base\n"
    )
    facts = read([Pasted("a.txt", SAID + merged)], knowledge).facts
    assert facts["train.gradient_checkpointing"].value is False
    assert facts["batch_size"].value == 3


def test_rows_left_out_in_the_middle_do_not_keep_the_change_out_of_the_diff(knowledge):
    cut = FRAGMENT.replace("  batch_size: 1\n", "  ...\n")
    diff = diagnose(read([Pasted("a.txt", SAID + cut)], knowledge), knowledge).diff
    assert diff is not None
    assert "+  gradient_checkpointing: true" in diff.splitlines()


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from([name for name in MANGLED if not name.startswith("as ")]), min_size=2, max_size=3, unique=True
    )
)
def test_damage_on_damage_never_puts_a_key_beside_itself(knowledge, names):
    text = JOB
    for name in names:
        text = MANGLED[name](text)
    diff = diagnose(read([Pasted("a.txt", SAID + text)], knowledge), knowledge).diff or ""
    changed = [line for line in diff.splitlines() if line[:1] in "+-" and "checkpointing" in line]
    assert {line[0] for line in changed} in ({"+", "-"}, set())
