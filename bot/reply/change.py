"""The change to make now: title, reason, cost, where to click; the diff or the lines to paste; how to rerun."""

from collections.abc import Iterator

from bot.diagnosis import Step
from bot.reply.blocks import Block
from bot.reply.snippet import snippet
from bot.reply.words import Words

# Levers after which the same job is not the one to start again.
_NO_RERUN = frozenset({"ask", "smaller_model", "bigger_gpu", "split_job"})
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
    """How to try it, and what to watch or to expect then."""
    said = (_rerun_sentence(words), words.find(f"outcomes.{words.diagnosis.outcome}.next"))
    return Block("rerun", words.text("reply.heading.rerun"), tuple(sentence for sentence in said if sentence))


def _rerun_sentence(words: Words) -> str:
    if words.now[0].lever in _NO_RERUN:
        return ""
    problem = words.diagnosis.problem
    if words.now[0].rule == "previews-cheaper-for-speed":
        return words.text("reply.rerun.whole_run")  # a preview costs no step any time
    slow = words.faster or problem["class"] == "shared_memory_spill" or words.diagnosis.outcome == "slow-offloading"
    planned = problem["phase"] == "plan" or problem["class"] == "none"
    return words.text(f"reply.rerun.{'slow' if slow else 'first_run' if planned else 'same_job'}")
