"""How far the estimate is from what was publicly reported: `python -m knowledge.memory.validate [--write]`.

Needs no torch. Rows of ai-toolkit in datapoints.csv are put to the estimate itself; rows of other trainers to the
simulator's figures for that trainer's own way (columns that knowledge/memory/compare.py fills). All points count; a miss
beyond a quarter is listed with the row's note. `--write` puts the measured error into errors.yaml.
"""

import argparse
import csv
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

import yaml

from bot.engine.memory import estimate
from bot.engine.memory_figures import Verdict
from bot.facts import FACTS, Fact, Facts, FactValue
from bot.knowledge.load import Knowledge

HERE = Path(__file__).parent
WITHIN = {"on": 0.05, "off": 0.10, "all": 0.08}  # medians asked for
FAR = 0.25
ENOUGH = 5  # points of a family before it has an error of its own
SHARE = 0.8  # of the points that lie within the stated error
RECORD = "gpu_record.yaml"


@dataclass(frozen=True, slots=True)
class Judged:
    """One row: what was computed (GiB) and, for a card, the verdict."""

    row: Mapping[str, str]
    computed: float
    verdict: Verdict | None

    @property
    def error(self) -> float | None:
        """Relative error against the reported size; None where a row only says whether it ran."""
        return self.computed / float(self.row["reported_gib"]) - 1 if self.row["kind"] == "number" else None

    @property
    def checkpointing(self) -> str:
        """`on` or `off`."""
        return self.row["checkpointing"] or ("off" if "gradient_checkpointing=false" in self.row["facts"] else "on")


def facts_of(written: str, card: str) -> Facts:
    """`train.use_ema=true network.rank=16` as facts."""
    stated: dict[str, FactValue] = {}
    for pair in written.split():
        name, _, text = pair.partition("=")
        kind = FACTS[name].type
        stated[name] = (
            text == "true"
            if kind == "bool"
            else int(text)
            if kind == "int"
            else float(text)
            if kind == "float"
            else text
        )
    if card:
        stated["gpu.vram_gib"] = float(card)
    return {name: Fact(value, "config") for name, value in stated.items()}


def judge_own(row: Mapping[str, str], knowledge: Knowledge) -> Judged:
    """ai-toolkit: the product's own estimate for the row's phase."""
    facts = facts_of(f"config.shape=job model.arch={row['architecture']} {row['facts']}", row["card_gib"])
    made = estimate(facts, knowledge)
    if made is None:
        raise SystemExit(f"{row['id']}: no figure for this")
    return Judged(row, made.peak(row["phase"]), made.verdict(row["phase"]))


def judge_other(row: Mapping[str, str], knowledge: Knowledge) -> Judged:
    """Another trainer: the simulator's figures and what lies on the card besides."""
    if not row["dynamic_gib"]:
        raise SystemExit(f"{row['id']}: not simulated yet; run `python -m knowledge.memory.compare` first")
    memory = knowledge.memory
    overhead, dynamic = memory.file.overhead, float(row["dynamic_gib"])
    if row["counted"] == "dynamic":
        return Judged(row, dynamic, None)
    total = (
        float(row["weights_gib"]) + dynamic + float(row["extra_gib"] or 0) + _companions(row["companions"], knowledge)
    )
    total += overhead.context_gib if row["counted"] == "driver" else overhead.blas_gib
    if not row["card_gib"] or row["kind"] == "number":
        return Judged(row, total, None)
    on = row["checkpointing"] == "on"
    error = (memory.errors.gc_on if on else memory.errors.gc_off).share
    most = total * (1 + error) + dynamic * (overhead.slack_on if on else overhead.slack_off)
    usable = float(row["card_gib"]) * overhead.usable
    return Judged(row, total, "fits" if most <= usable else "no" if total * (1 - error) > usable else "tight")


def _companions(written: str, knowledge: Knowledge) -> float:
    found = knowledge.memory.companions
    total = 0
    for one in written.split():
        name, _, precision = one.partition(":")
        total += found.text_encoders[name].weights[precision] if precision else found.vaes[name].weights
    return total / 2**30


