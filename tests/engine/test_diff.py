"""The diff that a person sees: of the proposed change, in their own text."""

from bot.engine import diagnose
from bot.intake.read import Pasted, read

CRASH = "\nRuntimeError: OOM during training step 3 times in a row, aborting training\n"


def diagnosed(text, knowledge):
    return diagnose(read([Pasted("paste.txt", text)], knowledge), knowledge)


def test_a_config_cut_out_of_a_message_ends_its_last_line(knowledge):
    made = diagnosed("```\ntrain:\n  batch_size: 2\n  steps: 1000\n```" + CRASH, knowledge)
    changed = [line for line in made.diff.splitlines() if line[0] in "+-" and line[:3] not in {"---", "+++"}]
    assert changed == ["-  batch_size: 2", "+  batch_size: 1", "+  gradient_accumulation: 2"]


def test_repairs_alone_are_not_shown_as_the_change(knowledge):
    text = (
        'train:\n  gradient_checkpointing: false\n\nand\n\nmodel:\n  name_or_path: "C:\\models\\x"\n  arch: flux\n'
        + CRASH
    )
    made = diagnosed(text, knowledge)
    now = next(step for step in made.steps if step.now)
    assert now.lever == "gradient_checkpointing"
    assert (made.diff is None) == now.snippet
    assert made.diff is None or "+  gradient_checkpointing: true" in made.diff
