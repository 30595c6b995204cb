"""Pasted text as markdown: it stays text whatever is in it."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from bot.reply.markdown import fenced, inline

MARKS = st.text(st.sampled_from("ab `*_~|>#[]()<@:/\\\n"), max_size=60)
# A run of back-ticks opens what the next run of the same length closes.
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)", re.DOTALL)


@given(MARKS)
@example("``` @everyone")
@example("``\n`@everyone`")
@example("`a``@everyone`` b`")
@example("[x](https://evil.example)")
def test_nothing_outside_of_code_is_live(text):
    made = inline(text)
    assert "``" not in made, "no run of back-ticks: neither a fence nor an empty span"
    bare = SPAN.sub("", made).replace("\\\\", "")
    assert "`" not in bare
    assert re.search(r"(?<!\\)[*_~|>#\[\]<]", bare) is None
    assert "@e" not in bare
    assert "://" not in bare


@given(MARKS)
def test_a_code_block_ends_where_it_is_meant_to(text):
    made = fenced(text, "yaml")
    assert made.startswith("```yaml\n")
    assert made.endswith("\n```")
    assert "```" not in made[3:-3]


def test_code_in_a_sentence_stays_code():
    assert inline("set `batch_size: 1` in `train:`") == "set `batch_size: 1` in `train:`"
