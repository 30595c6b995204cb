"""The lines that a reply names are those of the paste, in what it cites as in the head of each hunk."""

import re

import pytest

from bot.engine import diagnose
from bot.intake.read import Pasted, read
from bot.knowledge.load import Knowledge

TRAIN = """\
train:
  batch_size: 4
  gradient_checkpointing: false
  optimizer: adamw8bit
model:
  name_or_path: black-forest-labs/FLUX.1-dev
  arch: flux
  quantize: true
"""
LOG = "OOM on my 3090 since yesterday, why?\n\nRuntimeError: OOM during training step 3 times in a row\n"
ESCAPED = TRAIN.replace("\n", "\\n")
PASTES = {
    "alone": TRAIN,
    "below-words": f"{LOG}\n```yaml\n{TRAIN}```\n",
    "windows": f"{LOG}{TRAIN}".replace("\n", "\r\n"),
    "indented-quote": LOG + "".join(f"> {line}\n" for line in TRAIN.splitlines()),
    "doubled": f"{LOG}\n{TRAIN}".replace("\n", "\n\n"),
    "parted": f"{LOG}model:\n  arch: flux\n  quantize: true{LOG * 30}train:\n  gradient_checkpointing: false\n",
    "headless": f"{LOG}  batch_size: 4\n  gradient_checkpointing: false\n  optimizer: adamw8bit\n",
    "escaped": f'{LOG}config.yaml: "{ESCAPED}"\n',
    "diff": LOG + TRAIN.replace("\n  ", "\n   ").replace("   gradient", "-  gradient_checkpointing: true\n+  gradient"),
}


@pytest.mark.parametrize("paste", PASTES.values(), ids=PASTES)
def test_cited_lines_and_hunks_stand_where_they_are_said_to(paste):
    evidence = read([Pasted("post.txt", paste)], Knowledge())
    verdict = diagnose(evidence, Knowledge(), locale="en")
    rows = paste.split("\n")
    cited = [one for finding in verdict.findings for one in finding.evidence if "gradient_checkpointing" in one.text]
    assert cited
    assert all("gradient_checkpointing: false" in rows[one.line - 1] for one in cited)
    hunk = next(part for part in verdict.diff.split("\n@@ -")[1:] if "\n-" in part)
    head, *lines = hunk.split("\n")
    away = next(at for at, line in enumerate(lines) if re.match(r"-.*gradient_checkpointing: false", line))
    assert "gradient_checkpointing: false" in rows[int(re.match(r"\d+", head)[0]) + away - 1]
