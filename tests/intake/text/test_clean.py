import json

import pytest

from bot.intake.text.clean import MAX_LINES, clean
from tests.intake.samples import JOB, LOG, OOM

ROWS = LOG.rstrip("\n").split("\n")


def rows(text: str) -> list[str]:
    return [line.text for line in clean(text).lines]


@pytest.mark.parametrize("text", [JOB, LOG, "", "one line", "a\n\nb\n"])
def test_clean_text_passes_as_it_is(text: str) -> None:
    cleaned = clean(text)
    assert "\n".join(line.text for line in cleaned.lines) == text
    assert [line.number for line in cleaned.lines] == list(range(1, text.count("\n") + 2))


PREFIXES = {
    "docker": "2026-03-02T09:15:07.402218340Z ",
    "cri": "2026-03-02T09:15:07.402218340Z stderr F ",
    "compose": "ai-toolkit-1  | ",
    "rank": "[rank0]: ",
    "wandb": "wandb: ",
    "loguru": "2026-03-02 09:15:07.402 | INFO     | __main__:train:88 - ",
    "logging": "2026-03-02 09:15:07,402 - trainer.loop - ERROR - ",
    "level": "[2026-03-02 09:15:07] [WARNING] ",
    "kaggle": "812.4s\t31\t",
    "journald": "Mar  2 09:15:07 box python[4711]: ",
    "quoted": "> ",
    "quoted twice": "> > ",
    "quoted docker rank": "> 2026-03-02T09:15:07.4Z [rank0]: ",
    "powershell": "python : ",
    "bracketed time": "[2026-03-02 09:15:07] ",
    "pod": "[pod/train-0/trainer] ",
    "ray": "(worker pid=77) ",
}


@pytest.mark.parametrize("prefix", PREFIXES.values(), ids=PREFIXES)
def test_what_stands_before_each_line_goes_and_indentation_stays(prefix: str) -> None:
    assert rows("\n".join(prefix + row for row in ROWS)) == ROWS


def test_line_numbers_before_each_line_go() -> None:
    assert rows("\n".join(f"{at:4}  {row}" for at, row in enumerate(ROWS, 1))) == ROWS
    assert rows("\n".join(f"{at}\t{row}" for at, row in enumerate(ROWS, 1))) == ROWS
    numbers = ["1 apple", "2 pears", "7 plums", "and more"]
    assert rows("\n".join(numbers)) == numbers


def test_json_log_records_become_their_lines() -> None:
    records = "\n".join(json.dumps({"log": row + "\n", "stream": "stderr"}) for row in ROWS)
    cleaned = clean(records)
    assert [line.text for line in cleaned.lines] == ROWS
    assert cleaned.lines[5].number == 6


def test_written_out_line_feeds_are_undone() -> None:
    tail = "\n".join(ROWS[-6:])
    cleaned = clean(json.dumps({"error": tail}))
    assert [line.text for line in cleaned.lines] == ROWS[-6:]
    assert {line.number for line in cleaned.lines} == {1}


def test_a_config_in_one_line_of_json_is_no_log_record() -> None:
    text = json.dumps({"job": "extension", "config": {"name": "a"}, "message": "x"})
    assert rows(text) == [text]


@pytest.mark.parametrize(
    ("mangled", "meant"),
    [
        ("name: \u201cgarden\u201d", 'name: "garden"'),
        ("\u00a0\u00a0batch_size:\u00a03", "  batch_size: 3"),
        ("steps:\u200b 10", "steps: 10"),
        ("run.py \u2014low_vram", "run.py --low_vram"),
        ("\u2014", "---"),
        ("\u2022 folder_path: a", "- folder_path: a"),
        ("wait\u2026", "wait..."),
        ("\uff11\uff12\uff27\uff22\uff1a ok", "12GB: ok"),
        ("\x1b[1;31mError\x1b[0m: no", "Error: no"),
        ("[1;31mError[0m: no", "Error: no"),
        ("a[1m] [0] b", "a[1m] [0] b"),
        ("GPU \x01 has a total", "GPU 1 has a total"),
        ("GPU \x00 has a total", "GPU 0 has a total"),
        ("bus error\x00", "bus error"),
        ("&quot;a&quot; &gt; b", '"a" > b'),
    ],
)
def test_characters_are_folded(mangled: str, meant: str) -> None:
    assert rows(mangled) == [meant]


