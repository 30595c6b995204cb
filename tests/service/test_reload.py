"""Knowledge put in force while the bot runs: all of it at once, or nothing."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pastes import config, fenced
from standin.acting import text_of
from standin.world import ADMIN, SEND, User

from bot.knowledge.folder import data_folder

OLD, NEW = "Turn gradient checkpointing back on", "Checkpointing has to be on again"


@pytest.fixture
def stage(shared):
    """The bot, with knowledge/ in its folder as it is shipped."""
    yield shared
    shutil.copytree(data_folder(), shared.knowledge, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.py", "*.csv"))


@pytest.fixture
def owner(stage):
    """Whoever runs the bot, as the stand-in has it."""
    return stage.world.users.setdefault("1", User("1", "owner"))


def said(stage, channel, name):
    return text_of(stage.paste(channel, text=fenced(config(name)))[1])


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def test_sighup_puts_good_knowledge_in_force_and_refuses_bad(stage):
    _, channel = stage.server()
    stage.change("locales/en.yaml", OLD, NEW)
    assert OLD in said(stage, channel, "before")
    os.kill(stage.bot.process.pid, signal.SIGHUP)
    stage.logged("knowledge reloaded")
    assert NEW in said(stage, channel, "after")

    stage.change("rules/batch.yaml", "lever: batch_size", "lever: batch_sise")
    stage.change("locales/en.yaml", NEW, "Never to be seen")
    os.kill(stage.bot.process.pid, signal.SIGHUP)
    assert "rules/batch.yaml:" in stage.logged("knowledge not reloaded")["message"]
    assert NEW in said(stage, channel, "still")
    made = stage.ready(wanted=True)
    assert "rules/batch.yaml:" in made["checks"]["knowledge"]["reload_refused"]

    # An engine process that has to start anew takes what is in force, not what lies half-edited in the folder.
    (engine,) = children(stage.bot.process.pid)
    os.kill(engine, signal.SIGKILL)
    stage.people.reply(stage.people.say(stage.person(), channel, f"<@{stage.world.bot.id}> {fenced(config('killed'))}"))
    assert NEW in said(stage, channel, "anew")


def test_the_owner_reloads_and_nobody_else(stage, owner):
    guild, channel = stage.server()
    for person in (guild.manager, owner):
        guild.member_permissions[person.id] = ADMIN | SEND
    stage.change("locales/en.yaml", 'description: "Close a case"', 'description: "Close it"')
    syncs = stage.standin.syncs
    refused = stage.people.answer(stage.people.slash(guild.manager, channel, "knowledge reload"))
    assert "whoever runs the bot" in text_of(refused)
    assert stage.standin.syncs == syncs
    done = stage.people.answer(stage.people.slash(owner, channel, "knowledge reload"))
    assert "rules are in force" in text_of(done)
    assert stage.standin.syncs == syncs + 1
    cases = next(command for command in stage.world.commands if command["name"] == "cases")
    assert "Close it" in [option["description"] for option in cases["options"]]

    stage.change("tree.yaml", "start:", "begin:")
    bad = stage.people.answer(stage.people.slash(owner, channel, "knowledge reload"))
    assert "Nothing was changed" in text_of(bad)
    assert "tree.yaml:" in text_of(bad)
    assert "```diff" in said(stage, channel, "still")
    stage.sound()


@pytest.mark.parametrize("missing", [True, False])
def test_unusable_knowledge_at_the_start_is_a_sentence(tmp_path, missing):
    folder = tmp_path / "knowledge"
    if not missing:
        shutil.copytree(data_folder(), folder)
        (folder / "rules" / "batch.yaml").write_text("- id: [x\n")
    own = {"OOM_MEDIC_TOKEN": "x", "OOM_MEDIC_DATABASE": str(tmp_path / "cases.db"), "OOM_MEDIC_KNOWLEDGE": str(folder)}
    done = subprocess.run(
        [sys.executable, "-m", "bot", "run"],
        env=os.environ | own,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode in {1, 2}
    assert ("knowledge" if missing else "rules/batch.yaml:2: is not YAML") in done.stderr
    assert "Traceback" not in done.stderr
