"""A unified diff with little context."""

from difflib import unified_diff as _unified_diff

_NO_NEWLINE = "\\ No newline at end of file"


def unified_diff(before: str, after: str, name: str, context: int = 2) -> str:
    r"""`--- name`/`+++ name` and the hunks, lines ended by `\n`; an empty text where nothing differs.

    Windows line ends are shown as plain ones: they are the same before and after.
    """
    shown = _unified_diff(_lines(before), _lines(after), name, name, n=context)
    return "".join(line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}\n" for line in shown)


def _lines(text: str) -> list[str]:
    plain = text.replace("\r\n", "\n")
    lines = plain.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])