def test_of_frames_between_bare_returns_the_last_stays_with_what_follows() -> None:
    bar = " 1%|#  | {}/9 [00:01<00:09,  1.0s/it]"
    cleaned = clean("start\n" + "\r".join(bar.format(at) for at in range(5)) + f"\rError running job: {OOM}\nend")
    assert [line.text for line in cleaned.lines] == ["start", bar.format(4), f"Error running job: {OOM}", "end"]
    assert [line.number for line in cleaned.lines] == [1, 2, 2, 3]


@pytest.mark.parametrize("ending", ["\r\n", "\r\r\n"])
def test_windows_line_ends(ending: str) -> None:
    assert rows(LOG.replace("\n", ending)) == LOG.split("\n")


def test_blank_lines_between_all_lines_go_and_numbers_stay() -> None:
    cleaned = clean(LOG.replace("\n", "\n\n"))
    assert [line.text for line in cleaned.lines] == ROWS
    assert [line.number for line in cleaned.lines][:3] == [1, 3, 5]


def test_paragraphs_keep_one_blank_line() -> None:
    assert rows("a\n\n\n\nb\nc\nd\ne") == ["a", "", "b", "c", "d", "e"]


def test_a_traceback_written_twice_is_read_once() -> None:
    doubled = [
        "- 512", "- 512",
        "Traceback (most recent call last):", "Traceback (most recent call last):",
        '  File "run.py", line 3, in <module>', '  File "run.py", line 3, in <module>',
        "        main()main()",
        "        raise eraise e",
        "ValueErrorValueError: : no images hereno images here",
        "#########", "#########",
    ]  # fmt: skip
    assert rows("\n".join(doubled)) == [
        "- 512", "- 512",
        "Traceback (most recent call last):", '  File "run.py", line 3, in <module>', "    main()", "    raise e",
        "ValueError: no images here", "#########", "#########",
    ]  # fmt: skip


def test_two_tracebacks_are_not_one_doubled() -> None:
    text = "\n".join([*ROWS[-6:], *ROWS[-6:]])
    assert rows(text) == text.split("\n")


def test_a_traceback_without_line_breaks_gets_them_back() -> None:
    text = " ".join(row.strip() for row in ROWS[-6:]) + " " + "x" * 40
    made = rows(text)
    assert [row.split(",")[0] for row in made if row.startswith("  File")] == [
        '  File "/workspace/ai-toolkit/run.py"',
        '  File "/workspace/ai-toolkit/jobs/process/BaseSDTrainProcess.py"',
    ]
    assert made[-1].startswith("torch.OutOfMemoryError: CUDA out of memory")


def test_a_rich_traceback_is_written_as_python_writes_it() -> None:
    box = [
        "\u256d\u2500\u2500 Traceback (most recent call last) \u2500\u2500\u256e",
        "\u2502 /srv/jobs/process/BaseSDTrainProcess.py:381 in sample      \u2502",
        "\u2570\u2500\u2500\u2500\u2500\u256f",
    ]
    made = rows("\n".join(box))
    assert "Traceback (most recent call last)" in made[0]
    assert made[1] == '  File "/srv/jobs/process/BaseSDTrainProcess.py", line 381, in sample'


def test_numbers_jump_over_what_was_left_out() -> None:
    cleaned = clean("one\ntwo\nninety\nninety-one", gap=8, gap_lines=87)
    assert [line.number for line in cleaned.lines] == [1, 2, 90, 91]


def test_more_lines_than_are_read() -> None:
    cleaned = clean("x\n" * (3 * MAX_LINES))
    assert len(cleaned.lines) == MAX_LINES
    assert cleaned.left_out == 2 * MAX_LINES + 1
    assert cleaned.lines[-2].number == 3 * MAX_LINES
