import json
from collections.abc import Callable

import pytest

from bot.evidence import ConfigDocument
from bot.intake.documents.find import Found, find_documents
from bot.intake.documents.page import make_page
from bot.intake.text.clean import clean
from tests.intake.samples import DUMP, JOB, LOG, OOM

JOB_ROOT = ("config", "process", 0)
ROWS = JOB.rstrip("\n").split("\n")
ONE_LINE = json.dumps(json.loads(DUMP))


def find(text: str) -> Found:
    return find_documents(make_page(0, text, clean(text).lines))


def only(text: str) -> ConfigDocument:
    documents = find(text).documents
    assert len(documents) == 1
    document = documents[0]
    if document.verbatim:
        assert text[document.start : document.end] == document.text
    return document


def batch(document: ConfigDocument) -> object:
    data = document.parsed.data
    for part in document.root:
        data = data[part]
    return data["train"]["batch_size"]


def each(change: Callable[[str], str]) -> str:
    return "\n".join(map(change, ROWS)) + "\n"


VERBATIM = {
    "alone": JOB,
    "between prose": f"my 3090 dies, here:\n\n{JOB}\nany idea?\n",
    "glued to prose": f"here is my config\n{JOB[4:]}It dies at the first preview.\n",
    "fenced": f"look\n```yaml\n{JOB}```\nthanks",
    "fence never closed": f"look\n```\n{JOB}",
    "fence on the first line": f"```yaml {JOB}```",
    "one pair of backticks": f"`{JOB.rstrip()}`\nplease help",
    "before an error": JOB + OOM,
    "after an error": f"{OOM}\n{JOB}",
    "indented as a whole": each(lambda row: "      " + row),
    "windows line ends": JOB.replace("\n", "\r\n"),
    "blank lines doubled": JOB.replace("\n", "\n\n"),
    "other scripts inside": JOB.replace(
        "a bench under a pear tree", "\u4e00\u53ea\u732b\uff1a \u201csoft\u201d, \u2014 f\u00fcr \u2026"
    ),
    "a quotation inside": JOB.replace(
        '"a bench under a pear tree"', "|\n              > a bench\n              \u732b under a pear"
    ),
    "byte order mark": "\ufeff" + JOB,
    "shown by cat": f"ann@pod:/w# cat job.yaml\n{JOB}ann@pod:/w# python run.py job.yaml\nKilled\n",
}
MANGLED = {
    "quoted": "you wrote\n" + each(lambda row: "> " + row),
    "docker": each(lambda row: "2026-03-02T09:15:07.4Z " + row),
    "non-breaking spaces": JOB.replace("  ", "\u00a0 "),
    "zero-width": JOB.replace(": ", ":\u200b "),
    "typographic quotes": JOB.replace(' "', " \u201c").replace('"\n', "\u201d\n"),
    "bullets": JOB.replace("- ", "\u2022 "),
    "tabs": each(lambda row: "\t" * ((len(row) - len(row.lstrip())) // 2) + row.lstrip()),
    "indentation lost": each(str.strip),
    "numbered": "\n".join(f"{at:3}  {row}" for at, row in enumerate(ROWS, 1)),
    "bare returns": JOB.replace("\n", "\r"),
    "markdown": JOB.replace("_", "\\_"),
    "html": JOB.replace('"', "&quot;"),
}


@pytest.mark.parametrize("text", VERBATIM.values(), ids=VERBATIM)
def test_a_job_is_found_and_its_text_is_the_persons_own(text: str) -> None:
    document = only(text)
    assert (document.root, document.format, batch(document)) == (JOB_ROOT, "yaml", 3)
    assert document.verbatim
    assert not document.repairs


@pytest.mark.parametrize("text", MANGLED.values(), ids=MANGLED)
def test_a_mangled_job_is_read_and_its_text_is_called_changed(text: str) -> None:
    document = only(text)
    assert (document.root, batch(document)) == (JOB_ROOT, 3)
    assert document.parsed.data["config"]["process"][0]["sample"]["samples"] == [
        {"prompt": "a bench under a pear tree"}
    ]
    assert not document.verbatim


JSON = {
    "alone": DUMP,
    "head of a log": LOG,
    "one line": f"Running 1 job {ONE_LINE} Running  1 process",
    "one line in prose": f"this one: {ONE_LINE} ok?",
    "fence glued on": f"```{DUMP}\n```",
    "language glued on": f"```json{DUMP}```",
    "backtick": f"`Running 1 job\n{DUMP}\nLoading ZImage model`",
    "python": str(json.loads(DUMP)),
}


@pytest.mark.parametrize("text", JSON.values(), ids=JSON)
def test_a_process_is_found_in_json(text: str) -> None:
    document = only(text)
    assert (document.root, document.format, batch(document), document.verbatim) == ((), "json", 3, True)


def test_a_whole_job_in_json() -> None:
    process = {"type": "diffusion_trainer", "train": {"batch_size": 3}, "model": {"arch": "zimage"}}
    document = only(json.dumps({"job": "extension", "config": {"name": "a", "process": [process]}}))
    assert (document.root, batch(document)) == (JOB_ROOT, 3)


@pytest.mark.parametrize("cut", [700, 500, 420])
def test_json_that_is_cut_off_is_read_as_far_as_it_goes(cut: int) -> None:
    document = only(f"{DUMP[:cut]}\nRunning  1 process\nLoading ZImage model\n{OOM}\n")
    assert document.cut
    assert document.parsed.data["datasets"][0]["resolution"] == [512, 896]
    rest = find(f"{DUMP[:cut]}\nRunning  1 process").rest
    assert [line.text for line in rest if line.text] == ["Running  1 process"]


def test_json_without_its_head_gives_the_sections_that_follow() -> None:
    document = only(DUMP[DUMP.index("512,") :])
    assert set(document.parsed.data) == {"train", "model", "sample"}
    assert (
        document.parsed.line_of(("train", "batch_size"))
        == document.text[: document.text.index('"batch_size"')].count("\n") + 1
    )


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("train:\n  batch_size: 4\n", {"train": {"batch_size": 4}}),
        ("    train:\n      batch_size: 4\n", {"train": {"batch_size": 4}}),
        ("train: {batch_size: 4}\n", {"train": {"batch_size": 4}}),
        ('"train": {\n  "batch_size": 4\n},\n', {"train": {"batch_size": 4}}),
        (
            '"train": {"batch_size": 4},\n"model": {"arch": "flux"},',
            {"train": {"batch_size": 4}, "model": {"arch": "flux"}},
        ),
        ('"batch_size": 4,\n"gradient_checkpointing": false,\n', {"batch_size": 4, "gradient_checkpointing": False}),
        (
            "  cache_latents_to_disk: true\n  resolution:\n    - 768\n",
            {"cache_latents_to_disk": True, "resolution": [768]},
        ),
        ("- folder_path: /a\n  resolution: [512]\n", [{"folder_path": "/a", "resolution": [512]}]),
    ],
)
def test_fragments(text: str, data: object) -> None:
    document = only(f"this part\n\n{text}\nis what I changed")
    assert document.parsed.data == data
    assert document.root == ()


