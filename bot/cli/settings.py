"""`oom-medic settings`: every setting with its value, where that comes from, and what it may be."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

import click

from bot.cli.language import pick_language
from bot.cli.operating import allowed_of, config_option, loaded_settings, unit_of
from bot.cli.options import language_option
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import Locale
from bot.settings.sources import Entry


@click.command()
@config_option
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "toml")),
    default="text",
    help="For people, for programs, or as a file to fill in.",
)
@language_option
def settings(form: str, lang: str) -> None:
    """Print every setting: value, source, default and meaning. Secrets are masked.

    Exit status 2 where one is unknown or cannot be used.
    """
    loaded, knowledge = loaded_settings(lang), Knowledge()
    words = knowledge.locale(pick_language(lang, knowledge))
    entries = [_translated(entry, words) for entry in loaded.entries]
    if form == "json":
        click.echo(json.dumps([asdict(entry) for entry in entries], indent=1, ensure_ascii=False))
        return
    if form == "toml":
        click.echo("\n\n".join(_toml(entry) for entry in entries if entry.name != "token"))
        return
    click.echo(
        words.text("service.settings.file" if loaded.file else "service.settings.no_file", path=str(loaded.file))
    )
    for line in _lines(entries, words):
        click.echo(line)


def _translated(entry: Entry, words: Locale) -> Entry:
    """The same in the language of the reader."""
    return replace(
        entry,
        description=words.text(f"service.settings.about.{entry.name}"),
        unit=unit_of(entry.unit, words),
        allowed=allowed_of(entry.allowed, words),
    )


def _lines(entries: Sequence[Entry], words: Locale) -> Iterator[str]:
    for entry in entries:
        source = words.text(f"service.settings.sources.{entry.source}")
        place = f" ({entry.place})" if entry.place else ""
        value = " ".join(part for part in (entry.value, entry.unit) if part) if entry.value else "-"
        yield ""
        yield f"{click.style(entry.name, bold=True)} = {value}    {source}{place}"
        yield f"  {entry.description}"
        takes = words.text("service.settings.takes", allowed=f"{entry.allowed} {entry.unit}".strip())
        default = words.text("service.settings.default", value=entry.default or "-")
        yield f"  {entry.variable} · {takes} · {default}"


def _toml(entry: Entry) -> str:
    """A key with its meaning above it; commented out where it is not set."""
    number_or_switch = entry.allowed == "true | false" or entry.allowed.lstrip(">")[:1].isdigit()
    value = entry.value or entry.default
    # A JSON string is a TOML string too.
    line = f"{entry.name} = {value if number_or_switch else json.dumps(value, ensure_ascii=False)}"
    takes = f"{entry.allowed} {entry.unit}".strip()
    return f"# {entry.description}\n# ({takes})\n{line if entry.source == 'file' else f'# {line}'}"
