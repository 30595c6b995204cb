"""Whether a diagnosis is a right answer to a case of tests/corpus; tests/corpus/README.md says what each key means."""

from bot.diagnosis import Diagnosis, PathPatch

ROOT = "config.process[0]."
TOLERANCE = 0.05
KEYS = {
    "tool",
    "class",
    "phase",
    "arch",
    "family",
    "vram_gib",
    "first",
    "then",
    "never",
    "patches",
    "no_diff",
    "diff",
    "source",
    "note",
}


def faults(case: dict, diagnosis: Diagnosis) -> list[str]:
    """What is wrong, key by key; empty for a right answer."""
    levers = [step.lever for step in diagnosis.steps]
    start = next((at for at, step in enumerate(diagnosis.steps) if step.now), None)
    said = {
        "tool": diagnosis.source_tool,
        "class": diagnosis.problem["class"],
        "phase": diagnosis.problem["phase"],
        "arch": diagnosis.model["arch"],
        "family": diagnosis.model["family"],
        "first": None if start is None else levers[start],
    }
    made = [patch for step in diagnosis.steps for patch in step.patches]
    return [
        *(f"{key}: {said[key]}" for key in said.keys() & case.keys() if said[key] not in (case[key] or [None])),
        *_size(case, diagnosis),
        *(f"then: no {lever}" for lever in case.get("then", ()) if lever not in levers[start or 0 :]),
        *(f"never: {lever}" for lever in case.get("never", ()) if lever in levers),
        *(f"patches: {want}" for want in case.get("patches", ()) if not any(_fits(want, patch) for patch in made)),
        *_promises(case, diagnosis),
    ]


def changed_lines(diff: str | None) -> list[str]:
    """The lines of a diff that go or come, as they stand in it."""
    return [line.rstrip() for line in (diff or "").splitlines()[2:] if line[:1] in {"+", "-"}]


def _size(case, diagnosis):
    want, got = case.get("vram_gib"), diagnosis.hardware["vram_gib"]
    if want is not None and (got is None or abs(got - want) > TOLERANCE * want):
        yield f"vram_gib: {got}"


def _promises(case, diagnosis):
    """What holds for every answer: no diff for another trainer's file, nothing unsafe at once."""
    if diagnosis.diff is not None and (case.get("no_diff") or diagnosis.source_tool != "ai-toolkit"):
        yield "a diff"
    if "diff" in case and changed_lines(diagnosis.diff) != case["diff"].splitlines():
        yield f"diff: {changed_lines(diagnosis.diff)}"
    if any(step.now and step.safety == "unsafe" for step in diagnosis.steps):
        yield "an unsafe step at once"


def _fits(want: dict, patch: PathPatch) -> bool:
    path, target = patch.path.removeprefix(ROOT), want["path"]
    if "remove_from_list" in want:
        gone = want["remove_from_list"]
        if path.startswith(target + "["):
            return _same(patch.old, gone) and not _same(patch.new, gone)
        was = patch.old is None or any(_same(item, gone) for item in _listed(patch.old))
        return (
            path == target
            and was
            and patch.new is not None
            and not any(_same(item, gone) for item in _listed(patch.new))
        )
    if path != target or ("new" in want and not _same(patch.new, want["new"])):
        return False
    number = isinstance(patch.new, int | float) and not isinstance(patch.new, bool)
    return "max" not in want or (number and patch.new <= want["max"])


def _listed(value):
    return value if isinstance(value, list | tuple) else [value]


def _same(one, other):
    """Equal as YAML values: true is not 1."""
    return isinstance(one, bool) == isinstance(other, bool) and one == other
