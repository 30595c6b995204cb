import re

import pytest

from bot.intake.repair.mend import LONGEST, Mend, mend
from bot.yamledit import ParseError, parse
from tests.intake.repair.making import DUMP, JOB, line_of

JOB_DATA = parse(JOB).data
DUMP_DATA = parse(DUMP).data


@pytest.mark.parametrize("text", [JOB, DUMP, JOB.replace("\n", "\r\n"), "train:\n  batch_size: 1\n"])
def test_what_needs_no_repair_comes_back_as_it_is(text):
    made = mend(text)
    assert made is not None
    assert (made.text, made.mends, made.cut, made.above) == (text, (), False, 0)
    assert made.parsed.text == text


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ('"some/model"', '"some/model', "open-quote"),
        ("'diffusion_trainer'", "'diffusion_trainer", "open-quote"),
        ('- "blocks"', '- "blocks', "open-quote"),
        ("batch_size: 4", "batch_size:4", "missing-blank"),
        ("        dtype: bf16", "\t\t\t\tdtype: bf16", "tab"),
        ("        batch_size: 4", "batch_size: 4", "indentation"),
        ("        arch:", "      arch:", "indentation"),
        ("        optimizer", "           optimizer", "indentation"),
        ("        neg:", "neg:", "indentation"),
        ("        save_every: 250", "save_every: 250", "indentation"),
        ("[ 512, 768 ]  #", "[ 512, 768  #", "bracket-missing"),
        ("        lr: 1e-4\n", "        ...\n", "placeholder"),
        ("        lr: 1e-4\n", "        ... as in the example ...\n", "placeholder"),
        ("---\n", "```yaml\n", "code-fence"),
        ("version: '1.0'\n", "version: '1.0'\n```", "code-fence"),
        ('"flowmatch"', "\u201cflow: match\u201d", "smart-quotes"),
        ("        arch", "\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0arch", "odd-blanks"),
        ('"txt"\n', '"txt"\\\n', "stray-character"),
        ('"a gull, flying"', '"a "white" gull"', "inner-quote"),
        ('"output"', "'it's here'", "inner-quote"),
    ],
)
def test_one_damaged_line(old, new, kind):
    assert old in JOB
    text = JOB.replace(old, new, 1)
    line = next(at for at, (a, b) in enumerate(zip(JOB.split("\n"), text.split("\n"), strict=False), 1) if a != b)
    made = mend(text)
    assert made is not None
    assert made.mends == (Mend(kind, len(text.split("\n")) if new.endswith("```") else line),)
    assert not made.cut
    changed = {at for at, (a, b) in enumerate(zip(text.split("\n"), made.text.split("\n"), strict=True)) if a != b}
    assert changed == {made.mends[0].line - 1}


