"""`measure --check residuals`: what the coefficients files say of themselves. Needs no torch."""

from pathlib import Path

import yaml

HELD_OUT = 0.03  # largest error allowed at shapes that no fit has seen
SIZE = 0.02  # largest difference from the published parameter count


def check_residuals(folder: Path) -> int:
    """Prints every fit's errors; 1 where one is too large or a size is not the published one."""
    bad = 0
    for path in sorted(folder.glob("*.yaml")):
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        if not isinstance(content, dict) or "backends" not in content:
            continue
        published = content["published"]
        off = abs(content["parameters"] / 1e9 / published - 1) if published else 0.0
        print(
            f"{path.stem}: {content['parameters'] / 1e9:.2f} billion values (published: {published}); {content['basis']}"
        )
        bad += off > SIZE
        for base, fits in content["backends"].items():
            for name, fit in fits.items():
                held = fit["held_out"]
                bad += held is not None and held > HELD_OUT
                said = "not measured" if held is None else f"{held:.2%}"
                print(f"  {base:8} {name:8} points {fit['points']:2}  residual {fit['residual']:7.2%}  held out {said}")
    return int(bad > 0)