def judge_all(path: Path, knowledge: Knowledge) -> list[Judged]:
    """Every row of a file of points."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [(judge_own if row["tool"] == "ai-toolkit" else judge_other)(row, knowledge) for row in rows]


def errors_of(judged: Iterable[Judged], checkpointing: str | None = None) -> list[float]:
    """Absolute relative errors of the rows with a size."""
    return [
        abs(one.error) for one in judged
        if one.error is not None and checkpointing in {None, one.checkpointing}
    ]  # fmt: skip


def band(errors: list[float]) -> dict[str, float | int]:
    """The error that most points stay within."""
    return {
        "share": round(quantiles(errors, n=100, method="inclusive")[round(SHARE * 100) - 1], 2),
        "points": len(errors),
    }


def report(judged: list[Judged]) -> bool:
    """Prints everything; whether the medians and the verdicts are as asked for."""
    good = True
    for name, kind in (("on", "on"), ("off", "off"), ("all", None)):
        errors = errors_of(judged, kind)
        reached = median(errors) <= WITHIN[name]
        good &= reached
        print(
            f"checkpointing {name:4} n={len(errors):2}  median {median(errors):6.1%} (asked: {WITHIN[name]:.0%})  largest {max(errors):6.1%}"
        )
    print("\nsizes")
    for one in judged:
        if one.error is not None:
            print(
                f"  {one.row['id']:28} {one.row['tool']:12} computed {one.computed:6.2f}  reported {float(one.row['reported_gib']):6.2f}  {one.error:+7.1%}"
            )
    print(f"\nmisses beyond {FAR:.0%}")
    for one in judged:
        if one.error is not None and abs(one.error) > FAR:
            print(f"  {one.row['id']}: {one.error:+.1%}: {one.row['note']}")
    return _verdicts(judged) and good


def _verdicts(judged: list[Judged]) -> bool:
    print("\nverdicts (training step)")
    table = {(said, kind): 0 for said in ("fits", "tight", "no") for kind in ("fits", "oom", "unclear")}
    for one in judged:
        if one.verdict is not None:
            table[one.verdict, one.row["kind"]] += 1
            print(
                f"  {one.row['id']:28} computed {one.computed:6.2f} of {one.row['card_gib']:>3}: {one.verdict:5}  reported: {one.row['kind']}"
            )
    for said in ("fits", "tight", "no"):
        print(f"  {said:5} " + "  ".join(f"{kind}: {table[said, kind]}" for kind in ("fits", "oom", "unclear")))
    return table["fits", "oom"] == 0


def families(judged: list[Judged]) -> dict[str, dict[str, float | int]]:
    """Errors of families with enough points, checkpointing on."""
    return {name: band(errors) for name, errors in _grouped(judged).items() if len(errors) >= ENOUGH}


def unmeasured(judged: list[Judged]) -> dict[str, float | int]:
    """What four of five families stay within with every figure, checkpointing on: for one with too few of its own.

    Each family counts once, by its worst: many figures of one say nothing of the rest.
    """
    worst = [max(errors) for errors in _grouped(judged).values()]
    return {"share": band(worst)["share"], "points": len(errors_of(judged, "on"))}


def _grouped(judged: list[Judged]) -> dict[str, list[float]]:
    grouped: dict[str, list[float]] = {}
    for one in sorted(judged, key=lambda one: one.row["architecture"]):
        if one.error is not None and one.checkpointing == "on":
            grouped.setdefault(one.row["architecture"], []).append(abs(one.error))
    return grouped


def write(judged: list[Judged]) -> None:
    """errors.yaml from what was measured."""
    content = {
        "gc_on": unmeasured(judged), "gc_off": band(errors_of(judged, "off")), "families": families(judged),
        "gpu_record": (HERE / RECORD).exists(),
    }  # fmt: skip
    head = (
        "# Written by `python -m knowledge.memory.validate --write`; not edited by hand.\n"
        "# Relative error that four of five public figures stay within, gradient checkpointing off and, by family, on; for\n"
        "# a family with too few of its own what four of five families stay within.\n"
    )
    (HERE / "errors.yaml").write_text(head + yaml.safe_dump(content, sort_keys=False), encoding="utf-8")


def main() -> None:
    """The command; exit status 1 where the medians or the verdicts are not as asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points", nargs="?", type=Path, default=HERE / "datapoints.csv", help="another file of points")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    judged = judge_all(given.points, Knowledge())
    good = report(judged)
    if given.write:
        write(judged)
    sys.exit(not good)


if __name__ == "__main__":
    main()
