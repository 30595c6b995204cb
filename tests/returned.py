"""Judging a diagnosis by an expectation file: what `oom-medic cases export --as-test` writes and a person completes.

Every list: any of these is right (`[]`: must be null; a null in it accepts null). A field that is absent is not judged.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from bot.intake.read import Told

ROOT = "config.process[0]."
JUDGED = {"tool", "class", "phase", "arch", "family", "vram_gib", "first", "then", "never", "patches", "no_diff"}
TOLD = {"note", "source", "told"}


def cases_in(folder: Path) -> list[Path]:
    """The expectation files of the folders of rules."""
    return sorted(folder.glob("*/*.expect.yaml"))


def inputs_of(expectation: Path) -> list[Path]:
    """The texts of a case: `k7q2.yaml`, `k7q2-2.txt`, … in their order."""
    stem = expectation.name.removesuffix(".expect.yaml")
    found = [file for file in expectation.parent.iterdir() if re.fullmatch(rf"{re.escape(stem)}(-\d+)?", file.stem)]
    return sorted(found, key=lambda file: int(file.stem.rpartition("-")[2]) if file.stem != stem else 1)


def told_in(expectation: Path) -> Told:
    """What the person said in options beside the paste."""
    return Told(**yaml.safe_load(expectation.read_text(encoding="utf-8")).get("told", {}))


def complaints(expectation: Path, diagnosis: Mapping[str, Any]) -> list[str]:
    """What is wrong with a diagnosis; empty where it is as expected. Raises ValueError on a field that nobody judges."""
    expected = yaml.safe_load(expectation.read_text(encoding="utf-8"))
    unknown = expected.keys() - JUDGED - TOLD
    if unknown:
        raise ValueError(f"{expectation}: no such fields: {', '.join(sorted(unknown))}")
    return list(_complaints(expected, diagnosis))


def _complaints(expected: Mapping[str, Any], diagnosis: Mapping[str, Any]) -> Iterator[str]:
    now = [number for number, step in enumerate(diagnosis["steps"]) if step["now"]]
    first = now[0] if now else len(diagnosis["steps"])
    levers = [step["lever"] for step in diagnosis["steps"]]
    found = {
        "tool": diagnosis["source_tool"], "class": diagnosis["problem"]["class"], "phase": diagnosis["problem"]["phase"],
        "arch": diagnosis["model"]["arch"], "family": diagnosis["model"]["family"], "first": (levers[first:] or [None])[0],
    }  # fmt: skip
    for name, value in found.items():
        if name in expected and value not in (expected[name] or [None]):
            yield f"{name} is {value}, expected one of {expected[name]}"
    vram = diagnosis["hardware"]["vram_gib"]
    if "vram_gib" in expected and (vram is None or abs(vram - expected["vram_gib"]) > 0.05 * expected["vram_gib"]):
        yield f"vram_gib is {vram}, expected {expected['vram_gib']}"
    yield from (f"{lever} is not offered" for lever in expected.get("then", ()) if lever not in levers[first:])
    yield from (f"{lever} is offered" for lever in expected.get("never", ()) if lever in levers)
    if expected.get("no_diff") and diagnosis["diff"] is not None:
        yield "there is a diff"
    made = [patch for step in diagnosis["steps"] for patch in step["patches"]]
    yield from (
        f"no patch {wish}" for wish in expected.get("patches", ()) if not any(_fits(patch, wish) for patch in made)
    )


def _fits(patch: Mapping[str, Any], wish: Mapping[str, Any]) -> bool:
    if patch["path"].removeprefix(ROOT) != wish["path"].removeprefix(ROOT):
        return False
    new = patch["new"]
    return (
        all(patch[side] == wish[side] for side in ("old", "new") if side in wish)
        and ("max" not in wish or new <= wish["max"])
        and (
            "remove_from_list" not in wish or wish["remove_from_list"] not in (new if isinstance(new, list) else [new])
        )
    )
