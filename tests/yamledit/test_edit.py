import pytest

from bot.yamledit import Edit, EditError, Patch, apply, parse

JOB = """\
---
job: extension
config:
  name: "mine"
  process:
    - type: 'sd_trainer'
      datasets:
        # two sets
        - folder_path: "/data/a"
          resolution: [ 512, 768, 1024 ]  # buckets
        - folder_path: '/data/b'
          resolution:
            - 512
            # the middle one
            - 768 # good
      train:
        batch_size: 4  # was 2
        gradient_checkpointing: off   # faster
        lr: 1e-4
        # after the last key
#        disable_sampling: true

      model: {}
      sample:   # nothing yet
  # end of process
meta:
  version: '1.0'"""
P = ("config", "process", 0)

DUMP = """\
{
    "train": {
        "batch_size": 4,
        "gradient_checkpointing": false
    },
    "datasets": [
        {
            "resolution": [
                512,
                1024
            ],
            "controls": []
        }
    ],
    "model": {}
}
"""


def changed(text: str, *patches: Patch) -> tuple[list[str], list[str]]:
    """The lines that a patch takes away and those that it brings, each once; all others must be the same."""
    after = apply(parse(text), patches).parsed.text
    before_lines, after_lines = text.splitlines(keepends=True), after.splitlines(keepends=True)
    start = 0
    while start < min(len(before_lines), len(after_lines)) and before_lines[start] == after_lines[start]:
        start += 1
    end = 0
    while end < min(len(before_lines), len(after_lines)) - start and before_lines[-1 - end] == after_lines[-1 - end]:
        end += 1
    return before_lines[start : len(before_lines) - end], after_lines[start : len(after_lines) - end]


