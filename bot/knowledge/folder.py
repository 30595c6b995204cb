"""Where knowledge/ lies: the operator's own folder, the wheel's copy, or the repository's folder beside the package."""

import os
from pathlib import Path
from typing import Any

from bot.yamledit import Limits, Parsed, parse

_LIMITS = Limits(characters=4_000_000, nodes=400_000)
# The operator's own folder; also the variable of the setting `knowledge`.
VARIABLE = "OOM_MEDIC_KNOWLEDGE"


def data_folder() -> Path:
    """Where knowledge/ lies: OOM_MEDIC_KNOWLEDGE, else what is shipped."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else shipped_folder()


def shipped_folder() -> Path:
    """What comes with the program: bot/_data in an installed wheel, else the repository's folder."""
    package = Path(__file__).resolve().parent.parent
    shipped = package / "_data"
    return shipped if shipped.is_dir() else package.parent / "knowledge"


def located(path: Path) -> Parsed:
    """A knowledge file with the places of its keys. Raises OSError, ParseError or LimitError."""
    return parse(path.read_text(encoding="utf-8"), _LIMITS)


def read_yaml(path: Path) -> Any:
    """The content of one knowledge file, its keys as text. Takes half the time of PyYAML's own loading."""
    return located(path).data


class DataFolder:
    """The files of knowledge/, as plain content."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or data_folder()

    def read(self, name: str) -> Any:
        """The plain content of one file, by its path inside knowledge/."""
        return read_yaml(self.folder / name)
