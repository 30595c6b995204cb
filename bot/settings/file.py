"""Where the optional TOML file of settings lies, and how it is read."""

import os
import tomllib
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

PREFIX = "OOM_MEDIC_"
# The variable that names the file; it is no setting itself.
CONFIG = f"{PREFIX}CONFIG"
FILE = "oom-medic.toml"


class FileError(Exception):
    """The file cannot be used: `missing`, `unreadable` or `no_toml`, with its path and the reason."""

    def __init__(self, kind: str, path: Path, reason: str = "") -> None:
        super().__init__(f"{path}: {reason or kind}")
        self.kind, self.path, self.reason = kind, path, reason


def config_file() -> Path | None:
    """The file named by OOM_MEDIC_CONFIG, else the first there is: here, the user's own, the machine's."""
    named = os.environ.get(CONFIG)
    if named:
        return Path(named)
    own = Path(os.environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser())
    folders = (Path(), own / "oom-medic", Path("/etc/oom-medic"))
    return next((folder / FILE for folder in folders if _is_file(folder / FILE)), None)


def _is_file(path: Path) -> bool:
    """Whether there is a file; a folder that may not be looked into (root's own, for the bot's user) has none for us."""
    try:
        return path.is_file()
    except OSError:
        return False


def read(path: Path | None) -> dict[str, Any]:
    """Keys and values of the file; nothing where there is none. Raises FileError."""
    if path is None:
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileError("missing", path) from None
    except OSError as error:
        raise FileError("unreadable", path, error.strerror or str(error)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileError("no_toml", path, str(error)) from error


class TomlFile(PydanticBaseSettingsSource):
    """The file as a source of settings. Unknown keys are left to `sources.load` to refuse."""

    def __init__(self, settings_cls: type[BaseSettings]) -> None:
        super().__init__(settings_cls)
        self.values = read(config_file())

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002 its signature
        """The value of one key."""
        return self.values.get(field_name), field_name, False

    def __call__(self) -> dict[str, Any]:
        """What the file sets. A token is not taken from it."""
        return {
            name: value
            for name, value in self.values.items()
            if name in self.settings_cls.model_fields and name != "token"
        }
