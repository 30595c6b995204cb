"""The command as people run it: a process of its own, its output, its exit status, and what it leaves on disk."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli.refuse import Refused
from bot.cli.write import check_targets, replace_file
from bot.knowledge.load import Knowledge
from bot.reply.asking import follow, question
from tests.cli.jobs import JOB
from tests.cli.running import run

EXAMPLES = Path(__file__).parents[2] / "knowledge" / "examples"
GERMAN = EXAMPLES / "z-image-checkpointing-aus.txt"
FIXED = JOB.replace("gradient_checkpointing: false", "gradient_checkpointing: true")


def said(done):
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


@pytest.fixture
def config(tmp_path):
    file = tmp_path / "config.yaml"
    file.write_bytes(JOB.replace("\n", "\r\n").encode())
    return file


def test_json_is_one_object_of_the_contract():
    verdict = json.loads(said(run("diagnose", "--format", "json", GERMAN)))
    assert verdict["schema"] == "oom-medic/diagnosis/1"
    assert verdict["locale"] == "de"
    assert verdict["problem"]["class"] == "vram_oom"
    assert [step["lever"] for step in verdict["steps"] if step["now"]] == ["gradient_checkpointing"]


def test_plain_text_in_a_pipe():
    shown = said(run("diagnose", GERMAN, TERM="xterm-256color"))
    assert shown.startswith("OOM-Absturz")
    assert "\x1b" not in shown
    assert "+        gradient_checkpointing: true" in shown


def test_standard_input_with_and_without_a_dash():
    given = GERMAN.read_bytes()
    piped = said(run("diagnose", given=given))
    assert piped == said(run("diagnose", "-", given=given))
    assert "stdin" in piped


def test_options_state_facts_and_language():
    words = ("--gpu", "4090", "--vram", "24GB", "--ram", "64", "--goal", "speed", "--lang", "it", "--format", "json")
    verdict = json.loads(said(run("diagnose", *words, given=b"train:\n  batch_size: 4\n")))
    assert verdict["hardware"] == {"gpu": "RTX 4090", "vram_gib": 24.0, "ram_gib": 64.0}
    assert verdict["locale"] == "it"
    assert verdict["values"]["goal"] == "speed"


def test_without_prose_the_terminals_language():
    given = b"train:\n  gradient_checkpointing: false\n  batch_size: 4\n"
    assert json.loads(said(run("diagnose", "--format", "json", given=given, LC_ALL="de_AT.UTF-8")))["locale"] == "de"
    assert json.loads(said(run("diagnose", "--format", "json", given=given, LC_ALL="xx")))["locale"] == "en"


@pytest.mark.parametrize(
    "words",
    [
        ("diagnose", "no-such-file.yaml"),
        ("diagnose", EXAMPLES),
        ("diagnose", "-", "-"),
        ("diagnose", ""),
        ("diagnose", "--apply", "", GERMAN),
        ("diagnose", "--gpu", "Banana"),
        ("estimate", "--gpu", "Banana"),
        ("diagnose", "--lang", "tlh", GERMAN),
        ("diagnose", "--vram", "a lot", GERMAN),
        ("diagnose", "--vram", "nan", GERMAN),
        ("diagnose", "--format", "xml", GERMAN),
        ("diagnose", "--apply", GERMAN, GERMAN),
        ("diagnose", "--apply", "x.yaml", "--in-place", GERMAN),
        ("diagnose", "--in-place", "-"),
        ("no-such-command",),
    ],
)
def test_words_that_are_off_end_with_2_and_one_sentence(words):
    done = run(*words, given=b"")
    assert done.returncode == 2
    assert done.stdout == b""
    assert b"Traceback" not in done.stderr
    assert b"Error: " in done.stderr


def test_refusals_speak_the_language_asked_for_or_the_terminals():
    assert "gibt es hier nicht" in run("diagnose", "fehlt.yaml", LC_ALL="de_DE.UTF-8").stderr.decode()
    asked = run("diagnose", "manca.yaml", "--lang", "IT", LC_ALL="de_DE.UTF-8")
    assert asked.stderr.decode().startswith("Errore: Qui non c'è")


def test_help_names_the_languages_of_the_knowledge_in_force(tmp_path):
    shutil.copytree(EXAMPLES.parent, tmp_path / "own")
    (tmp_path / "own" / "locales" / "it.yaml").rename(tmp_path / "own" / "locales" / "fr.yaml")
    assert "--lang auto|en|de|it" in said(run("diagnose", "--help"))
    assert "--lang auto|en|de|fr" in said(run("diagnose", "--help", OOM_MEDIC_KNOWLEDGE=str(tmp_path / "own")))


def test_apply_writes_the_persons_own_bytes_elsewhere(config, tmp_path):
    out = tmp_path / "fixed.yaml"
    done = run("diagnose", "--apply", out, "--format", "diff", config)
    assert "+        gradient_checkpointing: true" in said(done)
    assert out.read_bytes() == FIXED.replace("\n", "\r\n").encode()
    assert config.read_bytes() == JOB.replace("\n", "\r\n").encode()
    assert "fixed.yaml" in done.stderr.decode()


def test_apply_overwrites_only_when_forced(config, tmp_path):
    out = tmp_path / "kept.yaml"
    out.write_text("mine")
    assert run("diagnose", "--apply", out, config).returncode == 2
    assert out.read_text() == "mine"
    assert run("diagnose", "--apply", out, "--force", config).returncode == 0
    assert b"gradient_checkpointing: true" in out.read_bytes()


def test_in_place_twice_changes_nothing_more(config):
    config.chmod(0o640)
    assert run("diagnose", "--in-place", config).returncode == 0
    once = config.read_bytes()
    assert once == FIXED.replace("\n", "\r\n").encode()
    assert config.stat().st_mode & 0o777 == 0o640
    assert list(config.parent.iterdir()) == [config]


@pytest.mark.parametrize("words", [("--in-place",), ("--apply", "out.yaml"), ("--format", "diff")])
def test_of_two_configs_the_one_left_alone_is_named(config, tmp_path, words):
    (tmp_path / "a").mkdir()
    other = tmp_path / "a" / "config.yaml"
    other.write_text(JOB, encoding="utf-8")
    done = run("diagnose", *words, config, other, folder=tmp_path)
    assert done.returncode == 0
    changed, left = (config, other) if str(other) in done.stderr.decode().split("Not changed: ")[1] else (other, config)
    assert left.read_bytes().replace(b"\r", b"") == JOB.encode()
    if words == ("--in-place",):
        assert f"Written: {changed}" in done.stderr.decode()
        assert b"gradient_checkpointing: true" in changed.read_bytes()


def test_a_file_that_may_not_be_written_stays(tmp_path, monkeypatch):
    target = tmp_path / "mine.yaml"
    target.write_text("mine")
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(PermissionError):
        replace_file(target, b"other")
    assert target.read_text() == "mine"


def test_nothing_to_apply_writes_nothing(tmp_path):
    out = tmp_path / "out.yaml"
    done = run("diagnose", "--apply", out, given=b"RuntimeError: CUDA error: out of memory\n")
    assert done.returncode == 0
    assert not out.exists()
    assert b"nothing was written" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a device that is always full")
def test_unwritable_place_is_said(config):
    done = run("diagnose", "--apply", "/dev/full", "--force", config)
    assert done.returncode == 2
    assert b"cannot be written" in done.stderr


def test_a_folder_that_may_not_be_looked_into_is_said(tmp_path, monkeypatch):
    allowed = Path.is_dir

    def denied(self, **options):
        if self.name == "x.yaml":
            raise PermissionError(errno.EACCES, "Permission denied")
        return allowed(self, **options)

    monkeypatch.setattr(Path, "is_dir", denied)
    with pytest.raises(Refused, match="Permission denied"):
        check_targets((), str(tmp_path / "x.yaml"), in_place=False, force=False)


@pytest.mark.parametrize(
    ("out", "said"), [("no/such/out.yaml", b"does not exist"), (".", b"is a folder"), ("", b"is empty")]
)
def test_a_place_that_cannot_be_is_refused_before_any_work(config, out, said):
    done = run("diagnose", "--apply", out, config)
    assert done.returncode == 2
    assert done.stdout == b""
    assert said in done.stderr


@pytest.mark.parametrize("command", ["diagnose", "estimate"])
@pytest.mark.parametrize("given", [b"\x00\x01\x02" * 500, b"\x89PNG\r\n\x1a\n", b"PK\x03\x04"])
def test_what_is_no_text_ends_with_2_and_a_sentence(command, given, tmp_path):
    done = run(command, given=given)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"`stdin` is " in done.stderr
    picture = tmp_path / "shot.png"
    picture.write_bytes(given)
    assert "shot.png" in said(run("diagnose", picture, GERMAN))  # what else was given is answered


@pytest.mark.parametrize("given", [b"", b" \n", b"\xff\xfe", b"\xef\xbb\xbf", "\ufeff\u200b\n".encode("utf-16")])
def test_nothing_to_read_is_said(given):
    assert "`stdin` is empty" in said(run("diagnose", given=given))


def test_letters_of_any_encoding_are_read():
    assert "empty" not in said(run("diagnose", given="hi".encode("utf-16")))


def test_a_closed_pipe_is_quiet():
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as gone:
        done = subprocess.run([sys.executable, "-m", "bot", "faq"], stdout=gone, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 0
    assert done.stderr == b""


def test_faq_lists_and_answers():
    listed = said(run("faq"))
    assert "two-gpus" in listed
    assert said(run("faq", "posso usare due GPU insieme?")).startswith("Due GPU")
    assert said(run("faq", "--lang", "de", "two-gpus")).startswith("Können zwei GPUs")
    assert "two-gpus" in said(run("faq", "hello", "there"))


def test_ask_walks_to_an_answer():
    wanted = ["out-of-memory", "training", "is-off", "is-more", "is-1024", "images"]
    knowledge, typed = Knowledge(), ["nonsense", "99", "0"]
    for length, choice in enumerate(wanted):
        asked = question(knowledge, knowledge.locale("en"), follow(knowledge, wanted[:length]))
        number = str(1 + [answer for answer, _ in asked.answers].index(choice))
        typed += [number] if length else [number, "0", number]  # the first answer is taken back and given again
    assert "gradient_checkpointing: true" in said(run("ask", "--lang", "en", given="\n".join(typed).encode()))


def test_ask_says_that_the_input_ended():
    done = run("ask", "--lang", "de", given=b"1\n")
    assert done.returncode == 2
    assert "Fehler: Die Eingabe endete" in done.stderr.decode()
    assert "Aborted" not in done.stderr.decode()


def test_ask_stops_when_told():
    assert run("ask", given=b"q\n").returncode == 0


def test_demo_answers_three_cases_in_three_languages():
    shown = said(run("demo"))
    assert [shown.count(word) for word in ("OOM crash", "OOM-Absturz", "Crash OOM")] == [1, 1, 1]
    assert shown.count("--- ") == shown.count("+++ ") == 3


def test_knowledge_check_looks_at_the_folder_one_stands_beside(tmp_path, monkeypatch):
    here = str(EXAMPLES.parents[1])
    shutil.copytree(EXAMPLES.parent, tmp_path / "knowledge")
    words = tmp_path / "knowledge" / "locales" / "de.yaml"
    words.write_text(words.read_text("utf-8").replace("name: Festplatte voll", "nam: Festplatte voll"), "utf-8")
    monkeypatch.chdir(tmp_path)
    done = run("knowledge", "check", PYTHONPATH=here)
    assert done.returncode == 1
    assert "classes.disk_full.nam" in done.stdout.decode()
    assert run("knowledge", "check", EXAMPLES.parent, PYTHONPATH=here).returncode == 0


def test_own_knowledge_that_is_broken_is_told_by_its_file(tmp_path):
    shutil.copytree(EXAMPLES.parent, tmp_path / "own")
    batch = tmp_path / "own" / "rules" / "batch.yaml"
    batch.write_text(batch.read_text("utf-8") + "  bogus: [\n", "utf-8")
    for folder, said in (("own", "rules/batch.yaml:"), ("none", "no such folder")):
        done = run("diagnose", "-", given=b"oom at step 3", OOM_MEDIC_KNOWLEDGE=str(tmp_path / folder))
        assert (done.returncode, said in done.stderr.decode()) == (1, True)
        assert "Traceback" not in done.stderr.decode()


def test_knowledge_check_is_quiet_about_sound_knowledge():
    done = run("knowledge", "check")
    assert done.returncode == 0, done.stdout.decode()
    assert b"in order" in done.stdout


@pytest.mark.parametrize("group", [(), ("cases",), ("cases", "move"), ("knowledge",)])
def test_help_lists_each_command_in_a_whole_sentence(group):
    listed = said(run(*group, "--help")).partition("Commands:")[2].splitlines()[1:]
    assert listed
    assert all(line.endswith((".", ").")) and not line.endswith("...") for line in listed)


def test_version():
    assert said(run("--version")).startswith("oom-medic, version ")


def test_works_from_any_directory(tmp_path):
    source = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "bot", "faq", "two-gpus"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(source)}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0


@pytest.mark.parametrize("command", [("diagnose", str(GERMAN)), ("diagnose", "--format", "json", str(GERMAN))])
def test_diagnose_leaves_the_heavy_parts_alone(command):
    code = (
        "import sys\nfrom bot.cli import cli\n"
        f"cli({list(command)!r}, standalone_mode=False)\n"
        "loaded = {'discord', 'sqlite_utils', 'rich', 'torch', 'jinja2', 'numpy'} & sys.modules.keys()\n"
        "print(sorted(loaded), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stderr.decode().strip() == "[]"
