from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.intake.read import Pasted, carry_back, read
from bot.knowledge.load import Knowledge
from tests.intake.samples import DUMP, JOB, LOG, OOM

KNOWLEDGE = Knowledge()
SAMPLES = (JOB, DUMP, LOG, OOM, f"ciao\n```yaml\n{JOB}```\n", "\n".join("> " + row for row in LOG.split("\n")))
BITS = (
    "{", "}", "[", "]", '"', "'", "`", "```", "\r", "\n\n", "> ", "\0", ": ", "- ", "\t", "#", "...", "\\n", "\u201c", "\u200b",
    "&a *a", "|\n", "<hf-token-1>", "/home/ann/", "2026-03-02T09:15:07.4Z ", "main()main()", "[rank0]: ", "%YAML", "? ", "@", "\ufeff",
)  # fmt: skip


def check(data: str | bytes) -> None:
    """Any text gives evidence; a config that is called verbatim is; what is carried back unchanged is the same."""
    pasted = Pasted("x", data)
    evidence = read([pasted], KNOWLEDGE)
    config = evidence.config
    if config is None:
        return
    if config.verbatim:
        assert evidence.sources[0].text[config.start : config.end] == config.text
    back = carry_back(pasted, evidence, config.text if config.broken is None else config.broken)
    assert back is None or back == (data.encode() if isinstance(data, str) else data)
    assert back is not None or not config.verbatim


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=400))
def test_any_text(text: str) -> None:
    check(text)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes(data: bytes) -> None:
    check(data)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(SAMPLES), st.sampled_from(SAMPLES), st.floats(0, 1), st.floats(0, 1))
def test_any_splice(head: str, tail: str, upto: float, since: float) -> None:
    check(head[: int(upto * len(head))] + tail[int(since * len(tail)) :])


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(SAMPLES),
    st.lists(st.tuples(st.floats(0, 1), st.sampled_from(BITS), st.integers(0, 20)), max_size=8),
)
def test_any_damage(text: str, damage: list[tuple[float, str, int]]) -> None:
    for where, bit, gone in damage:
        at = int(where * len(text))
        text = text[:at] + bit + text[at + gone :]
    check(text)


@pytest.mark.parametrize("text", SAMPLES)
def test_prefixes(text: str) -> None:
    for end in Random(len(text)).sample(range(len(text)), 25):
        check(text[:end])
        check(text.encode()[:end])


DEEP = {
    "brackets": "[" * 100_000,
    "braces": '{"train": ' * 50_000,
    "a job of brackets": 'config: {"process": ' + "[" * 100_000,
    "a long list": "train:\n  batch_size: 1\n  steps: [" + "1," * 1_000_000 + "1]",
    "a long block list": "train:\n  batch_size: 1\n  x:\n" + "  - 1\n" * 300_000,
    "aliases": "train:\n  a_0: &a [x,x,x,x,x,x,x,x,x]\n"
    + "".join(f"  a_{at}: &{at} [{','.join(['*' + (str(at - 1) if at > 1 else 'a')] * 9)}]\n" for at in range(1, 10)),
    "keys": "".join(f"batch_size_{at}: 1\n" for at in range(40_000)),
    "configs": "train:\n  batch_size: 1\nthen\n" * 30_000,
    "mail": "".join(f"a{at}@b.com " for at in range(9_000)),
    "dots": "train:\n  batch_size: 1\n" + "...\n" * 50_000,
    "spaces": " " * 2_000_000,
    "quotes": '"' * 1_000_000,
    "fences": "```\n" * 100_000,
    "frames": "9%|\r" * 1_000_000,
    "errors": f"{OOM}\n" * 20_000,
    "nul": "\0" * 1_000_000,
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_nothing_runs_away(text: str) -> None:
    evidence = read([Pasted("x", text)], KNOWLEDGE)
    assert sum(len(source.text) for source in evidence.sources) < 600_000


def test_random_bytes_are_binary() -> None:
    assert read([Pasted("x", Random(7).randbytes(1 << 20))], KNOWLEDGE).notices == (("binary", {"name": "x"}),)
