"""`oom-medic sbom`: what is installed with it."""

import json

import click

from bot.cli.operating import refused
from bot.service.sbom import NotInstalledError, cyclonedx, parts


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(("cyclonedx", "licences")),
    default="cyclonedx",
    help="JSON, or a table of licences.",
)
def sbom(form: str) -> None:
    """Print a bill of materials of this installation.

    Packages, versions and licences.
    """
    try:
        found = parts()
    except NotInstalledError:
        raise refused("service.sbom.not_installed") from None
    if form == "cyclonedx":
        click.echo(json.dumps(cyclonedx(found), indent=1))
        return
    click.echo("| package | licence |\n|---|---|")
    for part in found.values():
        click.echo(f"| {part.name} | {part.licence} |")