def test_a_job_kept_as_a_string_in_a_record() -> None:
    process = {"type": "diffusion_trainer", "train": {"batch_size": 3}, "model": {"arch": "zimage"}}
    job = json.dumps({"job": "extension", "config": {"name": "a", "process": [process]}})
    document = only(json.dumps({"id": "1", "status": "error", "job_config": job}))
    assert (document.root, batch(document), document.verbatim) == (JOB_ROOT, 3, False)


def test_a_process_without_the_job_around_it() -> None:
    document = only("\n".join(ROWS[4:-3]))
    assert (document.root, batch(document)) == (("process", 0), 3)


def test_fragments_of_several_sections_are_brought_together_with_their_line_numbers() -> None:
    text = "first\n\n  train:\n    batch_size: 4\n\nand the model:\n\n    model:\n      arch: flux\n"
    document = only(text)
    assert document.parsed.data == {"train": {"batch_size": 4}, "model": {"arch": "flux"}}
    line = document.parsed.line_of(("model", "arch"))
    assert line is not None
    assert document.line + line - 1 == 9
    assert not document.verbatim


def test_what_is_left_out_in_the_middle_makes_a_cut() -> None:
    document = only("  device: cuda\n  ...\n  train:\n    batch_size: 4\n")
    assert document.cut
    assert document.parsed.data["train"] == {"batch_size": 4}


