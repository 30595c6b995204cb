"""`/plan` as a message: the figures, the config as a file, and a chart of what fills the card."""

from collections.abc import Iterator

from bot.discord_app.casework.layout import Laid, TextFile, safe_title
from bot.engine.plan import Plan
from bot.engine.plan_asked import NotPlanned, plan_for
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import Locale
from bot.reply.markdown import fenced, inline
from bot.reply.memory_image import image
from bot.reply.memory_table import bars
from bot.reply.plan_text import plan_lines, plan_yaml

CONFIG, CHART = "my_lora.yaml", "memory.png"
BAR = 32  # characters: a code block in a phone's width
ITEM = "- "


def planned(model: str, gpu: str, knowledge: Knowledge, locale: Locale) -> Laid:
    """The answer to somebody who asks which settings to start with; or what their question lacks."""
    try:
        plan = plan_for(model, gpu, None, knowledge)
    except NotPlanned as lacking:
        return Laid("", inline(locale.text(f"memory.{lacking.reason}", **lacking.values)))
    title, *lines = plan_lines(plan, locale, knowledge.families)
    files = tuple(_files(plan, locale))
    parts = ["\n".join(map(_line, lines)).strip()]
    if plan.estimate is not None and all(file.name != CHART for file in files):
        parts.append(fenced("\n".join(bars(plan.estimate.as_dict(), locale, BAR))))
    if any(file.name == CONFIG for file in files):
        parts.append(inline(locale.text("memory.plan.fill_in")))
    return Laid(safe_title(title), "\n\n".join(parts), files)


def _line(said: str) -> str:
    """A line as markdown; items of a list stay that."""
    return ITEM + inline(said.removeprefix(ITEM)) if said.startswith(ITEM) else inline(said)


def _files(plan: Plan, locale: Locale) -> Iterator[TextFile]:
    job = plan_yaml(plan)
    if job is not None:
        yield TextFile(CONFIG, job.encode())
    if plan.estimate is None:
        return
    try:
        yield TextFile(CHART, image(plan.estimate.as_dict(), locale))
    except ImportError:  # the extra `charts` is not installed: the bars say the same
        return
