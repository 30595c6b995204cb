"""A click group whose commands are imported when they are asked for: `diagnose` must not pay for the Discord client."""

import importlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from bot.cli.streams import let_go_of_output
from bot.knowledge.folder import VARIABLE
from bot.yamledit import ParseError

_INTERRUPTED = 130  # what a shell reports of a program that Ctrl-C ended


class LazyGroup(click.Group):
    """`commands_at` maps a name to `module:attribute`. Names whose module is not installed are not listed."""

    def __init__(self, *args: Any, commands_at: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.commands_at = commands_at

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the table."""
        return [*self.commands_at, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        target = self.commands_at.get(cmd_name)
        if target is None:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{target} is no click command")
        return command


class Root(LazyGroup):
    """The command itself. A reader that closes the pipe early (`| head`) has seen enough: quiet, exit status 0."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command and hand everything written to the reader while its going away can still be told."""
        try:
            made = super().invoke(ctx)
            sys.stdout.flush()
        except (click.Abort, KeyboardInterrupt):
            raise _stopped() from None
        except BrokenPipeError:
            let_go_of_output()
            raise click.exceptions.Exit(0) from None
        except RuntimeError:
            if sys.stdin is not None:  # else a question that nobody can answer
                raise
            raise _stopped() from None
        except (OSError, ParseError, ValueError):
            fault = _fault_of_knowledge()
            if fault is None:
                raise
            raise click.ClickException(fault) from None
        return made


def _stopped() -> Exception:
    """A question that nobody answers: the person went, or the input that was piped in has no more lines."""
    from bot.cli.refuse import refuse, words_in_force

    if sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty():
        click.echo(f"\n{words_in_force().text('errors.stopped')}", err=True)
        return click.exceptions.Exit(_INTERRUPTED)
    click.echo(err=True)
    return refuse("input_ended")


def _fault_of_knowledge() -> str | None:
    """What is wrong with the operator's own knowledge, if anything. In English: the words are a part of it."""
    named = os.environ.get(VARIABLE)
    if not named:
        return None
    if not Path(named).is_dir():
        return f"{VARIABLE} names {named}, and there is no such folder."
    from bot.knowledge.load import Knowledge
    from bot.service.checking import faults

    found = faults(Knowledge(Path(named)))
    return f"The knowledge in {named} cannot be used: {found[0]}" if found else None
