"""`--format diff`: the change against the very bytes of the person's file, for `patch` and `git apply`.

A reply's diff is for reading: it shows the config as it was read, with placeholders where something is hidden. Neither
does this one show what is hidden: lines that hold it are left out of its context.
"""

import re
from typing import TYPE_CHECKING

import click

from bot.yamledit.exact import exact_diff

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.diagnosis import Diagnosis
    from bot.evidence import Evidence, Redaction
    from bot.intake.read import Pasted
    from bot.knowledge.locale import Locale

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def show_diff(pasted: "Sequence[Pasted]", evidence: "Evidence", diagnosis: "Diagnosis", words: "Locale") -> bool:
    """Print the diff, if there is one, on standard output, and on standard error what keeps it from being applied."""
    if not diagnosis.diff or evidence.config is None:
        click.echo(words.text("cli.no_diff"), err=True)
        return False
    at = evidence.config.source
    original, fixed = _texts(pasted[at], evidence, diagnosis)
    lacking = "not_own_diff"
    if fixed is not None:
        hidden = _hidden_rows(original, [one for one in evidence.redactions if one.source == at])
        made = exact_diff(original, fixed, pasted[at].name, hidden)
        if made is not None:
            click.echo(made.text.encode("utf-8", "surrogateescape"), nl=False)
            if made.loose:
                click.echo(words.text("cli.loose_diff"), err=True)
            return True
        lacking = "hidden_diff"
    click.echo(diagnosis.diff, nl=False)
    click.echo(words.text(f"cli.{lacking}", name=pasted[at].name), err=True)
    return True


def _texts(own: "Pasted", evidence: "Evidence", diagnosis: "Diagnosis") -> tuple[str, str | None]:
    """The file before and after; None for the latter where lines of UTF-8 cannot say it."""
    from bot.intake.read import carry_back
    from bot.intake.text.decode import raw_text

    fixed = carry_back(own, evidence, diagnosis.patched) if diagnosis.patched is not None else None
    if fixed is None or not isinstance(own.data, bytes) or b"\0" in own.data:
        return "", None
    return raw_text(own.data, "utf-8"), raw_text(fixed, "utf-8")


def _hidden_rows(text: str, redactions: "Sequence[Redaction]") -> set[int]:
    """The rows (from 0) in which something is hidden, or that would steer the terminal they are shown on."""
    spans = [(one.start, one.end) for one in redactions] + [found.span() for found in _CONTROL.finditer(text)]
    rows: set[int] = set()
    row = at = 0
    for start, end in sorted(spans):
        row += text.count("\n", at, start)
        at = start
        rows.update(range(row, row + text.count("\n", start, end) + 1))
    return rows
