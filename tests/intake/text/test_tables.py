"""Settings in a table of Markdown."""

from bot.intake.text.clean import clean

TABLE = (
    "my settings\n\n| setting | value |\n|---|:---:|\n| Batch Size | **2** |\n| Frames | 81 | long |\nthen it dies\n"
)


def test_a_row_becomes_a_setting_and_lines_keep_their_number():
    lines = {line.number: line.text for line in clean(TABLE).lines}
    assert lines[5] == "Batch Size: 2"
    assert lines[6] == "Frames: 81, long"
    assert lines[7] == "then it dies"


def test_the_table_of_nvidia_smi_stays():
    smi = "|-------------------------------+----------------------+\n| 30%   45C    P2   320W / 350W |  23900MiB / 24576MiB |\n"
    assert "23900MiB / 24576MiB" in clean(smi).lines[1].text
    assert ": " not in clean(smi).lines[1].text


def test_a_starred_list_may_have_dashes_for_colons():
    assert [line.text for line in clean("* Batch size - 1\n- a dog - watercolour\n").lines][:2] == [
        "* Batch size: 1",
        "- a dog - watercolour",
    ]