@pytest.mark.parametrize(
    ("old", "new", "path", "value"),
    [
        ('"/data/boats"', '"C:\\Users\\me\\boats"', ("datasets", 0, "folder_path"), "C:\\Users\\me\\boats"),
        ('"/data/boats"', '"D:\\boats\\"', ("datasets", 0, "folder_path"), "D:\\boats\\"),
        ('"/data/boats"', '"\\\\nas\\users\\boats"', ("datasets", 0, "folder_path"), "\\\\nas\\users\\boats"),
        ('"a boat"', "a boat: at sea", ("sample", "samples", 0, "prompt"), "a boat: at sea"),
        ('"a boat"', "[trigger] on a boat", ("sample", "samples", 0, "prompt"), "[trigger] on a boat"),
        ('"a boat"', "@boat, sails", ("sample", "samples", 0, "prompt"), "@boat, sails"),
        ('"a boat"', "%boat", ("sample", "samples", 0, "prompt"), "%boat"),
        ('"a boat"', "`boat` x", ("sample", "samples", 0, "prompt"), "`boat` x"),
        ('"a boat"', '"red" boat', ("sample", "samples", 0, "prompt"), '"red" boat'),
        ('"a boat"', '* a boat, it\'s "new"', ("sample", "samples", 0, "prompt"), '* a boat, it\'s "new"'),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_text_that_needs_quotes(old, new, path, value, newline):
    text = JOB.replace(old, new, 1).replace("\n", newline)
    made = mend(text)
    assert made is not None
    found = made.parsed.data["config"]["process"][0]
    for part in path:
        found = found[part]
    assert found == value
    assert [mended.line for mended in made.mends] == [line_of(text, new)]
    assert made.text.count(newline) == text.count(newline)


@pytest.mark.parametrize(
    ("pattern", "new"),
    [
        (r"(?m)^ +", ""),
        (r"(?m)^(?:  )+", lambda found: "\t" * (len(found[0]) // 2)),
        (r"(?m)^ +", lambda found: "\t" * (len(found[0]) // 4) + " " * (len(found[0]) % 4)),
        (r"(?m)^ +", lambda found: "\u00a0" * len(found[0])),
    ],
)
def test_indentation_damaged_all_over(pattern, new):
    made = mend(re.sub(pattern, new, JOB))
    assert made is not None
    assert made.parsed.data == JOB_DATA
    assert len(made.mends) == 1


def test_a_fragment_without_indentation():
    made = mend("train:\nbatch_size: 4\nema_config:\nuse_ema: true\nlr: 1e-4\nmodel:\narch: flux\n")
    assert made is not None
    assert made.parsed.data == {
        "train": {"batch_size": 4, "ema_config": {"use_ema": True}, "lr": 0.0001}, "model": {"arch": "flux"},
    }  # fmt: skip
    assert made.text.splitlines()[3] == "    use_ema: true"


@pytest.mark.parametrize(
    ("text", "data"),
    [
        (
            "train:\n      batch_size: 1\n    model:\n      arch: flux\n",
            {"train": {"batch_size": 1}, "model": {"arch": "flux"}},
        ),
        ("batch_size: 4\n    lr: 1\n    steps: 2\n", {"batch_size": 4, "lr": 1, "steps": 2}),
    ],
)
def test_the_first_line_lost_its_blanks(text, data):
    made = mend(text)
    assert made is not None
    assert made.parsed.data == data
    assert made.mends == (Mend("first-line-indentation", 1),)


def test_lists_without_dashes():
    text = (
        "config:\n  process:\n    type: sd_trainer\n    # two\n    datasets:\n      folder_path: /x\n      resolution:\n"
        "        512\n        768\n    sample:\n      prompts:\n        a cat\n        a dog\n"
    )
    made = mend(text)
    assert made is not None
    process = made.parsed.data["config"]["process"][0]
    assert process["datasets"] == [{"folder_path": "/x", "resolution": [512, 768]}]
    assert process["sample"] == {"prompts": ["a cat", "a dog"]}
    assert {mended.kind for mended in made.mends} == {"lost-dash"}


def test_quoted_lines_without_dashes():
    made = mend('sample:\n  prompts:\n    "a cat"\n    "a dog"\n  width: 512\n')
    assert made is not None
    assert made.parsed.data == {"sample": {"prompts": ["a cat", "a dog"], "width": 512}}
    assert made.mends == (Mend("lost-dash", 3),)


@pytest.mark.parametrize(
    ("start", "above"),
    [
        ("        lr: 1e-4\n", "      train:"),
        ("          use_ema", "        ema_config:"),
        ("        quantize", "      model:"),
    ],
)
def test_a_head_that_was_not_copied(start, above):
    text = JOB[JOB.index(start) : JOB.index("meta:")]
    made = mend(text)
    assert made is not None
    assert {mended.kind for mended in made.mends} == {"head-missing"}
    assert made.above == len(made.mends)
    assert above in made.text.split("\n")[: made.above]
    assert made.parsed.data["sample"]["seed"] == 42


def test_a_head_inside_a_dataset():
    text = JOB[JOB.index("          caption_ext") : JOB.index("meta:")]
    made = mend(text)
    assert made is not None
    assert made.parsed.data["datasets"][0] == {"caption_ext": "txt", "resolution": [512, 768]}
    assert made.parsed.data["datasets"][1]["resolution"] == [512, 1024]


def test_the_margin_dots_do_not_end_the_config():
    text = JOB.replace("meta:", "...\nmeta:")
    made = mend(text)
    assert made is not None
    assert made.parsed.data == JOB_DATA
    assert made.mends == (Mend("placeholder", line_of(text, "...")),)


@pytest.mark.parametrize("text", [JOB + JOB.removeprefix("---\n"), DUMP + DUMP])
def test_pasted_twice(text):
    made = mend(text)
    assert made is not None
    assert made.parsed.data in (JOB_DATA, DUMP_DATA)
    assert [mended.kind for mended in made.mends] == ["pasted-twice"]


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ('"some/model",', '"some/model,', "open-quote"),
        ('"batch_size": 4', '"batch_size: 4', "open-quote"),
        ('"batch_size": 4', 'batch_size": 4', "open-quote"),
        ('"adamw8bit",', '"adamw8bit"', "missing-comma"),
        ('"network": {', '"network":', "bracket-missing"),
        ('"resolution": [', '"resolution":', "bracket-missing"),
        ('"model_kwargs": {}\n    },', '"model_kwargs": {}', "bracket-missing"),
        ("            ],\n", "            ],\n            ],\n", "bracket-missing"),
        ('    ],\n    "train"', '    ],\n    ...\n    "train"', "placeholder"),
        ("    }\n}\n", "    }\n}}\n", "bracket-surplus"),
        ("    }\n}\n", "    }\n},\n", "stray-character"),
        ("    }\n}\n", "    }\n", "cut-end"),
        ('{\n    "type"', '    "type"', "head-missing"),
    ],
)
def test_damaged_json(old, new, kind):
    assert old in DUMP
    made = mend(DUMP.replace(old, new, 1))
    assert made is not None
    assert made.parsed.data == DUMP_DATA
    assert kind in {mended.kind for mended in made.mends}


@pytest.mark.parametrize("path", ["C:\\Users\\x", "C:\\\\Users\\x\\"])
def test_a_windows_path_in_json(path):
    made = mend(DUMP.replace("/data/boats", path))
    assert made is not None
    assert made.parsed.data["datasets"][0]["folder_path"] == path.replace("\\\\", "\\")
    assert [mended.kind for mended in made.mends] == ["windows-path"]


@pytest.mark.parametrize(
    ("start", "first"),
    [
        ('            "resolution"', {"resolution": [512, 1024], "num_frames": 1}),
        ('ata/boats",\n', {"resolution": [512, 1024], "num_frames": 1}),
        ('            "num_frames"', {"num_frames": 1}),
    ],
)
def test_json_without_its_head(start, first):
    text = DUMP[DUMP.index(start) :]
    made = mend(text)
    assert made is not None
    assert made.cut
    assert made.parsed.data["datasets"] == [first]
    assert {name: made.parsed.data[name] for name in ("train", "model", "sample")} == {
        name: DUMP_DATA[name] for name in ("train", "model", "sample")
    }


def test_json_that_begins_in_a_known_section():
    made = mend('"dtype": "bf16",\n "lr": 1\n }, "model": {"arch": "flux"}\n}')
    assert made is not None
    assert made.parsed.data == {"train": {"dtype": "bf16", "lr": 1}, "model": {"arch": "flux"}}


@pytest.mark.parametrize("at", [60, 150, 210, 300, 380, 470, 560, 640])
def test_json_without_its_end(at):
    made = mend(DUMP[:at])
    assert made is not None
    assert made.cut
    assert made.mends[-1].kind == "cut-end"
    assert _within(made.parsed.data, DUMP_DATA)


def _within(part, whole):
    """Whether what was read says nothing that the whole does not."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            key in whole and _within(value, whole[key]) for key, value in part.items()
        )
    if isinstance(part, list):
        return isinstance(whole, list) and all(_within(a, b) for a, b in zip(part, whole, strict=False))
    return part == whole


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("train:\n  batch_size: 1\n  gradient_che", {"train": {"batch_size": 1}}),
        ("datasets:\n  - resolution: [ 512, 7", {"datasets": [{"resolution": [512]}]}),
    ],
)
def test_yaml_without_its_end(text, data):
    made = mend(text)
    assert made is not None
    assert made.cut
    assert made.parsed.data == data


def test_bare_members_get_braces():
    text = '"model": {\n  "arch": "flux"\n},\n"train": {\n  "batch_size": 1\n},\n'
    made = mend(text)
    assert made is not None
    assert made.parsed.data == {"model": {"arch": "flux"}, "train": {"batch_size": 1}}
    assert made.mends == (Mend("braces-missing", 1),)


def test_several_damages_in_one_text():
    text = (
        JOB.replace('"some/model"', '"some/model')
        .replace("batch_size: 4", "batch_size:4")
        .replace('"a boat"', "a: boat")
    )
    made = mend(text)
    assert made is not None
    assert {mended.kind for mended in made.mends} == {"open-quote", "missing-blank", "unquoted-text"}
    assert made.parsed.data["config"]["process"][0]["model"]["name_or_path"] == "some/model"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "only a sentence, nothing else",
        "my run dies: out of memory: why?",
        "a: b: c\n",
        "train: {{x}}\n}}",
        "]]]",
        "train:\n" + "  prompt: @x\n" * 200,
    ],
)
def test_nothing_certain(text):
    assert mend(text) is None


def test_too_long_to_be_repaired():
    assert mend("train:\n  a: @b\n" + "#" * LONGEST) is None


def test_what_parses_is_read_at_any_length():
    text = "train:\nmodel:\n  arch: flux\n" + "#" * LONGEST
    made = mend(text)
    assert made is not None
    assert made.text == text


def test_a_list_is_no_config_of_its_own():
    with pytest.raises(ParseError):
        parse("- a: 1\n b: 2\n")
    assert mend("- a: 1\n b: 2\n") is None


def test_indentation_and_dashes_both_lost():
    text = "train:\nbatch_size: 4\ndatasets:\nfolder_path: /a\nresolution:\n512\n768\nfolder_path: /b\nresolution:\n512\nmodel:\narch: flux\n"
    made = mend(text)
    assert made is not None
    assert made.parsed.data == {
        "train": {"batch_size": 4},
        "datasets": [{"folder_path": "/a", "resolution": [512, 768]}, {"folder_path": "/b", "resolution": [512]}],
        "model": {"arch": "flux"},
    }
