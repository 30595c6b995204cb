"""A change is proven by the section around it, and by the whole text where that is in doubt."""

import pytest

from bot.yamledit import Patch, apply, parse
from bot.yamledit.expect import patched, same
from bot.yamledit.page import Page
from bot.yamledit.section import reread, section_around
from tests.yamledit.test_edit import JOB, P


def around(text, *patches):
    parsed = parse(text)
    page = Page(parsed)
    from bot.yamledit.expect import as_splices

    edits = [edit for patch in patches for edit in as_splices(page, patch.op, patch.path, patch.value)]
    section = section_around(parsed, sorted(edits, key=lambda edit: edit.start), [patch.path for patch in patches])
    return None if section is None else (section.path, text[section.start : section.end])


def test_the_section_is_that_of_the_key_and_no_more():
    path, lines = around(JOB, Patch("replace", (*P, "train", "batch_size"), 1))
    assert path == (*P, "train")
    assert lines.startswith("      train:\n        batch_size: 4")
    assert lines.endswith("#        disable_sampling: true\n\n")


def test_a_new_key_belongs_to_the_section_it_is_put_into():
    assert around(JOB, Patch("add", (*P, "train", "steps"), 5))[0] == (*P, "train")


def test_changes_of_two_sections_are_in_the_one_around_both():
    made = around(
        JOB, Patch("replace", (*P, "train", "batch_size"), 1), Patch("add", (*P, "datasets", 0, "num_frames"), 1)
    )
    assert made[0] == ("config", "process")


@pytest.mark.parametrize(
    "text",
    [
        "{train: {batch_size: 4}}",
        '{"train": {"batch_size": 4}}',
        "train:\n  batch_size: 4\nother: &a 1\nmore: *a\n",
        "train:\n  batch_size: 4\n  lr: 1\n  lr: 2\n",
    ],
)
def test_what_is_no_block_section_is_read_whole(text):
    assert around(text, Patch("replace", ("train", "batch_size"), 5)) is None


def test_only_the_expected_values_pass():
    parsed = parse(JOB)
    path = (*P, "train", "batch_size")
    edits = apply(parsed, (Patch("replace", path, 1),)).edits
    text = JOB.replace("batch_size: 4  # was 2", "batch_size: 1  # was 2", 1)
    expected = patched(parsed.data, "replace", path, 1)
    read = reread(parsed, edits, [path], text, expected)
    assert read is not None
    assert same(read.data, parse(text).data)
    assert read.line_of(path) == parse(text).line_of(path)  # its tree is made when it is asked for
    for wrong in (text.replace("batch_size: 1 ", "batch_size: 2 "), text.replace("batch_size: 1 ", "batch_size: [ "),
                  text.replace("batch_size: 1 ", "batch_size: true "), text.replace("lr: 1e-4", "lr: 1e-5")):  # fmt: skip
        assert reread(parsed, edits, [path], wrong, expected) is None


def test_a_key_of_the_root_is_in_no_section():
    assert around("name: a\nnotes: b\n", Patch("replace", ("name",), "c")) is None


def test_a_section_in_which_a_document_would_end_is_read_whole():
    text = "train:\n  batch_size: 4\n---\nmeta: 1\n"
    parsed = parse(text)
    edits = apply(parsed, (Patch("replace", ("train", "batch_size"), 1),)).edits
    now = text.replace("4", "1")
    assert reread(parsed, edits, [("train", "batch_size")], now, {"train": {"batch_size": 1}}) is None
    assert apply(parsed, (Patch("replace", ("train", "batch_size"), 1),)).parsed.text == now
