"""The README keeps its word: its session is what the command prints, its commands are those there are."""

import re
import subprocess
import sys
from pathlib import Path

import click

from bot.cli import COMMANDS, cli

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PASTE = ROOT / "knowledge" / "examples" / "flux-checkpointing-off.txt"


def test_the_session_is_what_the_command_prints():
    pasted = re.search(r"^````text\n(.*?)^````$", README, re.MULTILINE | re.DOTALL)[1]
    shown = re.search(r"answers:\n\n```text\n(.*?)\n```", README, re.DOTALL)[1].split("[…]")
    assert pasted == PASTE.read_text(encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "bot", "diagnose", "--lang", "en", PASTE], capture_output=True, check=True
    )
    assert len(shown) > 1
    assert all(part.strip() in done.stdout.decode() for part in shown)


def test_every_command_is_described_and_no_other():
    assert set(re.findall(r"`oom-medic ([a-z]+)", README)) == COMMANDS.keys()


def test_the_two_commands_are_there():
    commands = re.findall(r"^python3 -m venv \.venv && .*$", README, re.MULTILINE)
    assert [command.rsplit("&& ", 1)[1] for command in commands] == [
        ".venv/bin/oom-medic demo",
        ".venv/bin/python -m pytest",
    ]
    for command in commands:
        named = re.search(r"-r (\S+)", command)[1]
        assert (ROOT / named).is_file()


def test_every_option_is_one_that_a_command_has():
    named = set(re.findall(r"`(?:oom-medic [a-z]+ )?(--[a-z-]+)", README))
    context = click.Context(cli)
    options = {
        option
        for name in cli.list_commands(context)
        for parameter in cli.get_command(context, name).params
        for option in parameter.opts
    }
    assert len(named) > 8
    assert named <= options