@pytest.mark.parametrize(
    ("text", "patch", "gone", "new"),
    [
        (JOB, Patch("replace", (*P, "train", "batch_size"), 1), "        batch_size: 4  # was 2\n", "        batch_size: 1  # was 2\n"),
        (
            JOB, Patch("replace", (*P, "train", "gradient_checkpointing"), True),
            "        gradient_checkpointing: off   # faster\n", "        gradient_checkpointing: true   # faster\n",
        ),
        (
            JOB, Patch("remove_item", (*P, "datasets", 0, "resolution"), 1024),
            "          resolution: [ 512, 768, 1024 ]  # buckets\n", "          resolution: [ 512, 768 ]  # buckets\n",
        ),
        (
            JOB, Patch("replace", (*P, "datasets", 0, "resolution"), [768, 1024]),
            "          resolution: [ 512, 768, 1024 ]  # buckets\n", "          resolution: [ 768, 1024 ]  # buckets\n",
        ),
        (
            JOB, Patch("replace", (*P, "datasets", 0, "resolution"), [256, 640]),
            "          resolution: [ 512, 768, 1024 ]  # buckets\n", "          resolution: [ 256, 640 ]  # buckets\n",
        ),
        (
            JOB, Patch("replace", (*P, "datasets", 0, "resolution"), 512),
            "          resolution: [ 512, 768, 1024 ]  # buckets\n", "          resolution: 512  # buckets\n",
        ),
        (
            JOB, Patch("append", (*P, "datasets", 0, "resolution"), 1536),
            "          resolution: [ 512, 768, 1024 ]  # buckets\n", "          resolution: [ 512, 768, 1024, 1536 ]  # buckets\n",
        ),
        (JOB, Patch("remove_item", (*P, "datasets", 1, "resolution"), 768), "            - 768 # good\n", ""),
        (JOB, Patch("append", (*P, "datasets", 1, "resolution"), 1024), "", "            - 1024\n"),
        (
            JOB, Patch("replace", (*P, "datasets", 1, "resolution"), 512),
            "          resolution:\n            - 512\n            # the middle one\n            - 768 # good\n", "          resolution: 512\n",
        ),
        (
            JOB, Patch("append", (*P, "datasets"), {"folder_path": "/data/c", "resolution": [512]}),
            "", '        - folder_path: "/data/c"\n          resolution: [512]\n',
        ),
        (JOB, Patch("add", (*P, "train", "gradient_accumulation"), 4), "", "        gradient_accumulation: 4\n"),
        (
            JOB, Patch("add", (*P, "train", "ema_config", "use_ema"), False),
            "", "        ema_config:\n          use_ema: false\n",
        ),
        (JOB, Patch("add", (*P, "model", "low_vram"), True), "      model: {}\n", "      model: {low_vram: true}\n"),
        (JOB, Patch("add", (*P, "sample", "width"), 768), "", "        width: 768\n"),
        (JOB, Patch("add", ("meta", "note"), "x: y"), "  version: '1.0'", "  version: '1.0'\n  note: 'x: y'"),
        (JOB, Patch("remove", (*P, "train", "batch_size")), "        batch_size: 4  # was 2\n", ""),
        (JOB, Patch("remove", (*P, "type")), "    - type: 'sd_trainer'\n      datasets:\n", "    - datasets:\n"),
        (JOB, Patch("replace", ("config", "name"), 'a "b"'), '  name: "mine"\n', '  name: "a \\"b\\""\n'),
        (JOB, Patch("replace", (*P, "datasets", 1, "folder_path"), "it's"), "        - folder_path: '/data/b'\n", "        - folder_path: 'it''s'\n"),
        (JOB, Patch("replace", ("job",), "1e5"), "job: extension\n", 'job: "1e5"\n'),
        (DUMP, Patch("replace", ("train", "gradient_checkpointing"), True), '        "gradient_checkpointing": false\n', '        "gradient_checkpointing": true\n'),
        (DUMP, Patch("remove_item", ("datasets", 0, "resolution"), 1024), "                512,\n                1024\n", "                512\n"),
        (DUMP, Patch("remove_item", ("datasets", 0, "resolution"), 512), "                512,\n", ""),
        (
            DUMP, Patch("add", ("train", "ema_config", "use_ema"), False),
            '        "gradient_checkpointing": false\n',
            '        "gradient_checkpointing": false,\n        "ema_config": {\n            "use_ema": false\n        }\n',
        ),
        (DUMP, Patch("add", ("model", "low_vram"), True), '    "model": {}\n', '    "model": {\n        "low_vram": true\n    }\n'),
        (DUMP, Patch("append", ("datasets", 0, "controls"), "depth"), '            "controls": []\n', '            "controls": [\n                "depth"\n            ]\n'),
        (DUMP, Patch("remove", ("train", "gradient_checkpointing")), '        "batch_size": 4,\n        "gradient_checkpointing": false\n', '        "batch_size": 4\n'),
        ('{"a":1,"b":[1,2,3]}', Patch("add", ("c",), 0.5), '{"a":1,"b":[1,2,3]}', '{"a":1,"b":[1,2,3],"c":0.5}'),
        ('{"a":1,"b":[1,2,3]}', Patch("remove_item", ("b",), 1), '{"a":1,"b":[1,2,3]}', '{"a":1,"b":[2,3]}'),
        ("a: [1, # one\n  2, # two\n  3] # three\n", Patch("append", ("a",), 4), "  3] # three\n", "  3,\n  4] # three\n"),
        ("a:\n  [\n    1,\n    2,  # two\n  ]\n", Patch("append", ("a",), 3), "", "    3,\n"),
        ("a:\n  [\n    1,\n    2  # two\n  ]\n", Patch("append", ("a",), 3), "    2  # two\n", "    2,  # two\n    3\n"),
        ("a:\n  [\n    1, # one\n    2 # two\n  ]\n", Patch("remove_item", ("a",), 2), "    1, # one\n    2 # two\n", "    1 # one\n"),
        ("a: True\nb: 1\n", Patch("add", ("c",), False), "", "c: False\n"),
        ("a: True\n", Patch("replace", ("a",), False), "a: True\n", "a: False\n"),
        ("a: |\n  text\n  more\nb: 1\n", Patch("replace", ("a",), "x"), "a: |\n  text\n  more\n", 'a: "x"\n'),
        ("a: 1\nb: |\n  text\n\n# c\n", Patch("add", ("c",), 2), "", "c: 2\n"),
        ("a: 1\nb: |+\n  text\n\n\n", Patch("add", ("c",), 2), "", "c: 2\n"),
        ("a: long text\n  goes on\nb: 1\n", Patch("replace", ("a",), "x y"), "a: long text\n  goes on\n", "a: x y\n"),
        ("  train:\n    a: 1\n\n  # later\n", Patch("add", ("train", "b"), 2), "", "    b: 2\n"),
        ("a:\nb: 1\n", Patch("replace", ("a",), 5), "a:\n", "a: 5\n"),
        ("a: null # none\nb: 1\n", Patch("add", ("a", "c"), 5), "a: null # none\n", "a: # none\n  c: 5\n"),
        ("a:\n- 1\n- 2\nb: 1\n", Patch("append", ("a",), 3), "", "- 3\n"),
        ("a:\n- 1\nb:\n    c: 1\n", Patch("add", ("b", "d"), {"x": [{"y": 1}]}), "", "    d:\n        x:\n        - y: 1\n"),
        ("a:\n  - 1\n  - 2\n", Patch("replace", ("a",), [5, 6, 7]), "  - 1\n  - 2\n", "  - 5\n  - 6\n  - 7\n"),
        ("- a: 1\n- b: 2\n", Patch("replace", (1, "b"), 3), "- b: 2\n", "- b: 3\n"),
        ("base: &b {x: 1}\nuse:\n  <<: *b\n  y: 2\n", Patch("add", ("use", "x"), 5), "", "  x: 5\n"),
        ("base: &b {x: 1}\nuse: *b\n", Patch("add", ("z",), 5), "", "z: 5\n"),
        ('{\n  "a": 1, // why\n  "b": 2 // because, why\n}\n', Patch("add", ("c",), 3), '  "b": 2 // because, why\n', '  "b": 2, // because, why\n  "c": 3\n'),
    ],
)  # fmt: skip
def test_only_these_lines_change(text, patch, gone, new):
    taken, brought = changed(text, patch)
    assert ("".join(taken), "".join(brought)) == (gone, new)
    again = apply(apply(parse(text), (patch,)).parsed, (patch,))
    assert again.edits == ()


