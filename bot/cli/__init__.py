"""The command line `oom-medic`. Each command is a module of its own, imported only when it is called."""

import gc
import sys

import click

from bot import __version__
from bot.cli.group import Root
from bot.cli.streams import open_streams, output_is_full, tell_full

# Name on the command line -> where the click command is. Order is the order of --help.
COMMANDS = {
    "diagnose": "bot.cli.diagnose:diagnose",
    "ask": "bot.cli.ask:ask",
    "faq": "bot.cli.faq:faq",
    "estimate": "bot.cli.estimate:estimate",
    "plan": "bot.cli.plan:plan",
    "demo": "bot.cli.demo:demo",
    "knowledge": "bot.cli.knowledge:knowledge",
    "cases": "bot.cli.cases:cases",
    "run": "bot.cli.bot:run",
    "check": "bot.cli.bot:check",
    "settings": "bot.cli.settings:settings",
    "sbom": "bot.cli.sbom:sbom",
}


@click.group(cls=Root, commands_at=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="oom-medic")
def cli() -> None:
    """Paste an out-of-memory crash of ai-toolkit, get the cause and a diff of your own config."""


def main() -> None:
    """Run the command."""
    # What a command reads at its start stays: looking through it for cycles again and again is a tenth of a diagnosis.
    gc.set_threshold(50_000)
    open_streams()
    try:
        cli(prog_name="oom-medic")
    except OSError as error:
        if not output_is_full(error):
            raise
        tell_full(error)
        sys.exit(1)
