"""Reading a text the way the intake does: cleaned lines, then the crash."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.intake.crash.read import CrashReading, read_crash
from bot.intake.text.clean import clean
from bot.knowledge.load import Knowledge
from bot.knowledge.signatures import Signatures

HERE = Path(__file__).parent
EXAMPLES: list[dict[str, Any]] = yaml.safe_load((HERE / "examples.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    return Knowledge()


@pytest.fixture(scope="session")
def signatures(knowledge: Knowledge) -> Signatures:
    return knowledge.signatures


@pytest.fixture(scope="session")
def reading(knowledge: Knowledge) -> Callable[[str], CrashReading]:
    return lambda text: read_crash(0, clean(text).lines, knowledge)


@pytest.fixture(scope="session")
def facts(reading: Callable[[str], CrashReading]) -> Callable[[str], dict[str, Any]]:
    return lambda text: {name: fact.value for name, fact in reading(text).facts.items()}
