"""The command as a process of its own, as people run it."""

import os
import subprocess
import sys
from pathlib import Path


def run(*words, given=None, folder=None, **environment):
    """A finished call; no locale but the one that is named."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG"))}
    return subprocess.run(
        [sys.executable, "-m", "bot", *map(str, words)],
        input=given, capture_output=True, check=False, cwd=folder,
        env={**inherited, "PYTHONPATH": str(Path.cwd()), "LC_ALL": "C.UTF-8", **environment},
    )  # fmt: skip
