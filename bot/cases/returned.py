"""A case as a test: the paste with invented names, and what is expected of it, to be completed by a person."""

import json
from pathlib import Path
from typing import Any, Final

import yaml

from bot.cases.invented import Inventor
from bot.cases.model import TOLD, FullCase
from bot.knowledge.load import Knowledge

_HEAD: Final = """\
# Made from case {id}, whose answer was judged: {verdict}.
# What was diagnosed stands below as it came out. Set right what was wrong, take the '#' from what you can tell, and
# keep only what this test is about: a field that is absent is not judged.
# Names that a config gives were invented anew. Prose and comments are as they were written: read the files through
# before they leave your machine.
"""


class NoTextError(ValueError):
    """The case's text is not (or no longer) stored, so there is nothing to test with."""


def write(full: FullCase, knowledge: Knowledge, folder: Path) -> list[Path]:
    """Write `<folder>/<rule>/<id>[-n].<ext>` for each document and `<id>.expect.yaml` beside it. Returns the paths.

    Raises NoTextError, and FileExistsError rather than overwrite what somebody has edited.
    """
    documents = [document for document in full.documents if document.kind != TOLD]
    if not documents:
        raise NoTextError(full.case.id)
    reasons = [note.text for note in full.notes if note.verdict is not None] or [""]
    *texts, reason = Inventor(knowledge).renamed([*(document.text for document in documents), reasons[-1]])
    place = folder / (full.case.rule or "unexplained")
    stem = full.case.id.lower()
    files = {
        place / f"{stem}{'' if number == 0 else f'-{number + 1}'}{_ending(document.name)}": text
        for number, (document, text) in enumerate(zip(documents, texts, strict=True))
    }
    files[place / f"{stem}.expect.yaml"] = expectation(full, reason)
    place.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        with path.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
    return list(files)


def expectation(full: FullCase, reason: str) -> str:
    """The skeleton of an expectation, in the form of a case file: diagnosed values, those judged wrong commented out."""
    case, diagnosis = full.case, full.diagnosis
    levers = [step["lever"] for step in diagnosis["steps"] if step.get("now")][:1]
    doubtful, sure = _sorted_by_verdict(
        {
            "tool": [case.source_tool],
            "class": [case.problem_class],
            "phase": [case.phase],
            "arch": [case.arch] if case.arch else [],
            "family": [case.family] if case.family else [],
            "vram_gib": case.vram_gib,
            "first": levers,
            "no_diff": diagnosis.get("diff") is None,
        },
        full,
    )
    told = _told(full)
    lines = _HEAD.format(id=case.id, verdict=case.verdict or "not judged")
    lines += "".join(f"# {line}\n" for line in _dumped({"rule": case.rule} | doubtful).splitlines())
    return lines + _dumped(sure | ({"told": told} if told else {}) | {"note": reason})


def _told(full: FullCase) -> dict[str, Any]:
    """What the person said in options beside the paste."""
    found = next((document.text for document in full.documents if document.kind == TOLD), "{}")
    return {name: value for name, value in json.loads(found).items() if value is not None}


def _sorted_by_verdict(values: dict[str, Any], full: FullCase) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the verdict puts in doubt, and what may stand (with what the verdict itself says)."""
    verdict = full.case.verdict
    doubted = {"wrong": {"class", "phase", "first", "no_diff"}, "wrong_lever": {"first", "no_diff"}}
    in_doubt = doubted.get(verdict or "", set())
    if verdict == "not_oom":
        in_doubt = {"class", "phase", "first", "no_diff"}
    doubtful = {name: value for name, value in values.items() if name in in_doubt}
    sure = {name: value for name, value in values.items() if name not in in_doubt and value is not None}
    if verdict == "not_oom":
        sure["class"] = ["not_memory"]
    if verdict == "wrong_lever":
        sure["never"] = values["first"]
    return doubtful, sure


def _dumped(values: dict[str, Any]) -> str:
    return "".join(f"{name}: {_inline(value)}\n" for name, value in values.items())


def _inline(value: Any) -> str:
    """A value on the line of its key; PyYAML ends a bare scalar with a document end mark."""
    made = yaml.safe_dump(value, allow_unicode=True, default_flow_style=True, width=10**6)
    return str(made).removesuffix("\n").removesuffix("\n...")


def _ending(name: str) -> str:
    ending = Path(name).suffix.lower()
    return ending if ending in {".yaml", ".yml", ".json", ".log"} else ".txt"
