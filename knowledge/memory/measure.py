"""Recomputes knowledge/memory/*.yaml: `python -m knowledge.memory.measure z-image flux-1 ... --toolkit FOLDER`.

Needs the dependency group `measure` (torch, diffusers, transformers, einops) and no GPU. Each architecture is built
with its true hyperparameters on the meta device and trained for one step per grid point (knowledge/memory/step.py).
What was measured is kept beside the result in `--raw`, so an interrupted run goes on where it stopped.
"""

import argparse
import sys
import time
from importlib.metadata import version
from pathlib import Path

import torch

from knowledge.memory import diffusers_models, toolkit_models
from knowledge.memory.coefficients import PREVIEWED, write_file
from knowledge.memory.raw import Raw
from knowledge.memory.shapes import Architecture
from knowledge.memory.terms import BACKENDS, Backend

HERE = Path(__file__).parent
ARCHITECTURES: dict[str, Architecture] = {
    arch.name: arch for arch in (*diffusers_models.ARCHITECTURES, *toolkit_models.ARCHITECTURES)
}


def backends_of(arch: Architecture) -> list[Backend]:
    """Quantized and offloaded bases only where the toolkit has them."""
    if not arch.quantizable:
        return ["none"]
    return [one for one in BACKENDS if one != "offload" or arch.offloadable]


def versions(toolkit: str | None) -> dict[str, str]:
    """What the coefficients were measured with."""
    found = {name: version(name) for name in ("torch", "diffusers", "transformers")}
    return found | ({"ai-toolkit": toolkit} if toolkit else {})


def measure(arch: Architecture, raw: Raw, folder: Path, stamp: dict[str, str]) -> None:
    """Measures one architecture and writes its file."""
    start = time.monotonic()
    for backend in backends_of(arch):
        for checkpointing in (False, True):
            raw.fill(arch, backend, checkpointing=checkpointing)
        if backend in PREVIEWED:
            raw.fill_previews(arch, backend)
    write_file(folder / f"{arch.name}.yaml", arch, raw, backends_of(arch), stamp)
    print(f"{arch.name}: {time.monotonic() - start:.0f} s", flush=True)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(ARCHITECTURES)}; none: all")
    parser.add_argument("--toolkit", type=Path, help="a checkout of ai-toolkit, for the models whose code it brings")
    parser.add_argument("--toolkit-commit", help="its commit, noted in the files")
    parser.add_argument("--raw", type=Path, default=Path("measured"), help="folder of the single measurements")
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--check", choices=("cuda", "residuals"))
    given = parser.parse_args()
    torch.set_num_threads(1)  # meta tensors have no arithmetic to share out
    toolkit_models.Toolkit.root = given.toolkit
    if given.check:
        from knowledge.memory.check import CHECKS

        sys.exit(CHECKS[given.check](given.out))
    for name in given.names or ARCHITECTURES:
        measure(ARCHITECTURES[name], Raw(given.raw, name), given.out, versions(given.toolkit_commit))


if __name__ == "__main__":
    main()
