import re

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.yamledit.exact import exact_diff


def lines_of(text):
    return re.split(r"(?<=\n)", text)[:-1] if text.endswith("\n") else re.split(r"(?<=\n)", text)


def applied(before, shown):
    """The text after: what the hunks say, each at the line its head names; every line they name must be there."""
    old, made, at = lines_of(before), [], 0
    for row in re.split(r"(?m)^(?=[ +@-])", shown.split("\n", 2)[2])[1:]:
        if row.startswith("@@"):
            start, length = map(int, re.match(r"@@ -(\d+),(\d+) ", row).groups())
            begin = start - (length > 0)
            assert begin >= at
            made += old[at:begin]
            at = begin
            continue
        line = row[1:].removesuffix("\n\\ No newline at end of file\n")
        if row[0] in " -":
            assert line == old[at]
            at += 1
        if row[0] in " +":
            made.append(line)
    return "".join([*made, *old[at:]])


lines = st.lists(st.sampled_from(["a: 1", "b: 2\r", "  c: x", "- d", "", "\u2028"]), max_size=12)
texts = st.builds(lambda rows, end: "\n".join(rows) + end * bool(rows), lines, st.sampled_from(["\n", ""]))


@given(texts, texts, st.sets(st.integers(0, 12)))
@settings(deadline=None, max_examples=200)
def test_applied_gives_the_text_after_and_shows_nothing_hidden(before, after, hidden):
    before = "".join(
        f"secret {at}\n" if at in hidden and line.endswith("\n") else line for at, line in enumerate(lines_of(before))
    )
    made = exact_diff(before, after, "x", hidden)
    if made is None:
        assert hidden
    else:
        assert (applied(before, made.text) if "@@" in made.text else before) == after
        assert "secret" not in made.text or "secret" in after


def test_two_lines_of_context_and_the_very_line_ends():
    before = "".join(f"l{at}\r\n" for at in range(9))
    made = exact_diff(before, before.replace("l4", "new"), "c.yaml", ())
    assert made.text == ("--- c.yaml\n+++ c.yaml\n@@ -3,5 +3,5 @@\n l2\r\n l3\r\n-l4\r\n+new\r\n l5\r\n l6\r\n")
    assert not made.loose


def test_context_ends_at_what_is_hidden():
    before = "a\nsecret\nb\nc\nd\n"
    assert exact_diff(before, before.replace("b", "B"), "x", {1}).text.endswith("@@ -3,3 +3,3 @@\n-b\n+B\n c\n d\n")
    assert exact_diff("a\nb\nsecret\n", "a\nB\nsecret\n", "x", {2}).loose
    assert exact_diff(before, before.replace("secret", "other"), "x", {1}) is None


def test_a_name_stays_one_line_and_a_blank_in_it_is_marked():
    head = exact_diff("a\n", "b\n", "my\n--- c.yaml", ()).text.split("@@")[0]
    assert head == "--- my?--- c.yaml\t\n+++ my?--- c.yaml\t\n"
