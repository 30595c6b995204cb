"""The settings in force with where each comes from; anything unknown or wrong is refused by name."""

import difflib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo

from bot.settings.fields import Settings
from bot.settings.file import CONFIG, PREFIX, FileError, config_file, read

CREDENTIAL = "token"
Source = Literal["default", "environment", "file", "credential"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is refused. Words: `service.settings.<kind>`, filled with `values`."""

    kind: str
    values: Mapping[str, Any]


class SettingsError(Exception):
    """The settings cannot be used. `problems` are all that is wrong, not only the first."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(f"{one.kind} {dict(one.values)}" for one in problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Entry:
    """A setting as it is in force. `value` and `default` are as they would be written; a secret's value is masked.

    `unit`, `allowed` and `description` are as in `Settings`; `bot.cli.operating` puts them into a person's language.
    """

    name: str
    variable: str
    value: str
    default: str
    source: Source
    place: str
    unit: str
    allowed: str
    description: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings, the file that was read (None: there is none), and each setting with its source."""

    settings: Settings
    file: Path | None
    entries: tuple[Entry, ...]


def load() -> Loaded:
    """Read the settings. Raises SettingsError with everything that is wrong."""
    environment, file = os.environ, config_file()
    try:
        written = read(file)
    except FileError as error:
        raise SettingsError((Problem(error.kind, {"path": str(error.path), "reason": error.reason}),)) from None
    problems = [*_unknown_variables(environment), *_unknown_keys(written, file)]
    settings = None
    try:
        settings = Settings()
    except ValidationError as error:
        problems += [_bad_value(fault, environment, file) for fault in error.errors(include_url=False)]
    if problems or settings is None:
        raise SettingsError(tuple(problems))
    return Loaded(settings, file, tuple(_entries(settings, written, file, environment)))


def credential(environment: Mapping[str, str]) -> Path | None:
    """The token as systemd hands it over (LoadCredential=token:…), where it does."""
    folder = environment.get("CREDENTIALS_DIRECTORY")
    place = Path(folder) / CREDENTIAL if folder else None
    return place if place is not None and place.is_file() else None


def allowed(field: FieldInfo) -> str:
    """What a setting takes, in no language: `1…3650`, `>0…300`, `json | console`, `true | false`, `path`, `text`."""
    bounds: dict[str, Any] = {}
    for constraint in field.metadata:
        bounds |= {name: getattr(constraint, name) for name in ("ge", "gt", "le") if hasattr(constraint, name)}
    if bounds:
        least = f">{bounds['gt']}" if "gt" in bounds else str(bounds["ge"])
        return f"{least}…{bounds['le']}"
    if get_origin(field.annotation) is Literal:
        return " | ".join(get_args(field.annotation))
    if field.annotation is bool:
        return "true | false"
    return "path" if Path in (field.annotation, *get_args(field.annotation)) else "text"


def _unknown_variables(environment: Mapping[str, str]) -> Iterator[Problem]:
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields} | {CONFIG}
    for name in sorted(environment):
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            yield Problem("unknown_variable", {"name": name, "meant": _meant(name.upper(), known)})


def _unknown_keys(written: Mapping[str, Any], file: Path | None) -> Iterator[Problem]:
    known = Settings.model_fields.keys() - {"token"}
    for name in written:
        if name == "token":
            yield Problem("token_in_file", {"path": str(file)})
        elif name not in known:
            yield Problem("unknown_key", {"name": name, "path": str(file), "meant": _meant(name, known)})


def _meant(name: str, known: "set[str] | frozenset[str]") -> str | None:
    """The name that was probably meant. Where nothing is near, the sentence about it is left out."""
    return next(iter(difflib.get_close_matches(name, sorted(known), 1, 0.7)), None)


def _bad_value(fault: Any, environment: Mapping[str, str], file: Path | None) -> Problem:
    name = str(fault["loc"][0])
    field = Settings.model_fields[name]
    variable = _variable(name, environment)
    place = variable or f"{name} ({file})"
    value = "…" if name == "token" else (environment[variable] if variable else fault["input"])
    return Problem("bad_value", {"name": place, "value": str(value), "allowed": allowed(field), "unit": _unit(field)})


def _variable(name: str, environment: Mapping[str, str]) -> str | None:
    """The environment variable that sets a field; their case does not matter, and an empty one sets nothing."""
    wanted = f"{PREFIX}{name}".upper()
    return next((one for one in environment if one.upper() == wanted and environment[one]), None)


def _entries(
    settings: Settings, written: Mapping[str, Any], file: Path | None, environment: Mapping[str, str]
) -> Iterator[Entry]:
    for name, field in Settings.model_fields.items():
        value = getattr(settings, name)
        source, place = _source(name, written, file, environment)
        yield Entry(
            name=name,
            variable=f"{PREFIX}{name.upper()}",
            value="********" if isinstance(value, SecretStr) or source == "credential" else shown(value),
            default=shown(field.default),
            source=source,
            place=place,
            unit=_unit(field),
            allowed=allowed(field),
            description=field.description or "",
        )


def _source(
    name: str, written: Mapping[str, Any], file: Path | None, environment: Mapping[str, str]
) -> tuple[Source, str]:
    variable = _variable(name, environment)
    if variable is not None:
        return "environment", variable
    if name in written:
        return "file", str(file)
    place = credential(environment) if name == CREDENTIAL else None
    own_file = _variable("token_file", environment) or "token_file" in written
    return ("credential", str(place)) if place is not None and not own_file else ("default", "")


def shown(value: Any) -> str:
    """A value as it would be written in the environment; empty where nothing is set."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _unit(field: FieldInfo) -> str:
    extra = field.json_schema_extra
    return str(extra["unit"]) if isinstance(extra, dict) else ""