def test_a_job_that_ends_before_its_model_is_cut() -> None:
    assert only(JOB[: JOB.index("      model:")]).cut
    assert not only(JOB).cut


def test_a_head_torn_off_in_a_line_leaves_the_rest_readable() -> None:
    first, second = (document.parsed.data for document in find(JOB[JOB.index("nts_to_disk") :]).documents[:2])
    assert first == {"resolution": [512, 896]}
    assert set(second) == {"train", "model", "sample"}


def test_one_broken_section_leaves_the_others_readable() -> None:
    found = find(JOB.replace('        type: "lora"', '        type: [{"lora": %'))
    assert {key for document in found.documents for key in document.parsed.data} >= {"train", "model", "sample"}
    assert [key for key, _ in found.notices] == ["config-partly-readable"]
    assert found.notices[0][1]["line"] in range(9, 15)


@pytest.mark.parametrize("between", ["\n", "", "that one worked, this one fails:\n", "---\n"])
def test_two_configs_are_two(between: str) -> None:
    found = find(f"{JOB}{between}{JOB[4:].replace('batch_size: 3', 'batch_size: 5')}")
    assert [batch(document) for document in found.documents] == [3, 5]


@pytest.mark.parametrize(
    "text",
    [
        "Model: Z-Image\nRank: 16\nBatch Size: 3\nResolutions: 512, 768",
        "model: flux dev\nsteps: 3000\nrank: 16",
        "I set low_vram: true, quantize: true, gradient_checkpointing: true",
        "batch_size: 4 is too much",
        "garden_walk:   0%|          | 2/1800 [00:08<1:52:11,  3.74s/it]",
        '"State": {\n    "Status": "exited",\n    "OOMKilled": true\n}',
        "RuntimeError: no\nValueError: none",
        "{loss: 0.3}",
        "a { b",
        OOM,
    ],
)
def test_what_is_no_config(text: str) -> None:
    found = find(text)
    assert not found.documents
    assert [line.text for line in found.rest] == text.split("\n")


def test_another_trainers_json_is_told_but_not_taken() -> None:
    other = {"training_method": "LORA", "model_type": "FLUX_DEV_1", "nested": {"a": 1}}
    found = find(json.dumps(other))
    assert found.documents == ()
    assert found.data == (other,)


def test_comments_around_a_config_are_read_as_what_they_say() -> None:
    found = find(f"# 3060 12GB, win11\n{JOB}# log:\n# Killed\n")
    assert [line.text for line in found.rest if line.text] == ["3060 12GB, win11", "log:", "Killed"]
    assert found.documents[0].text.startswith("# 3060")


def test_banners_below_a_config_stay_banners() -> None:
    banner = "########\n# OOM during training step, skipping batch 1/3 #\n########\n"
    assert [line.text for line in find(JOB + banner).rest if line.text] == banner.strip().split("\n")


def test_comments_inside_a_config_are_nobodys_words() -> None:
    assert not [
        line for line in find(JOB.replace("      train:", "      # 24GB is enough\n      train:")).rest if line.text
    ]


def test_a_repair_is_told_with_its_place() -> None:
    text = "hi\n\n" + JOB.replace('dtype: "bf16"\n        save', 'dtype: "bf16\n        save')
    document = only(text)
    assert [(repair.kind, repair.place.line) for repair in document.repairs] == [("open-quote", 16)]
    assert document.broken is not None
    assert text[document.start : document.end] == document.broken


def test_no_more_documents_than_are_read() -> None:
    found = find("train:\n  batch_size: 1\nthen\n" * 50)
    assert len(found.documents) <= 20
    assert ("too-many-documents", {"most": 20}) in found.notices


def test_what_cannot_be_read_is_said_with_its_line() -> None:
    found = find("hello\n{\n" + '"train": {"steps": ]' * 3 + '\n"model": {\n')
    assert [key for key, _ in found.notices] == ["config-unreadable"]
    assert found.notices[0][1]["line"] in {2, 3, 4}
    assert not find('an error: {"code": ]}\n').notices


def test_what_is_nested_beyond_reason_is_said() -> None:
    assert [key for key, _ in find("hello\n" + '{"train": ' * 80).notices] == ["config-too-large"]
