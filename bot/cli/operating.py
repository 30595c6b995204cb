"""What the commands of whoever runs the bot share: the file of settings, and its faults as sentences."""

import os
from pathlib import Path
from typing import Any

import click

from bot.cli.language import AUTO, pick_language
from bot.cli.refuse import Failed, Refused, words_in_force
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import Locale
from bot.settings import Settings
from bot.settings.file import CONFIG
from bot.settings.sources import Loaded, Problem, SettingsError, load


def _name(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> None:
    # Through the environment, so that the engine's processes and every later reader see the same file.
    if path is not None:
        os.environ[CONFIG] = str(path)


config_option = click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="PATH",
    callback=_name,
    expose_value=False,
    is_eager=True,
    help="TOML file of settings. Default: OOM_MEDIC_CONFIG; else oom-medic.toml here, in ~/.config/oom-medic, /etc/oom-medic.",
)


def refused(key: str, **values: Any) -> Refused:
    """The exception that ends a command with these words, in the terminal's language."""
    words = words_in_force()
    return Refused(words.text(key, values), words)


def failed(key: str, **values: Any) -> Failed:
    """The same for what the call is not to blame for."""
    words = words_in_force()
    return Failed(words.text(key, values), words)


def loaded_settings(language: str = AUTO) -> Loaded:
    """The settings with their sources. What is wrong with them ends the command, all of it at once, with status 2."""
    try:
        return load()
    except SettingsError as error:
        knowledge = Knowledge()
        words = knowledge.locale(pick_language(language, knowledge))
        raise Refused("\n".join(_sentence(one, words) for one in error.problems), words) from error


def allowed_of(allowed: str, words: Locale) -> str:
    """What a setting may be, in words where it is no range and no list of values."""
    return words.find(f"service.settings.kinds.{allowed}") or allowed


def unit_of(unit: str, words: Locale) -> str:
    """A unit in words; empty where there is none."""
    return words.text(f"service.settings.units.{unit}") if unit else ""


def _sentence(problem: Problem, words: Locale) -> str:
    values = dict(problem.values)
    if "unit" in values:
        values["allowed"] = f"{allowed_of(values['allowed'], words)} {unit_of(values.pop('unit'), words)}".strip()
    return words.text(f"service.settings.{problem.kind}", values)


def settings_in_force() -> Settings:
    """The settings alone."""
    return loaded_settings().settings
