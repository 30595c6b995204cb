"""A config's facts as ai-toolkit itself would read them, defaults included."""

from collections.abc import Mapping

from bot.evidence import ConfigDocument, Misplaced
from bot.facts import Fact
from bot.knowledge.load import Knowledge


def config_facts(document: ConfigDocument, knowledge: Knowledge) -> tuple[Mapping[str, Fact], tuple[Misplaced, ...]]:
    """The config.*, model.*, arch.*, network.*, train.*, datasets.*, sample.* facts, and keys that do nothing."""
    raise NotImplementedError
