"""What a reply says, in which order, and that nothing in it can be forged by a paste."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.diagnosis import Citation, Diagnosis, Finding, PathPatch, Skipped, Step
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import locale_tags
from bot.reply import compose, markdown, terminal, text

KNOWLEDGE = Knowledge()
TAGS = locale_tags(KNOWLEDGE.folder)
LOCALES = {tag: KNOWLEDGE.locale(tag) for tag in TAGS}
DIFF = "--- config.yaml\n+++ config.yaml\n@@ -1,2 +1,2 @@\n train:\n-  gradient_checkpointing: false\n+  gradient_checkpointing: true\n"


def step(rule, lever, *, now=False, patches=(), **values):
    return Step(lever, rule, "safe", now, tuple(PathPatch(*patch) for patch in patches), values=values)


def diagnosis(**changes):
    made = {
        "locale": "en",
        "source_tool": "ai-toolkit",
        "problem": {"class": "vram_oom", "phase": "train", "confidence": "high"},
        "model": {"arch": "zimage:turbo", "family": "z-image", "kind": "image"},
        "hardware": {"gpu": "RTX 3060", "vram_gib": 12.0, "ram_gib": None},
        "outcome": "train-out-of-memory",
        "findings": (
            Finding("gradient-checkpointing-off", "error", (Citation(0, 31, "gradient_checkpointing: false"),)),
            Finding("top-bucket", "warning", (Citation(0, 20, "resolution:"),)),
        ),
        "steps": (
            step("gradient-checkpointing-off", "gradient_checkpointing", now=True,
                 patches=[("config.process[0].train.gradient_checkpointing", False, True)], old=False, new=True),
            step("batch-size-above-floor", "batch_size", patches=[("config.process[0].train.batch_size", 4, 2)], old=4, new=2),
        ),
        "skipped": (Skipped("cache_latents", "vae-on-gpu", "already-cached"), Skipped("num_frames", "frames", "not-video")),
        "diff": DIFF,
        "crash": None,
        "memory": None,
        "redactions": 0,
        "values": {"train.gradient_checkpointing": False, "batch_size": 4, "datasets.resolution": 1024, "crash.step": 37},
    }  # fmt: skip
    return Diagnosis(**{**made, **changes})


def kinds(reply):
    return [block.kind for block in reply.blocks]


@pytest.mark.parametrize("tag", TAGS)
def test_order_and_the_persons_own_values(tag):
    reply = compose(diagnosis(), LOCALES[tag])
    assert kinds(reply) == ["cause", "change", "diff", "rerun", "next", "skipped", "findings"]
    cause = reply.block("cause").paragraphs[0]
    assert "`gradient_checkpointing: false`" in cause.split(". ")[0]
    assert all(value in cause for value in ("37", "4", "1024"))
    assert "31" in reply.block("cause").items[0]
    assert reply.block("diff").code == DIFF
    assert "Z-Image" in reply.title
    assert "RTX 3060 (12 GiB)" in reply.title


def test_change_says_what_why_cost_and_where():
    block = compose(diagnosis(), LOCALES["en"]).block("change")
    assert block.title == "Turn gradient checkpointing back on"
    assert [paragraph.split(" ")[0] for paragraph in block.paragraphs] == ["With", "Cost:", "Where:"]


def test_further_steps_are_one_line_each_unless_all_are_wanted():
    short = compose(diagnosis(), LOCALES["en"]).block("next")
    long = compose(diagnosis(), LOCALES["en"], all_steps=True).block("next")
    assert short.items == ("Lower the batch size from 4 to 2",)
    assert long.items[0].startswith("Lower the batch size from 4 to 2. ")
    assert "Where: Training panel" in long.items[0]


def test_without_a_config_there_are_lines_to_paste():
    lone = step("top-bucket-unseen", "top_bucket", now=True, patches=[
        ("datasets[0].resolution", None, [512, 768]), ("train.optimizer", None, "adamw8bit"), ("model.qtype", None, "uint3|a/b"),
    ])  # fmt: skip
    reply = compose(diagnosis(steps=(lone,), diff=None), LOCALES["de"])
    assert reply.block("snippet").code == (
        "datasets:\n  - resolution: [512, 768]\ntrain:\n  optimizer: adamw8bit\nmodel:\n  qtype: 'uint3|a/b'\n"
    )
    assert "datasets:, train:, model:" in reply.block("snippet").paragraphs[0]


def test_a_refused_edit_says_why():
    refused = step(
        "top-bucket", "top_bucket", now=True, patches=[("datasets[0].resolution", None, 512)], refused="alias"
    )
    reply = compose(diagnosis(steps=(refused,), diff=None), LOCALES["en"])
    assert "alias" in reply.block("snippet").paragraphs[0]


@pytest.mark.parametrize("tag", TAGS)
def test_speed_gets_the_four_ways_in_order_and_the_conditions(tag):
    reply = compose(diagnosis(values={"goal": "speed"}), LOCALES[tag])
    ways, off = reply.of("speed")
    panels = ["Sample", "Training", "Datasets", "low_vram"]
    assert len(ways.items) == 4
    assert all(panel in item for panel, item in zip(panels, ways.items, strict=True))
    assert ways.numbered
    assert len(off.items) == 6


@pytest.mark.parametrize("tag", TAGS)
def test_other_trainers_get_their_own_settings_and_no_diff(tag):
    reply = compose(diagnosis(source_tool="musubi-tuner", diff=None), LOCALES[tag])
    said = text.render(reply)
    assert "diff" not in kinds(reply)
    assert "snippet" not in kinds(reply)
    assert "--gradient_checkpointing" in said
    assert "musubi-tuner" in reply.block("tool").paragraphs[0]
    assert "Show Advanced" not in said


def test_other_trainers_are_asked_for_their_own_files():
    more = step("say-more", "ask", now=True)
    said = text.render(
        compose(diagnosis(source_tool="onetrainer", steps=(more,), diff=None, outcome="untold"), LOCALES["en"])
    )
    assert "Show Advanced" not in said
    assert "log.txt" not in said


def test_a_known_bad_build_is_named_once():
    pinned = step("update-known-bad-build", "update_toolkit", now=True)
    found = Finding("update-known-bad-build", "error")
    values = {"builds": ("pinned-memory-leak-while-quantizing",)}
    reply = compose(
        diagnosis(steps=(pinned,), findings=(found,), diff=None, outcome="pinned-memory", values=values), LOCALES["en"]
    )
    assert "933ca1c5" in reply.block("cause").paragraphs[1]
    assert LOCALES["en"].text("rules.update-known-bad-build.finding") not in text.render(reply)


def test_estimate_savings_and_fit_are_said_in_the_language():
    saving = Step("top_bucket", "top-bucket", "quality", now=True, saves_gib=2.96, fits="tight")
    peaks = {"load": 7.25, "train": 13.1, "sample": None}
    memory = {
        "parts": {}, "peak_gib": peaks, "error": 0.1, "basis": "x", "verdict": {"load": "fits", "train": "no"},
        "all_parts": {"train": {"base": 11.0, "activations": 2.1}},
    }  # fmt: skip
    reply = compose(diagnosis(steps=(saving,), memory=memory, diff=None), LOCALES["de"])
    assert "3 GiB" in " ".join(reply.block("change").paragraphs)
    said = reply.block("memory").items
    assert said[:2] == (
        "Laden: etwa 7,2 GiB (passt)",
        "Trainings-Step: etwa 13,1 GiB (passt nicht). Das meiste davon: Modellgewichte 11 GiB.",
    )
    assert "10" in said[-1]


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("fits", ["fits", "tight", "no", None])
def test_every_verdict_on_a_step_has_words(tag, fits):
    steps = [
        Step("batch_size", "batch-size-above-floor", "safe", now, values={"new": 1}, saves_gib=1.5, fits=fits)
        for now in (True, False)
    ]
    reply = compose(diagnosis(steps=tuple(steps), diff=None), LOCALES[tag])
    assert "GiB" in " ".join(reply.block("change").paragraphs)
    assert "GiB" in reply.block("next").items[0]


@pytest.mark.parametrize(("saves", "said"), [(2.0, True), (400.0, False)])
def test_no_saving_is_larger_than_the_card(saves, said):
    saving = Step(
        "gradient_checkpointing", "gradient-checkpointing-off", "safe", now=True, saves_gib=saves, fits="tight"
    )
    later = Step(
        "batch_size", "batch-size-above-floor", "safe", now=False, values={"new": 1}, saves_gib=saves, fits="fits"
    )
    reply = compose(diagnosis(steps=(saving, later), diff=None), LOCALES["en"])
    assert ("GiB" in " ".join(reply.block("change").paragraphs)) is said
    assert ("GiB" in reply.block("next").items[0]) is said
    assert "just enough" in " ".join(reply.block("change").paragraphs)


@pytest.mark.parametrize(
    ("smallest", "said"),
    [
        (["gradient-checkpointing-off"], None),
        (["gradient-checkpointing-off", "batch-size-above-floor"], "this change and step 1 together"),
        (
            ["gradient-checkpointing-off", "top-bucket", "batch-size-above-floor"],
            "this change and steps 1 + 2 together",
        ),
        (["top-bucket", "batch-size-above-floor"], "it takes steps 1 + 2 together"),
        (["gradient-checkpointing-off", "not-among-the-steps"], None),
    ],
)
def test_which_steps_fit_together_is_said_by_their_numbers(smallest, said):
    steps = (*diagnosis().steps, step("top-bucket", "top_bucket"))
    memory = {"peak_gib": {}, "error": 0.1, "verdict": {}, "smallest_set": smallest}
    paragraphs = compose(diagnosis(steps=steps, memory=memory), LOCALES["en"]).block("next").paragraphs
    assert [said in paragraph for paragraph in paragraphs if "By the estimate" in paragraph] == [True] * bool(said)


def test_what_the_cause_says_is_not_found_once_more():
    held = Finding("other-process-on-gpu", "error", (), {"crash.others_gib": 5.0, "crash.total_gib": 24.0})
    counted = Finding("batch-size-above-floor", "warning", (), {"batch_size": 4})
    cards = Finding("gpus-do-not-pool", "info", (), {"gpu.count": 4})
    values = {**diagnosis().values, "crash.others_gib": 5.0, "crash.total_gib": 24.0}
    reply = compose(diagnosis(findings=(held, counted, cards), values=values, outcome="gpu-shared"), LOCALES["en"])
    assert [item[:7] for item in reply.block("findings").items] == ["Batch s", "4 cards"]
    reply = compose(diagnosis(findings=(counted, cards)), LOCALES["en"])
    assert [item[:7] for item in reply.block("findings").items] == ["4 cards"]


def test_another_model_is_not_the_same_job_started_again():
    smaller = step("smaller-model", "smaller_model", now=True)
    assert compose(diagnosis(steps=(smaller,), diff=None), LOCALES["en"]).block("rerun") is None


def test_speed_is_compared_by_the_step_and_named_in_the_title():
    problem = {"class": "none", "phase": "plan", "confidence": "high"}
    reply = compose(diagnosis(problem=problem, outcome="faster", values={"goal": "speed"}), LOCALES["en"])
    assert reply.title.startswith("Faster training")
    assert "seconds per step" in reply.block("rerun").paragraphs[0]


def test_a_wished_size_is_not_said_of_the_card():
    asked = diagnosis(
        hardware={"gpu": "RTX 5090", "vram_gib": 16.0, "ram_gib": None}, values={"gpu.target_vram_gib": 16.0}
    )
    assert compose(asked, LOCALES["en"]).title.endswith("Z-Image · 16 GiB")


def test_no_estimate_where_memory_is_not_the_matter():
    memory = {"peak_gib": {"load": 7.0}, "error": 0.1, "verdict": {}}
    problem = {"class": "not_memory", "phase": "load", "confidence": "high"}
    assert (
        compose(diagnosis(problem=problem, memory=memory, outcome="fault-install"), LOCALES["en"]).block("memory")
        is None
    )


def test_repairs_notices_and_redactions_are_noted():
    repairs = ({"kind": "tab", "line": 7, "text": "\tx"}, {"kind": "of-tomorrow", "line": 9, "text": ""})
    notices = (("image", {"name": "shot.png"}), ("of-tomorrow", {}))
    items = compose(diagnosis(repairs=repairs, notices=notices, redactions=2), LOCALES["en"]).block("notes").items
    assert [
        word in item for word, item in zip(["Line 7", "Line 9", "`shot.png`", "2 private"], items, strict=True)
    ] == [True] * 4


def test_what_a_parser_says_is_put_into_words():
    said = {"line": 4, "text": 'path: "C:\\Users"', "problem": "found unknown escape character"}
    notices = (("config-unreadable", said), ("config-unreadable", {**said, "problem": "of tomorrow"}),
               ("config-too-large", {"limit": "depth", "allowed": 60}))  # fmt: skip
    items = compose(diagnosis(notices=notices), LOCALES["de"]).block("notes").items
    assert "Zeile 4" in items[0]
    assert "Backslash" in items[0]
    assert "Einrückung" in items[1]
    assert "60 Ebenen" in items[2]


@pytest.mark.parametrize("tag", TAGS)
def test_every_outcome_of_the_tree_has_a_cause_without_any_value(tag):
    for name, node in KNOWLEDGE.tree.nodes.items():
        if node.ladder:
            reply = compose(diagnosis(outcome=name, findings=(), values={}), LOCALES[tag])
            assert len(reply.block("cause").paragraphs[0]) > 20, name
            assert "{" not in text.render(reply).replace(DIFF, ""), name


HOSTILE = st.text(alphabet=st.sampled_from("`*_~|<>@#[]()\\/:{}\n\r\x1b\u202e x1é"), max_size=60)


@settings(max_examples=60, deadline=None)
@given(HOSTILE, HOSTILE)
def test_pasted_text_stays_text_in_markdown(value, line):
    found = Finding("key-without-effect", "warning", (Citation(0, 3, line),), {"config.misplaced": (value,)})
    reply = compose(
        diagnosis(findings=(found,), diff=f"+ {line} ```\n", values={"config.misplaced": (value,)}), LOCALES["en"]
    )
    shown = markdown.render(reply)
    assert shown.count("```") == 2
    prose = re.sub(r"`[^`\n]*`", "", re.sub(r"```.*?```", "", shown, flags=re.DOTALL))
    assert "`" not in prose
    assert "://" not in prose
    assert not re.search("@(?!\u200b)", prose)
    assert not re.search(r"(?<!\\)[<*_~|]", prose.replace("**", ""))
    assert "[" not in prose.replace("\\[", "")
    assert "\x1b" not in shown
    assert "\r" not in shown


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("a *b* _c_ `d_e*` <@1>", r"a \*b\* \_c\_ `d_e*` \<@" + "\u200b" + r"1\>"),
        ("see https://x.example", "see https:\u200b//x.example"),
        ("one ` alone", "one ' alone"),
    ],
)
def test_inline_markdown(written, shown):
    assert markdown.inline(written) == shown


def test_plain_text_has_no_escapes_and_wraps_where_told():
    reply = compose(diagnosis(diff="+ \x1b[31mred\n"), LOCALES["en"])
    plain = text.render(reply)
    assert "\x1b" not in plain
    assert max(map(len, text.render(reply, width=60).splitlines())) <= 60


def test_terminal_colours_only_where_allowed(monkeypatch):
    reply = compose(diagnosis(), LOCALES["en"])
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[32m+  gradient_checkpointing: true" in terminal.render(reply)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in terminal.render(reply)


@pytest.mark.parametrize(("tag", "title"), [("en", "It runs"), ("de", "Es läuft"), ("it", "Funziona")])
def test_an_outcome_may_have_a_title_of_its_own(tag, title):
    assert compose(diagnosis(outcome="solved"), LOCALES[tag]).title.startswith(title)


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize(("offered", "box"), [("hidden", False), ("read", True)])
def test_a_switch_that_the_form_hides_is_set_in_the_editor(tag, offered, box):
    lone = step("low-vram-unseen", "low_vram", now=True)
    said = (
        compose(diagnosis(steps=(lone,), values={"arch.low_vram": offered}), LOCALES[tag])
        .block("change")
        .paragraphs[-1]
    )
    assert "Show Advanced → `model:` → `low_vram: true`" in said
    assert ("Options → Low VRAM" in said) is box
