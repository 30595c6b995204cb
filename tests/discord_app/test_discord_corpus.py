"""Every situation of tests/corpus as Discord would show it: within its limits in each language, also where it is plain text."""

from functools import cache
from pathlib import Path

import discord
from standin.rules import check_message

from bot.cli.inputs import read_inputs
from bot.discord_app.casework.layout import cut, length
from bot.discord_app.casework.replies import CONTENT, case_message, why_message
from bot.discord_app.casework.shown import Shown
from bot.discord_app.languages import Languages
from bot.discord_app.workers.jobs import DiagnoseJob
from bot.discord_app.workers.worker import Engine

FOLDER = Path(__file__).parents[1] / "corpus"
SUFFIX = ".expect.yaml"
TAGS, LONGEST = ("en", "de", "it"), 20
TEXT_ALONE = discord.Permissions(send_messages=True)


@cache
def engine():
    return Engine()


def situations():
    for expect in sorted(FOLDER.glob(f"*{SUFFIX}")):
        name = expect.name.removesuffix(SUFFIX)
        yield name, tuple(read_inputs((str(next(one for one in FOLDER.glob(f"{name}.*") if one != expect)),)))


def judged(name, pasted, tag):
    """The reply is taken, with embeds and without; no code block stays open, and the case is named. Returns its length."""
    answer = engine().answer(DiagnoseJob(pasted, languages=Languages(own=tag)))
    case = Shown("K7Q2K7Q2", answer, step=2, can_undo=True)
    message = case_message(case, engine().speech.locale(tag), private=True)
    buttons = message.view.to_components()
    embed, plain = message.new()["embed"].to_dict(), message.new(TEXT_ALONE)["content"]
    check_message({"embeds": [embed], "components": buttons})
    check_message({"content": plain, "components": buttons})
    check_message({"embeds": [why_message(case).new()["embed"].to_dict()]})
    assert plain.count("```") % 2 == embed["description"].count("```") % 2 == 0, name
    assert "K7Q2K7Q2" in plain.splitlines()[-1], name
    return length(embed["description"])


def test_every_reply_is_taken_and_the_longest_in_every_language():
    found = list(situations())
    lengths = {name: judged(name, pasted, TAGS[turn % len(TAGS)]) for turn, (name, pasted) in enumerate(found)}
    assert len(lengths) > 100
    for name, pasted in sorted(found, key=lambda one: -lengths[one[0]])[:LONGEST]:
        for tag in TAGS:
            judged(name, pasted, tag)


def test_a_diff_is_cut_between_its_lines():
    diff = "```diff\n" + "".join(f"-  key_{number}: old\n+  key_{number}: new\n" for number in range(400)) + "```"
    made = cut(diff, CONTENT)
    assert length(made) <= CONTENT
    assert made.endswith("\n…\n```")
    assert set(made.splitlines()[1:-2]) <= set(diff.splitlines())


def test_one_endless_line_is_cut_somewhere():
    made = cut("```yaml\n" + "x" * 5000 + "\n```", CONTENT)
    assert length(made) <= CONTENT
    assert made.endswith("…\n```")
    assert length(made) > CONTENT // 2
