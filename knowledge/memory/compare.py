"""Simulates the steps that other trainers' public figures are about: `python -m knowledge.memory.compare`.

Fills the columns `weights_gib` and `dynamic_gib` of datapoints.csv (every row of a trainer other than ai-toolkit) with
what the simulator says of that trainer's own way: bf16 LoRA, on attention or on every layer, under autocast or not.
`knowledge/memory/validate.py` needs no torch: it adds up those columns, and asks the estimate itself for ai-toolkit.
"""

import argparse
import csv
from pathlib import Path

import torch

from knowledge.memory import comparison_models, toolkit_models
from knowledge.memory.run import ARCHITECTURES
from knowledge.memory.shapes import Architecture, Shape
from knowledge.memory.step import Way, prepare, run_step

POINTS = Path(__file__).parent / "datapoints.csv"
GIB = 2**30
MODELS: dict[str, Architecture] = {
    **ARCHITECTURES, **{arch.name: arch for arch in comparison_models.ARCHITECTURES},
}  # fmt: skip
# Weights that stand for the others in bytes, and the measured base that behaves like them in a step.
BASES = {
    "bf16": "none",
    "qfloat8": "qfloat8",
    "float8": "float8",
    "uint4": "float8",
    "uint2": "float8",
    "offload": "offload",
}


def way_of(row: dict[str, str]) -> Way:
    """How the row's trainer trains. `lora`: `half`, `half-attention` or `half-attention-autocast`."""
    return Way(
        BASES[row["base"]], int(row["rank"]), row["checkpointing"] == "on", True, "attention" in row["lora"],
        "autocast" in row["lora"],
    )  # fmt: skip


def simulate(row: dict[str, str]) -> tuple[float, float]:
    """GiB of base and LoRA with its optimizer, and GiB of the step's worst moment."""
    arch, way = MODELS[row["architecture"]], way_of(row)
    side = (int(row["width"]), int(row["height"]))
    controls = (side,) * int(row["controls"])
    shape = Shape(*side, int(row["batch"]), int(row["frames"]), int(row["text"]) if row["text"] else None, controls)
    peak = run_step(arch, shape, way).peak
    ready = prepare(arch, way)
    trained = sum(one.numel() for one in ready.trained)
    base = 2 * ready.sizes.plain if row["base"] == "offload" else ready.sizes.weight_bytes()[row["base"]]
    return (base + trained * (2 + float(row["optimizer_bytes"]))) / GIB, peak / GIB


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--toolkit", type=Path)
    parser.add_argument("--again", action="store_true", help="also rows that are filled already")
    given = parser.parse_args()
    toolkit_models.Toolkit.root = given.toolkit
    torch.set_num_threads(1)
    with POINTS.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if row["tool"] == "ai-toolkit" or (row["dynamic_gib"] and not given.again):
            continue
        weights, dynamic = simulate(row)
        row["weights_gib"], row["dynamic_gib"] = f"{weights:.2f}", f"{dynamic:.2f}"
        print(f"{row['id']}: {weights:.2f} + {dynamic:.2f}", flush=True)
        with POINTS.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
