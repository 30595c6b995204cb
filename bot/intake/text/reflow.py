"""Lines that came doubled, joined or torn."""

import itertools
import re

from bot.intake.text.rows import LONG, Row

_TRACEBACK = "Traceback (most recent call last):"
_SPLIT = re.compile(
    r'[ \t]+(?=File "[^"\n]{1,400}", line \d|Traceback \(most recent|[A-Za-z_][\w.]{0,60}(?:Error|Exception|Interrupt): )'
)
_FRAME = re.compile(r'(File "[^"\n]{1,400}", line \d{1,7}, in [\w.<>]{1,100})[ \t]+(?=\S)')
_ECHO = re.compile(r"([A-Za-z_][\w.]{2,120}?)\1: ?: (.+)$")


def split_long(rows: list[Row]) -> list[Row]:
    """A traceback that lost its line breaks gets them back before each frame and each error class."""
    if not any(len(row) > LONG for row, _ in rows):
        return rows
    made: list[Row] = []
    for row, number in rows:
        if len(row) > LONG and ' File "' in row:
            broken = _FRAME.sub(r"\1\n    ", _SPLIT.sub("\n", row))
            made += [(f"  {piece}" if piece.startswith("File ") else piece, number) for piece in broken.split("\n")]
        else:
            made.append((row, number))
    return made


def undouble(text: str, rows: list[Row]) -> list[Row]:
    """Once what ai-toolkit wrote twice, to the terminal and to its log: `main()main()`, equal neighbouring lines."""
    if text.count(_TRACEBACK) < 2 and "()main()" not in text and "()job.run()" not in text:
        return rows
    marks = (_TRACEBACK, "()main()", "()job.run()")
    first = next((at for at, (row, _) in enumerate(rows) if any(mark in row for mark in marks)), len(rows))
    halved = [(_halve(row), number) for row, number in rows[first:]]
    doubled = any(a[0].strip() == b[0].strip() == _TRACEBACK for a, b in itertools.pairwise(halved))
    if not doubled and all(a[0] == b[0] for a, b in zip(halved, rows[first:], strict=True)):
        return rows
    made = rows[:first]
    for row in halved:
        if not (made and made[-1][0] == row[0] and any(map(str.isalpha, row[0]))):
            made.append(row)
    return made


def _halve(row: str) -> str:
    """`XX` as `X`, and `RuntimeErrorRuntimeError: : textText` as the one error it was."""
    body = row.strip()
    half = len(body) // 2
    if half > 2 and body[:half] == body[len(body) - half :] and not body[half : len(body) - half].strip():
        indent = (len(row) - len(row.lstrip())) // 2
        return " " * indent + body[:half].rstrip() if any(map(str.isalpha, body)) else row
    echo = _ECHO.match(body) if ": " in body else None
    if echo is None:
        return row
    said = echo[2]
    half = len(said) // 2
    return f"{echo[1]}: {said[:half] if said[:half] == said[half:] else said}"


def unwrap(rows: list[Row]) -> list[Row]:
    """Lines torn at a fixed column by a terminal, joined again.

    Only where at least three lines share the greatest length and stand before a line that goes on with no indent of
    its own: a width that nothing but a terminal gives.
    """
    width = max((len(row) for row, _ in rows), default=0)
    if not 40 <= width <= 250 or sum(len(row) == width for row, _ in rows) < 3:
        return rows
    made: list[Row] = []
    torn = False
    for row, number in rows:
        if torn and row.strip():
            made[-1] = (made[-1][0] + row, made[-1][1])
        else:
            made.append((row, number))
        torn = len(row) == width and any(map(str.isalpha, row))
    return made
