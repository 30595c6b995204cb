"""The figures as a small picture, where matplotlib is installed (extra `charts`)."""

import io
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from bot.cases.render import ROWS, named
from bot.cases.stats import Stats
from bot.knowledge.locale import Locale

# Told apart by lightness too, for who does not see red and green apart.
CASES: Final = "#1565c0"
OUTCOMES: Final = {"works": "#1b5e20", "still_fails": "#ef5350", "no_answer": "#bdbdbd"}


def is_available() -> bool:
    """Whether a picture can be drawn here; if not, `render.stats_text` has bars of text."""
    return find_spec("matplotlib") is not None


def png(found: Stats, words: Locale) -> bytes:
    """Cases by class above, levers by outcome below: 1000 by 800 pixels. Raises ImportError without the extra."""
    figure = import_module("matplotlib.figure").Figure(figsize=(10, 8), dpi=100, layout="constrained")
    above, below = figure.subplots(2, 1)
    classes = {named(words, "classes", name): n for name, n in list(found.by["class"].items())[:ROWS]}
    _stacked(above, words.text("cases.stats.class"), list(classes), [("", CASES, list(classes.values()))])
    levers = dict(list(found.levers.items())[:ROWS])
    counts = {
        "works": [success.worked for success in levers.values()],
        "still_fails": [success.failed for success in levers.values()],
        "no_answer": [success.offered - success.answered for success in levers.values()],
    }
    series = [(named(words, "cases.outcomes", name), OUTCOMES[name], values) for name, values in counts.items()]
    _stacked(below, words.text("cases.stats.levers"), [named(words, "levers", lever) for lever in levers], series)
    below.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=len(series), frameon=False)
    made = io.BytesIO()
    figure.savefig(made, format="png")
    return made.getvalue()


def _stacked(axes: Any, title: str, labels: list[str], series: list[tuple[str, str, list[int]]]) -> None:
    """Horizontal bars, the first label on top, one part a series."""
    at = list(range(len(labels)))
    left = [0] * len(labels)
    for name, colour, values in series:
        axes.barh(at, values, left=left, color=colour, label=name or "_")
        left = [start + value for start, value in zip(left, values, strict=True)]
    for position, total in zip(at, left, strict=True):
        axes.annotate(str(total), (total, position), xytext=(4, 0), textcoords="offset points", va="center")
    axes.set_yticks(at, labels)
    # Room for the totals; bars of a usual height, however few there are; the first on top.
    axes.set_xlim(0, 1.1 * max(left, default=1))
    axes.set_ylim(max(len(labels), 6) - 0.4, -0.6)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_title(title, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
