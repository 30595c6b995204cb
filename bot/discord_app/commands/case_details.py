"""A case as a moderator sees it, and times and people as Discord shows them: in the reader's own time and by name."""

from datetime import datetime

from bot.cases import render
from bot.cases.model import Case, FullCase, Note
from bot.discord_app.casework.layout import TextFile, safe_title
from bot.discord_app.casework.replies import Message
from bot.knowledge.locale import Locale
from bot.reply.markdown import fenced, inline

# The latest notes, and a diff no longer than this; everything is in the file.
NOTES, DIFF = 8, 900


def when(at: str, style: str) -> str:
    """A stored time; styles by Discord: `R` is how long ago, `f` day and minute."""
    return f"<t:{int(datetime.fromisoformat(at).timestamp())}:{style}>"


def person(user: int) -> str:
    """Somebody by name (Discord pings nobody in an embed)."""
    return f"<@{user}>"


def case_row(case: Case, locale: Locale) -> str:
    """One case in one line of a list; its id can be copied."""
    parts = [f"`{case.id}` {when(case.created_at, 'R')}", *map(inline, render.case_kind(case, locale))]
    if case.asker is not None:
        parts.append(person(case.asker))
    if case.link:
        parts.append(f"[↗]({case.link})")
    return " · ".join(parts)


def case_details(full: FullCase, locale: Locale, done: str = "") -> Message:
    """A case for a moderator: what it is, its steps and notes, the change offered last; all texts and diffs as a file."""
    blocks = [f"✅ {inline(done)}"] if done else []
    blocks.append("\n".join(_facts(full, locale)))
    if full.steps:
        blocks.append(_under("steps", [inline(line) for line in render.step_lines(full.steps, locale)], locale))
    if full.notes:
        blocks.append(_under("notes", [_note(note, locale) for note in full.notes[-NOTES:]], locale))
    diff = next((step.diff for step in reversed(full.steps) if step.diff), None)
    if diff is not None and len(diff) <= DIFF:
        blocks.append(fenced(diff, "diff"))
    if not full.documents:
        blocks.append(inline(locale.text("cases.no_text")))
    file = TextFile(f"case-{full.case.id}.txt", render.case_text(full, locale).encode("utf-8", "replace"))
    return Message(safe_title(locale.text("cases.title", id=full.case.id)), "\n\n".join(blocks), files=(file,))


def _facts(full: FullCase, locale: Locale) -> list[str]:
    case = full.case
    facts = {name: inline(value) for name, value in render.case_facts(full, locale).items()}
    origin = render.named(locale, "cases.origins", case.origin)
    facts["asked"] = f"{when(case.created_at, 'f')}, {when(case.created_at, 'R')} ({inline(origin)})"
    for name, user in (("asker", case.asker), ("assigned", case.assigned)):
        if user is not None:
            facts[name] = f"{person(user)} `{user}`"
    if case.link:
        facts["link"] = case.link
    return [f"{locale.text(f'cases.fields.{name}')}: {value}" for name, value in facts.items()]


def _under(heading: str, lines: list[str], locale: Locale) -> str:
    return "\n".join([f"**{inline(locale.text(f'cases.fields.{heading}'))}**", *lines])


def _note(note: Note, locale: Locale) -> str:
    parts = [when(note.at, "f"), *([] if note.author is None else [person(note.author)])]
    return " · ".join(parts) + f": {inline(render.note_said(note, locale))}"
