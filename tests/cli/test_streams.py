"""Standard streams that are full, closed or of another code page: a sentence, the right status, no traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run

ROOT = Path(__file__).parents[2]
PASTE = ROOT / "knowledge" / "examples" / "flux-checkpointing-off.txt"
posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")


def shell(line):
    """A line of the shell with `oom-medic` in it."""
    command = line.replace("oom-medic", f"'{sys.executable}' -m bot").replace("PASTE", f"'{PASTE}'")
    return subprocess.run(
        ["sh", "-c", command], capture_output=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"}
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a device that is always full")
@pytest.mark.parametrize("words", ["diagnose PASTE", "diagnose --format diff PASTE", "faq", "--help"])
def test_an_answer_that_does_not_get_out_is_said(words):
    done = shell(f"oom-medic {words} >/dev/full")
    assert done.returncode == 1
    assert done.stderr.decode().startswith("Error: The answer cannot be written: ")
    assert done.stderr.count(b"\n") == 1


@posix
@pytest.mark.parametrize("words", ["diagnose PASTE", "diagnose --format diff PASTE", "faq"])
def test_who_closes_the_output_wants_none(words):
    done = shell(f"oom-medic {words} >&-")
    assert (done.returncode, done.stderr) == (0, b"")


@posix
@pytest.mark.parametrize("words", ["diagnose", "diagnose -", "ask"])
def test_a_closed_input_is_no_input(words):
    done = shell(f"oom-medic {words} <&-")
    assert done.returncode == 2
    assert b"Error: " in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
@pytest.mark.parametrize("words", [("faq", "--lang", "de"), ("diagnose", "--lang", "it", PASTE), ("settings",)])
def test_letters_that_a_code_page_lacks_do_no_harm(encoding, words):
    assert run(*words, PYTHONIOENCODING=encoding, LC_ALL="C").returncode == 0
