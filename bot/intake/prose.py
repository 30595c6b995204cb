"""What people say around a paste: phrases, settings in words, hardware, the model's name, the language."""

from collections.abc import Mapping, Sequence

from bot.facts import Fact
from bot.intake.text import Line
from bot.knowledge.load import Knowledge


def read_prose(source: int, lines: Sequence[Line], knowledge: Knowledge) -> Mapping[str, Fact]:
    """The says, gpu.*, host.*, goal and (origin `prose`) model.*, train.*, datasets.*, sample.* facts."""
    raise NotImplementedError
