"""A case as a moderator sees it."""

from bot.cases import render
from bot.cases.model import FullCase
from bot.discord_app.casework.layout import TextFile, safe_title
from bot.discord_app.casework.replies import Message
from bot.knowledge.locale import Locale
from bot.reply.markdown import inline


def case_details(full: FullCase, locale: Locale, done: str = "") -> Message:
    """A case for a moderator: what it is, its steps and notes; texts and diffs as a file."""
    title, *lines = render.case_head(full, locale)
    blocks = ["\n".join(_line(line, full) for line in lines)]
    if full.steps:
        blocks.append("\n".join(inline(line) for line in render.step_lines(full.steps, locale)))
    if full.notes:
        blocks.append("\n".join(inline(line) for line in render.note_lines(full, locale)[-10:]))
    if not full.documents:
        blocks.append(inline(locale.text("cases.no_text")))
    if done:
        blocks.insert(0, f"✅ {inline(done)}")
    file = TextFile(f"case-{full.case.id}.txt", render.case_text(full, locale).encode("utf-8", "replace"))
    return Message(safe_title(title), "\n\n".join(blocks), files=(file,))


def _line(line: str, full: FullCase) -> str:
    """A line of the head; the link to the message stays one."""
    link = full.case.link
    if link and line.endswith(link):
        return inline(line.removesuffix(link)) + f"<{link}>"
    return inline(line)
