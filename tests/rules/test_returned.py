"""Cases that people had, come back as tests: the folder of each rule holds its own."""

from pathlib import Path

import pytest

from bot.engine import diagnose
from bot.intake.read import Pasted, read
from bot.knowledge.load import Knowledge
from tests.returned import cases_in, complaints, inputs_of, told_in

CASES = cases_in(Path(__file__).parent)


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return Knowledge()


@pytest.mark.parametrize("expectation", CASES, ids=lambda path: f"{path.parent.name}/{path.name.split('.')[0]}")
def test_a_returned_case_is_diagnosed_as_expected(expectation: Path, knowledge: Knowledge) -> None:
    pasted = [Pasted(file.name, file.read_bytes()) for file in inputs_of(expectation)]
    assert pasted
    evidence = read(pasted, knowledge, told_in(expectation))
    assert complaints(expectation, diagnose(evidence, knowledge, locale="en").as_dict()) == []
