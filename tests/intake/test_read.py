import pytest

from bot.evidence import Evidence, value
from bot.facts import FACTS
from bot.intake.read import MAX_SOURCES, MAX_TOTAL, Pasted, Told, read
from bot.knowledge.load import Knowledge
from tests.intake.samples import DUMP, JOB, LOG, OOM

KNOWLEDGE = Knowledge()


def paste(*texts: str | bytes, told: Told | None = None) -> Evidence:
    pasted = [Pasted(f"{at}.txt", text) for at, text in enumerate(texts)]
    evidence = read(pasted, KNOWLEDGE, told or Told())
    assert set(evidence.facts) <= set(FACTS)
    return evidence


def said(evidence: Evidence, name: str) -> object:
    return value(evidence.facts, name)


def test_a_log_tells_config_and_crash() -> None:
    evidence = paste(LOG)
    assert evidence.config is not None
    assert evidence.crash is not None
    assert evidence.crash.numbers["tried"] == 3 * 2**29
    assert said(evidence, "tool") == "ai-toolkit"
    assert said(evidence, "train.gradient_checkpointing") is False
    assert said(evidence, "datasets.resolution") == 896
    assert said(evidence, "crash.class") == "vram_oom"
    fact = evidence.facts["train.batch_size"]
    assert (fact.value, fact.origin, fact.path) == (3, "config", "train.batch_size")
    assert fact.place is not None
    assert LOG.split("\n")[fact.place.line - 1].strip() == fact.place.text == '"batch_size": 3,'


def test_several_texts_are_one_case() -> None:
    evidence = paste("my 3060 12GB dies at the first preview", JOB, OOM)
    assert said(evidence, "gpu.name") == "RTX 3060"
    assert evidence.config is not None
    assert evidence.config.source == 1
    assert evidence.crash is not None
    assert evidence.crash.place is not None
    assert evidence.crash.place.source == 2


def test_a_whole_job_outranks_a_dump_and_a_dump_a_fragment() -> None:
    fragment = "train:\n  batch_size: 7\n"
    for texts in ((fragment, DUMP, JOB), (JOB, DUMP, fragment)):
        evidence = paste(*texts)
        assert evidence.config is not None
        assert evidence.config.root == ("config", "process", 0)
        assert len(evidence.others) == 2
    evidence = paste(fragment, DUMP)
    assert evidence.config is not None
    assert evidence.config.format == "json"


def test_of_two_jobs_the_one_that_the_log_names_counts_else_the_last() -> None:
    other = JOB.replace("garden_walk", "river_bank").replace("batch_size: 3", "batch_size: 5")
    bar = "{}:   0%|          | 2/1800 [00:08<1:52:11,  3.74s/it]\n"
    assert said(paste(JOB, other), "train.batch_size") == 5
    assert said(paste(JOB, other, bar.format("garden_walk")), "train.batch_size") == 3


def test_fragments_of_different_sections_add_up() -> None:
    evidence = paste("train:\n  batch_size: 4\n", "model:\n  arch: flux\n  quantize: true\n")
    assert said(evidence, "train.batch_size") == 4
    assert said(evidence, "model.arch") == "flux"
    again = paste("train:\n  batch_size: 4\n", "train:\n  batch_size: 9\n")
    assert said(again, "train.batch_size") == 9


def test_what_is_said_gives_way_to_what_is_written_and_outranks_a_default() -> None:
    assert said(paste(f"batch size: 8\n\n{JOB}"), "train.batch_size") == 3
    without = JOB.replace("        batch_size: 3\n", "")
    evidence = paste(f"Batch Size: 8\n\n{without}")
    assert (said(evidence, "train.batch_size"), said(evidence, "batch_size")) == (8, 8)
    assert evidence.facts["train.batch_size"].origin == "prose"


def test_options_outrank_everything() -> None:
    evidence = paste("my 3060 12GB", OOM, told=Told(gpu="4090", ram_gib=64.0, goal="speed"))
    assert said(evidence, "gpu.name") == "RTX 4090"
    assert said(evidence, "gpu.vram_gib") == 24.0
    assert said(evidence, "host.ram_gib") == 64.0
    assert said(evidence, "goal") == "speed"
    assert evidence.facts["gpu.vram_gib"].origin == "option"
    assert said(paste(OOM, told=Told(vram_gib=11.5)), "gpu.vram_gib") == 11.5


def test_an_unknown_card_is_said() -> None:
    evidence = paste("x", told=Told(gpu="Graphomat 9000"))
    assert ("unknown-gpu", {"name": "Graphomat 9000"}) in evidence.notices


def test_the_errors_own_total_tells_the_card_where_no_name_does() -> None:
    evidence = paste(OOM)
    assert evidence.facts["gpu.vram_gib"].origin == "log"
    assert said(evidence, "gpu.vram_gib") == 16.0
    named = paste("rtx 4060 ti here", OOM)
    assert said(named, "gpu.vram_gib") == 16.0


def test_another_trainers_config_is_never_taken_for_ours() -> None:
    evidence = paste(
        '{"training_method": "LORA", "model_type": "FLUX_DEV_1", "batch_size": 2, "resolution": "768", "optimizer": {}}'
    )
    assert said(evidence, "tool") == "onetrainer"
    assert evidence.config is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Moin, ich versteh es nicht, gestern lief es noch und heute stürzt es ab", "de"),
        ("ciao a tutti, ieri andava e oggi si ferma allo step tre, non capisco", "it"),
        (JOB, None),
    ],
)
def test_the_language_is_that_of_the_prose(text: str, language: str | None) -> None:
    assert paste(f"{text}\n{OOM}").prose_language == language


def test_what_is_hidden_stays_hidden() -> None:
    token = "hf_" + "AbCdEfGhIjKlMnOpQrSt0123456789"
    evidence = paste(f"token {token} in /home/ann/x\n{JOB.replace('garden_walk', token)}")
    assert len(evidence.redactions) == 3
    assert token not in repr(evidence)
    assert "ann/" not in repr(evidence)


def test_a_screenshot_is_said_to_be_one() -> None:
    evidence = paste(b"\x89PNG\r\n\x1a\n" + bytes(500))
    assert evidence.notices == (("image", {"name": "0.txt"}),)


def test_limits_hold_before_work_starts() -> None:
    evidence = paste(*["x"] * (MAX_SOURCES + 5))
    assert len(evidence.sources) == MAX_SOURCES
    assert evidence.notices[0] == ("too-many-sources", {"most": MAX_SOURCES, "given": MAX_SOURCES + 5})
    late = paste(b"a\n" * (MAX_TOTAL // 2 + 1), "train:\n  batch_size: 4\n")
    assert late.config is None
    assert "input-too-large" in [key for key, _ in late.notices]


def test_nothing_pasted() -> None:
    evidence = read([], KNOWLEDGE)
    assert (evidence.config, evidence.crash, evidence.sources) == (None, None, ())
