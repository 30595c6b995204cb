"""The change to make now: title, reason, cost, where to click; the diff or the lines to paste; how to rerun."""

from collections.abc import Iterator

from bot.diagnosis import Step
from bot.reply.blocks import Block
from bot.reply.snippet import snippet
from bot.reply.words import Words

# Levers after which the same job is simply started again; the others change nothing that could be rerun.
_NO_RERUN = frozenset({"ask"})
# What a diff says for programs; a config cut out of a message ends where it ends.
_NO_NEWLINE = "\n\\ No newline at end of file"


def change_blocks(words: Words) -> Iterator[Block]:
    """Blocks for every step marked `now`: mostly one."""
    for step in words.now:
        lines = (words.why(step), words.cost(step), words.saving(step), words.where(step))
        yield Block("change", words.fix(step), tuple(line for line in lines if line))
    diff = words.diagnosis.diff
    if diff:
        yield Block("diff", words.text("reply.heading.diff"), code=diff.replace(_NO_NEWLINE, ""), language="diff")
    elif words.for_toolkit:
        yield from _snippets(words)
    if words.now:
        yield _rerun(words)


def _snippets(words: Words) -> Iterator[Block]:
    for step in words.now:
        code = snippet(step.patches) if step.patches else ""
        if code:
            note = _snippet_note(words, step)
            yield Block("snippet", words.text("reply.heading.snippet"), (note,), code=code, language="yaml")


def _snippet_note(words: Words, step: Step) -> str:
    sections = tuple(dict.fromkeys(patch.path.split(".")[0].split("[")[0] for patch in step.patches))
    refused = (step.values or {}).get("refused")
    if refused:
        return words.text("reply.snippet_refused", reason=words.find(f"refusals.{refused}") or str(refused))
    return words.text("reply.snippet", sections=tuple(f"{section}:" for section in sections))


def _rerun(words: Words) -> Block:
    step = words.now[0]
    if step.lever in _NO_RERUN:
        return Block("rerun")
    planned = words.diagnosis.problem["phase"] == "plan" or words.diagnosis.problem["class"] == "none"
    slow = words.diagnosis.problem["class"] == "shared_memory_spill"
    key = "first_run" if planned else "slow" if slow else "same_settings" if step.patches else "unchanged"
    return Block("rerun", words.text("reply.heading.rerun"), (words.text(f"reply.rerun.{key}"),))
