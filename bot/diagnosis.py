"""The verdict every face renders, and its JSON form (schema oom-medic/diagnosis/1)."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple

from bot.facts import FactValue

SCHEMA = "oom-medic/diagnosis/1"
Safety = Literal["safe", "quality", "unsafe"]


class Citation(NamedTuple):
    """A line of the paste that a finding rests on: index of the source, 1-based line, text."""

    document: int
    line: int
    text: str


class Finding(NamedTuple):
    """A fact that costs memory, breaks the run, or is worth knowing. Words: `rules.<rule>.finding`."""

    rule: str
    severity: Literal["error", "warning", "info"]
    evidence: tuple[Citation, ...] = ()
    values: Mapping[str, FactValue] | None = None


class PathPatch(NamedTuple):
    """One change by path, written from the document's own root. `old` is None where the key is absent."""

    path: str
    old: Any
    new: Any


class Step(NamedTuple):
    """One change to try. Words: `rules.<rule>.fix`, `.why`, `.cost`, `.where`.

    `no_figure` is why `saves_gib` or `fits` is None. Words: `memory.none.<no_figure>`.
    """

    lever: str
    rule: str
    safety: Safety
    now: bool
    patches: tuple[PathPatch, ...] = ()
    snippet: bool = False
    values: Mapping[str, FactValue] | None = None
    saves_gib: float | None = None
    fits: Literal["fits", "tight", "no"] | None = None
    no_figure: str | None = None


class Skipped(NamedTuple):
    """A step of the ladder that the evidence rules out. Words: `rules.<rule>.skip.<reason>`."""

    lever: str
    rule: str
    reason: str
    values: Mapping[str, FactValue] | None = None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The whole verdict. `outcome` is the tree's leaf: its words are `outcomes.<outcome>.cause` and `.next`.

    `rechecked` tells what the rules say of the patched config: the ids of the findings that are `gone` and of any that
    are `new`; None where nothing was patched. `patched` is the config's whole text after the step proposed now.
    """

    locale: str
    source_tool: str
    problem: Mapping[str, str]
    model: Mapping[str, str | None]
    hardware: Mapping[str, Any]
    outcome: str
    findings: tuple[Finding, ...]
    steps: tuple[Step, ...]
    skipped: tuple[Skipped, ...]
    diff: str | None
    crash: Mapping[str, Any] | None
    memory: Mapping[str, Any] | None
    redactions: int
    values: Mapping[str, FactValue]
    notices: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    patched: str | None = None
    rechecked: Mapping[str, tuple[str, ...]] | None = None
    repairs: tuple[Mapping[str, Any], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The contract's JSON object. `patched` stays out: it is the whole file, not part of the verdict."""
        made = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "patched"}
        made["findings"] = [_plain(finding) for finding in self.findings]
        made["steps"] = [_plain(step) for step in self.steps]
        made["skipped"] = [_plain(skipped) for skipped in self.skipped]
        for step in made["steps"]:
            if not step["snippet"]:
                step.pop("snippet")
        return {"schema": SCHEMA, **made}


def _plain(record: "Finding | Step | Skipped | Citation | PathPatch") -> dict[str, Any]:
    """One record as a mapping, the records in it too."""
    made = record._asdict()
    for name in ("evidence", "patches"):
        if name in made:
            made[name] = [_plain(below) for below in made[name]]
    return made
