"""Standard output, input and error as a call finds them: closed, full, or in a code page of their own."""

import errno
import io
import os
import sys

import click

_NO_ROOM = frozenset({errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC)})


def open_streams() -> None:
    """A legacy code page must not turn an arrow or an umlaut into a crash, nor a stream that was closed a word to it."""
    if sys.stdout is None:
        sys.stdout = _nowhere()
    if sys.stderr is None:
        sys.stderr = _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _nowhere() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.FileIO(os.open(os.devnull, os.O_WRONLY), "w"), encoding="utf-8")


def let_go_of_output() -> None:
    """What is still buffered goes nowhere when the interpreter flushes it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def output_is_full(error: OSError) -> bool:
    """Whether what failed is writing the answer, told by its number and by there being no file that it is about."""
    return error.filename is None and error.errno in _NO_ROOM


def tell_full(error: OSError) -> None:
    """Say that the answer did not get out."""
    from bot.cli.refuse import words_in_force

    let_go_of_output()
    words = words_in_force()
    said = words.text("errors.no_output", reason=error.strerror or str(error))
    click.echo(f"{words.text('errors.prefix')} {said}", err=True)
