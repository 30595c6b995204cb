"""Recomputes knowledge/memory/*.yaml: `python -m knowledge.memory.measure z-image flux-1 ... --toolkit FOLDER`.

Measuring needs the dependency group `measure` (torch, diffusers, transformers, einops) and no GPU. Each architecture is
built with its true hyperparameters on the meta device and trained for one step per grid point (knowledge/memory/step.py).
What was measured is kept beside the result in `--raw`, so an interrupted run goes on where it stopped.
`--check residuals` reads the files alone; `--check shapes` measures odd shapes anew; `--check cuda` needs a GPU.
"""

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from knowledge.memory.residuals import check_residuals

HERE = Path(__file__).parent
NEEDED = ("torch", "diffusers", "transformers", "einops")
MISSING = 2


def missing() -> list[str]:
    """What of the dependency group `measure` is not installed."""
    return [name for name in NEEDED if find_spec(name) is None]


def arguments() -> argparse.Namespace:
    """The words of the call."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="architectures: the names of the files here; none: all")
    parser.add_argument("--toolkit", type=Path, help="a checkout of ai-toolkit, for the models whose code it brings")
    parser.add_argument("--toolkit-commit", help="its commit, noted in the files")
    parser.add_argument("--raw", type=Path, default=Path("measured"), help="folder of the single measurements")
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--check", choices=("residuals", "shapes", "cuda"))
    return parser.parse_args()


def main() -> int:
    """The command. Exit status 2 where something that it needs is not there; 1 where a check fails."""
    given = arguments()
    if given.check == "residuals":
        return check_residuals(given.out)
    absent = missing()
    if absent:
        print(f"This needs {', '.join(absent)}, missing here: python -m pip install --group measure", file=sys.stderr)
        return MISSING
    from knowledge.memory import run

    try:
        return run.run(given)
    except run.Unmet as unmet:
        print(unmet, file=sys.stderr)
        return MISSING


if __name__ == "__main__":
    sys.exit(main())
