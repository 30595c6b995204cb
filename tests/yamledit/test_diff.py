import re

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.yamledit import unified_diff


def test_nothing_differs():
    assert unified_diff("a\n", "a\n", "x") == ""


def test_two_lines_of_context():
    before = "".join(f"l{at}\n" for at in range(9))
    assert unified_diff(before, before.replace("l4", "new"), "c.yaml") == (
        "--- c.yaml\n+++ c.yaml\n@@ -3,5 +3,5 @@\n l2\n l3\n-l4\n+new\n l5\n l6\n"
    )


def test_windows_line_ends_are_not_shown():
    shown = unified_diff("a\r\nb\r\n", "a\r\nc\r\n", "x")
    assert shown == "--- x\n+++ x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"


def test_no_newline_at_the_end():
    shown = unified_diff("a\nb", "a\nc", "x")
    assert shown.endswith("-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n")


def test_other_separators_do_not_break_lines():
    assert "-a\u2028b\n+c\n" in unified_diff("a\u2028b\n", "c\n", "x")


def applied(before, shown):
    """The lines after: what the hunks say, each at the line its head names."""
    old, made, at = before.split("\n"), [], 0
    rows = shown.split("\n")[2:-1]
    for row in rows:
        if row.startswith("@@"):
            start, _, length = re.match(r"@@ -(\d+)(,(\d+))? ", row).groups()
            begin = int(start) - (length != "0")
            made += old[at:begin]
            at = begin
        elif row[0] in " -":
            assert row[1:] == old[at]
            at += 1
        if row[0] in " +":
            made.append(row[1:])
    return "\n".join([*made, *old[at:]])


texts = st.lists(st.sampled_from(["a: 1", "b: 2", "  c: x", "- d", ""]), max_size=12).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)


@given(texts, texts)
@settings(deadline=None, max_examples=100)
def test_a_diff_applied_gives_the_text_after(before, after):
    shown = unified_diff(before, after, "x")
    assert (applied(before, shown) if shown else before) == after
