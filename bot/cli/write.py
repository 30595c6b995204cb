"""`--apply` and `--in-place`: the fix in the person's own bytes, never over the input unless they say so."""

import errno
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.inputs import STDIN
from bot.cli.refuse import refuse

if TYPE_CHECKING:
    from bot.diagnosis import Diagnosis
    from bot.evidence import Evidence
    from bot.intake.read import Pasted
    from bot.knowledge.locale import Locale


def check_targets(files: Sequence[str], out: str | None, *, in_place: bool, force: bool) -> None:
    """Refuse, before any work, to write where it is not allowed. Raises Refused."""
    if out is not None and in_place:
        raise refuse("apply_and_in_place")
    if in_place and (not files or STDIN in files):
        raise refuse("in_place_stdin")
    if out is None:
        return
    if not out:
        raise refuse("no_name")
    target = Path(out)
    if any(_same(Path(name), target) for name in files if name != STDIN):
        raise refuse("same_file", name=out)
    try:
        is_folder, exists, has_folder = target.is_dir(), target.exists(), target.parent.is_dir()
    except OSError as error:  # a folder that may not be looked into
        raise refuse("cannot_write", name=out, reason=error.strerror or str(error)) from None
    if is_folder:
        raise refuse("out_is_folder", name=out)
    if not has_folder:
        raise refuse("no_out_folder", folder=str(target.parent), name=target.name)
    if exists and not force:
        raise refuse("out_exists", name=out)


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one.absolute() == other.absolute()


def target_of(files: Sequence[str], evidence: "Evidence", out: str | None) -> Path | None:
    """Where the fix goes: `out`, else the config file itself; None where no config was found."""
    if out is not None:
        return Path(out)
    return Path(files[evidence.config.source]) if evidence.config is not None else None


def write_fixed(
    pasted: "Sequence[Pasted]", evidence: "Evidence", diagnosis: "Diagnosis", locale: "Locale", target: Path | None
) -> bool:
    """Write the original with the fix in it, and say on stderr whether. Raises Refused where that cannot be written."""
    from bot.intake.read import carry_back

    if not diagnosis.diff or evidence.config is None or diagnosis.patched is None or target is None:
        click.echo(locale.text("cli.nothing_to_apply"), err=True)
        return False
    fixed = carry_back(pasted[evidence.config.source], evidence, diagnosis.patched)
    if fixed is None:
        click.echo(locale.text("cli.not_own_file"), err=True)
        return False
    try:
        replace_file(target, fixed)
    except OSError as error:
        raise refuse("cannot_write", name=str(target), reason=error.strerror or str(error)) from None
    click.echo(locale.text("cli.written", name=str(target)), err=True)
    return True


def others_unchanged(files: Sequence[str], evidence: "Evidence") -> list[str]:
    """The further inputs that hold a config, as they were named."""
    chosen = evidence.config.source if evidence.config is not None else None
    return [files[source] for source in sorted({other.source for other in evidence.others}) if source != chosen]


def replace_file(target: Path, content: bytes) -> None:
    """Write in one go: a reader sees the old file or the new one. Keeps the mode of an existing file."""
    import tempfile

    if target.exists() and not target.is_file():  # a pipe or a device
        target.write_bytes(content)
        return
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))  # a folder one may write in is no leave to do so
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(dir=target.absolute().parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(name).chmod(mode)
        Path(name).replace(target.resolve() if target.is_symlink() else target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
