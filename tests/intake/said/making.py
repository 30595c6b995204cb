"""Lines and passages for the tests."""

from functools import cache

from bot.intake.text.clean import Line
from bot.intake.text.passage import Passage
from bot.knowledge.load import Knowledge


@cache
def knowledge() -> Knowledge:
    return Knowledge()


def lines(text: str) -> list[Line]:
    return [Line(row, number) for number, row in enumerate(text.split("\n"), 1)]


def passage(text: str) -> Passage:
    return Passage(0, lines(text))
