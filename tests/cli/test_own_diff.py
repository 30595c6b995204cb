"""`--format diff` is for programs: `patch` and `git apply` make of the person's file what --in-place makes of it."""

import shutil
import subprocess

import pytest

from tests.cli.jobs import JOB
from tests.cli.running import run

OFF = "        gradient_checkpointing: false\n"
TOKEN = "hf_" + "aBcDeFgHiJ" * 3 + "1234"
LOG = "step 3 died:\n\nRuntimeError: OOM during training step 3 times in a row\n"
FILES = {
    "plain": JOB,
    "windows": JOB.replace("\n", "\r\n"),
    "no-end": JOB.replace(OFF, "").replace("      train:\n", "      train:\n" + OFF).rstrip("\n"),
    "below-a-log": f"{LOG * 3}\n```yaml\n{JOB}```\nthanks\n",
    "secret-above": JOB.replace(OFF, f"        # {TOKEN}\n{OFF}"),
    "path-below": JOB.replace("Tongyi-MAI/Z-Image-Turbo", "/home/morgan/z-image-turbo"),
    "latin-1": JOB.replace("mine", "m\udcfcde"),
    "marked": "\ufeff" + JOB,
    "unclosed": JOB.replace("name: brass_owl", 'name: "brass_owl'),
}  # fmt: skip
needs_patch = pytest.mark.skipif(not shutil.which("patch"), reason="needs the program patch")
needs_git = pytest.mark.skipif(not shutil.which("git"), reason="needs git")


def written(folder, text, name="my config.yaml"):
    file = folder / name
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    return file


def applied(program, diff, folder):
    done = subprocess.run(program, input=diff, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_patch
@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_patch_makes_of_the_file_what_in_place_makes(text, tmp_path):
    file = written(tmp_path, text)
    diff = run("diagnose", "--format", "diff", file)
    assert (diff.returncode, diff.stderr) == (0, b"")
    assert b"\n-" in diff.stdout
    assert TOKEN.encode() not in diff.stdout
    assert b"morgan" not in diff.stdout
    twin = written(tmp_path, text, "twin.yaml")
    assert run("diagnose", "--in-place", twin).returncode == 0
    applied(["patch", "--binary", "-s"], diff.stdout, tmp_path)
    assert file.read_bytes() == twin.read_bytes() != text.encode("utf-8", "surrogateescape")


@needs_git
@pytest.mark.parametrize("name", ["plain", "windows", "below-a-log", "secret-above"])
def test_git_takes_it_too(name, tmp_path):
    file = written(tmp_path, FILES[name])
    diff = run("diagnose", "--format", "diff", file).stdout
    applied(["git", "-c", "core.autocrlf=false", "apply"], diff, tmp_path)
    assert b"gradient_checkpointing: true" in file.read_bytes()


@needs_patch
def test_beside_something_hidden_it_has_no_context_and_says_so(tmp_path):
    file = written(tmp_path, JOB.replace(OFF, f"{OFF}        # {TOKEN}\n"))
    done = run("diagnose", "--format", "diff", file)
    assert TOKEN.encode() not in done.stdout
    assert b"--unidiff-zero" in done.stderr
    applied(["patch", "-s"], done.stdout, tmp_path)
    assert b"gradient_checkpointing: true" in file.read_bytes()


def test_what_would_steer_a_terminal_is_no_context(tmp_path):
    text = "\x1b]0;mine\x07 OOM on my 3090 in step 1\ntrain:\n  gradient_checkpointing: false\n  optimizer: adamw8bit\n"
    done = run("diagnose", "--format", "diff", written(tmp_path, text))
    assert b"gradient_checkpointing: true" in done.stdout
    assert b"\x1b" not in done.stdout


def test_a_changed_line_that_holds_something_hidden_stays_hidden(tmp_path):
    file = written(tmp_path, JOB.replace(OFF, f"{OFF[:-1]}  # {TOKEN}\n"))
    done = run("diagnose", "--format", "diff", file)
    assert done.returncode == 0
    assert TOKEN.encode() not in done.stdout
    assert b"+        gradient_checkpointing: true" in done.stdout
    assert b"--in-place" in done.stderr


@pytest.mark.parametrize("text", [JOB.encode("utf-16"), "".join(f"> {line}\n" for line in JOB.splitlines()).encode()])
def test_a_file_written_otherwise_is_named(text, tmp_path):
    file = tmp_path / "other.yaml"
    file.write_bytes(text)
    done = run("diagnose", "--format", "diff", file)
    assert b"+        gradient_checkpointing: true" in done.stdout
    assert b"`other.yaml` is written differently" in done.stderr


def test_no_change_is_no_diff_and_a_sentence():
    done = run("diagnose", "--format", "diff", given=b"RuntimeError: CUDA error: out of memory\n")
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"there is no diff" in done.stderr