@pytest.mark.parametrize(
    ("text", "patch", "reason"),
    [
        ("a: &x 1\nb: *x\n", Patch("replace", ("a",), 2), "anchor"),
        ("a: &x 1\nb: *x\n", Patch("replace", ("b",), 2), "alias"),
        ("base: &b\n  x: 1\nuse: *b\n", Patch("replace", ("base", "x"), 2), "anchor"),
        ("base: &b\n  x: 1\nuse: *b\n", Patch("replace", ("use", "x"), 2), "alias"),
        ("base: &b {x: 1}\nuse:\n  <<: *b\n", Patch("replace", ("use", "x"), 2), "alias"),
        ("x: &a 1\nl: [*a, 2]\n", Patch("remove_item", ("l",), 2), "alias"),
        ("a: !!str 5\n", Patch("replace", ("a",), 6), "tag"),
        ("a: 1\na: 2\n", Patch("replace", ("a",), 3), "duplicate-key"),
        ("t:\n  a: 1\nt:\n  b: 2\n", Patch("add", ("t", "c"), 3), "duplicate-key"),
        ("a: 1\n", Patch("replace", ("b",), 3), "missing"),
        ("a: [1]\n", Patch("replace", ("a", 4), 3), "missing"),
        ("a: 1\n", Patch("add", ("b", 0, "c"), 3), "missing"),
        ("a: 1\n", Patch("add", ("a", "c"), 3), "not-a-mapping"),
        ("resolution: 1024\n", Patch("remove_item", ("resolution",), 1024), "not-a-list"),
        ("resolution: 1024\n", Patch("append", ("resolution",), 512), "not-a-list"),
        ("a: [1]\n", Patch("remove_item", ("a",), 1), "last-item"),
        ("a:\n  - 1\n  - 1\n", Patch("remove_item", ("a",), 1), "last-item"),
        ("a:\n  b: 1\n", Patch("remove", ("a", "b")), "last-item"),
        ("a: 1\n", Patch("add", ("a",), 2), "exists"),
        ("a: 1\n", Patch("replace", (), {}), "root"),
        ("- a\n", Patch("add", ("b",), 1), "not-a-mapping"),
    ],
)
def test_refused_with_a_reason(text, patch, reason):
    with pytest.raises(EditError) as caught:
        apply(parse(text), (patch,))
    assert caught.value.reason == reason
    assert str(caught.value)


