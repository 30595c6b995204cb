import tracemalloc

import pytest

from bot.intake.text.decode import decode, raw_bytes, raw_text
from bot.intake.text.shorten import KEEP
from tests.intake.samples import JOB, OOM

BUDGET = 1 << 24
FRAME = "garden:  {:2}%|###       | {}/90000 [02:11<1:56:10,  3.55s/it]"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_every_encoding_gives_the_text_and_the_same_bytes_back(encoding: str) -> None:
    data = JOB.encode(encoding)
    decoded = decode(data, "job.yaml", BUDGET)
    assert decoded.text.lstrip("\ufeff") == JOB
    assert decoded.encoding is not None
    assert raw_bytes(raw_text(data, decoded.encoding), decoded.encoding) == data


def test_bytes_that_are_no_utf8_are_shown_and_kept() -> None:
    data = "für".encode("cp1252")
    decoded = decode(data, "x", BUDGET)
    assert decoded.text == "für"
    assert raw_bytes(raw_text(data, "utf-8"), "utf-8") == data


def test_bytes_that_are_no_utf8_among_others_that_are() -> None:
    data = "für ".encode("cp1252") + "für".encode()
    assert decode(data, "x", BUDGET).text == "f\ufffdr für"
    assert raw_bytes(raw_text(data, "utf-8"), "utf-8") == data


def test_lone_surrogates_are_replaced_one_for_one() -> None:
    assert decode("a\ud800b", "x", BUDGET).text == "a\ufffdb"


@pytest.mark.parametrize(
    ("data", "notice"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "image"),
        (b"PK\x03\x04" + bytes(100), "binary"),
        (bytes(range(256)) * 40, "binary"),
    ],
)
def test_what_is_no_text_is_named(data: bytes, notice: str) -> None:
    decoded = decode(data, "upload", BUDGET)
    assert decoded.text == ""
    assert decoded.notices == ((notice, {"name": "upload"}),)


def test_a_stray_nul_makes_no_binary_of_a_log() -> None:
    assert OOM in decode(f"bus error\0\n{OOM}\n".encode(), "log.txt", BUDGET).text


def test_of_a_large_text_both_ends_are_kept_and_the_lines_between_counted() -> None:
    rows = [f"row {number}" for number in range(120_000)]
    decoded = decode("\n".join(rows), "log.txt", BUDGET)
    assert decoded.gap is not None
    assert decoded.text.startswith("row 0\n")
    assert decoded.text.endswith("row 119999")
    assert not decoded.whole
    shown = decoded.text[: decoded.gap].count("\n")
    assert decoded.text[decoded.gap :].split("\n")[0] == f"row {shown + decoded.gap_lines}"
    assert decoded.notices[0][0] == "middle-left-out"


@pytest.mark.parametrize("as_bytes", [False, True])
def test_a_days_progress_bar_is_collapsed_and_nothing_else_goes(as_bytes: bool) -> None:
    frames = "\r".join(FRAME.format(at % 100, at) for at in range(20_000))
    text = f"Loading ZImage model\n{frames}Error running job: {OOM}\n" * 2
    data = text.encode() if as_bytes else text
    decoded = decode(data, "log.txt", BUDGET)
    assert decoded.gap is None
    assert decoded.text.count("\n") == text.count("\n")
    assert decoded.text.count(OOM) == 2
    assert "19999/90000" in decoded.text
    assert len(decoded.text) < len(text) // 20


def test_lines_ended_by_bare_returns_are_no_frames() -> None:
    text = "\r".join(f"line {number} of a log" for number in range(40_000))
    decoded = decode(text, "log.txt", BUDGET)
    assert "line 100 of" in decoded.text
    assert decoded.text.endswith("line 39999 of a log")


def test_the_caps_hold_for_any_content() -> None:
    for unit in ("\n", "\r", "\r\n", "x", "9%|\r", "9%|\rx\r"):
        decoded = decode(unit * (3 * KEEP), "x", BUDGET)
        assert len(decoded.text) <= 3 * KEEP


def test_reading_eight_mebibytes_takes_little_memory() -> None:
    data = ("\r".join(FRAME.format(at % 100, at) for at in range(140_000)) + f"\n{OOM}\n").encode()
    tracemalloc.start()
    try:
        decode(data, "log.txt", BUDGET)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < len(data)
