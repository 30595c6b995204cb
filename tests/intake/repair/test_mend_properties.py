from hypothesis import given, settings
from hypothesis import strategies as st

from bot.intake.repair.mend import mend
from tests.intake.repair.making import DUMP, JOB

_NOISE = st.text(alphabet="\"'{}[]:,- \t\n#&*!|>%@`\\\u00a0.ab", min_size=0, max_size=4)


def _check(text):
    """Whatever it was: it parses now, and no line has moved."""
    made = mend(text)
    if made is None:
        return
    assert made.parsed.text == made.text
    assert made.text.count("\n") == text.count("\n") + made.above
    assert bool(made.mends) == (made.text != text)
    assert all(0 < mended.line <= text.count("\n") + 1 for mended in made.mends)


@given(st.sampled_from([JOB, DUMP]), st.integers(0, 1300), _NOISE, st.integers(0, 12))
@settings(deadline=None, max_examples=80)
def test_a_splice_anywhere(text, at, noise, length):
    at = min(at, len(text))
    _check(text[:at] + noise + text[at + length :])


@given(st.sampled_from([JOB, DUMP]), st.integers(0, 1300), st.integers(0, 1300))
@settings(deadline=None, max_examples=60)
def test_any_slice(text, start, end):
    _check(text[start:end])


@given(st.text(alphabet="\"'{}[]:,- \t\r\n#&*!|>%@`\\\u00a0.atrin_size1", max_size=80))
@settings(deadline=None, max_examples=60)
def test_any_text(text):
    _check(text)


@given(st.sampled_from([JOB, DUMP]), st.integers(0, 60), st.integers(0, 60))
@settings(deadline=None, max_examples=40)
def test_what_is_mended_needs_no_more(text, first, second):
    lines = text.split("\n")
    for at in {first % len(lines), second % len(lines)}:
        lines[at] = lines[at].replace('"', "", 1)
    made = mend("\n".join(lines))
    if made is not None:
        again = mend(made.text)
        assert again is not None
        assert again.text == made.text
        assert again.mends == ()