@pytest.mark.parametrize(
    "patch",
    [
        Patch("replace", (*P, "train", "batch_size"), 4),
        Patch("replace", (*P, "train", "lr"), 0.0001),
        Patch("add", (*P, "train", "batch_size"), 4),
        Patch("remove", (*P, "train", "nothing")),
        Patch("remove_item", (*P, "datasets", 0, "resolution"), 333),
        Patch("append", (*P, "datasets", 0, "resolution"), 512),
    ],
)
def test_what_is_so_already_is_no_change(patch):
    parsed = parse(JOB)
    edited = apply(parsed, (patch,))
    assert edited.edits == ()
    assert edited.parsed is parsed


def test_one_and_true_are_different():
    assert apply(parse("a: 1\n"), (Patch("replace", ("a",), True),)).parsed.text == "a: true\n"
    assert apply(parse("a: [1, true]\n"), (Patch("remove_item", ("a",), True),)).parsed.text == "a: [1]\n"


def test_several_patches_at_once():
    patches = (
        Patch("replace", (*P, "train", "batch_size"), 1),
        Patch("add", (*P, "train", "gradient_accumulation"), 4),
        Patch("add", (*P, "sample", "width"), 768),
        Patch("add", (*P, "sample", "height"), 768),
    )
    edited = apply(parse(JOB), patches)
    assert "batch_size: 1  # was 2\n" in edited.parsed.text
    assert "lr: 1e-4\n        gradient_accumulation: 4\n        # after" in edited.parsed.text
    assert "sample:   # nothing yet\n        width: 768\n        height: 768\n  # end" in edited.parsed.text


def test_edits_carry_over_to_the_text_before():
    """Patches that build on one another are told as splices of the first text all the same."""
    text = "a: 1\nb: [1, 2]\n"
    patches = (
        Patch("add", ("c", "d"), 1),
        Patch("add", ("c", "e"), 2),
        Patch("replace", ("c", "d"), 7),
        Patch("remove", ("b",)),
    )
    edited = apply(parse(text), patches)
    assert edited.parsed.text == "a: 1\nc:\n  d: 7\n  e: 2\n"
    made, at = "", 0
    for edit in edited.edits:
        made += text[at : edit.start] + edit.new
        at = edit.end
    assert made + text[at:] == edited.parsed.text


def test_there_and_back_is_no_change():
    text = "l:\n- 1\nb: 2\n"
    edited = apply(parse(text), (Patch("append", ("l",), 7), Patch("remove_item", ("l",), 7)))
    assert edited.parsed.text == text
    assert edited.edits == ()


def test_a_splice_is_told_exactly():
    edited = apply(parse("a: 10\nb: 2\n"), (Patch("replace", ("a",), 5),))
    assert edited.edits == (Edit(3, 5, "5"),)


def test_windows_line_ends_stay():
    text = "a: 1\r\nl:\r\n- 1\r\n- 2\r\n"
    edited = apply(parse(text), (Patch("add", ("c",), 3), Patch("remove_item", ("l",), 1)))
    assert edited.parsed.text == "a: 1\r\nl:\r\n- 2\r\nc: 3\r\n"


def test_a_refused_patch_among_several_refuses_all():
    with pytest.raises(EditError):
        apply(parse("a: 1\n"), (Patch("replace", ("a",), 2), Patch("replace", ("b",), 2)))
