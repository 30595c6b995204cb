"""What editors and version control put into the margin of a file: line numbers, and the marks of a diff."""

import re
from collections.abc import Iterator
from itertools import pairwise

from bot.intake.text.rows import Row

_ANY_NUMBER = re.compile(r"(?m)^[ \t]*(?:L|Line |[(\[#])?\d{1,5}(?:[ \t:|.)\]\u2502]|$)")
_NUMBER = re.compile(r"[ \t]*(?:L|Line |[(\[#])?(\d{1,5})(?:[ \t]*([:|\u2502])|[.)\]]?(?=[ \t]|$))")
_ROW = re.compile(r"""[ \t]*(?:-[ \t]|[\]}\[{#"'`*]|[A-Za-z_][\w.\\-]*[ \t]*:)""")
_ADDED = re.compile(r"""\+[ \t]*(?:-[ \t]+\S|[\]}\[{#]|(?:-[ \t]+)?["']?[A-Za-z_][\w.-]*["']?[ \t]*:(?:[ \t]|$))""")
_HUNK = ("+++ ", "--- ", "@@", "diff --git", "index ")
_CONTEXT = re.compile(r"""[ \t+@-]|["']?[\w.-]+["']?[ \t]*:""")
_FEWEST = 3  # rows that count up by one are numbered; fewer are a list of something
_FEWEST_ROWS = 6  # the same for rows of their own
_LONGEST = 12
_WIDEST = 2  # blanks between a number and its row; what is more is indentation


def without_numbers(text: str, rows: list[Row]) -> list[Row]:
    """The rows without the line numbers that an editor, `cat -n` or `grep -n` put before a run of them."""
    if _ANY_NUMBER.search(text) is None:
        return rows
    rows = _without_number_rows(rows)
    made = list(rows)
    for run in _runs(rows):
        inner = [rows[at][0][end:] for at, end, _ in run]
        blanks = min((len(row) - len(row.lstrip(" ")) for row in inner if row.strip()), default=0)
        widest = 1 if run[0][2] else _WIDEST
        for (at, _, _), row in zip(run, inner, strict=True):
            kept = row[1:] if row[:1] == "\t" else row[min(blanks, widest) :] if row.strip() else ""
            made[at] = (kept, rows[at][1])
    return made


def _without_number_rows(rows: list[Row]) -> list[Row]:
    """The rows without those that hold nothing but a number, where these count up by one: a page's column of line numbers."""
    bare = [at for at, (row, _) in enumerate(rows) if row.strip().isdecimal() and len(row) < _LONGEST]
    numbers = [int(rows[at][0]) for at in bare]
    if len(bare) < _FEWEST_ROWS or any(b != a + 1 for a, b in pairwise(numbers)):
        return rows
    gone = set(bare)
    return [row for at, row in enumerate(rows) if at not in gone]


def _runs(rows: list[Row]) -> Iterator[list[tuple[int, int, bool]]]:
    """Runs of rows whose numbers count up by one: index, where the number ends, whether a mark follows it."""
    run: list[tuple[int, int, bool]] = []
    last = 0
    for at, (row, _) in enumerate(rows):
        found = _NUMBER.match(row)
        number = int(found[1]) if found else -1
        if run and number != last + 1 and (found or row.strip()):
            if _is_numbered(rows, run):
                yield run
            run = []
        if found and (not run or number == last + 1):
            run.append((at, found.end(), found[2] is not None))
            last = number
    if _is_numbered(rows, run):
        yield run


def _is_numbered(rows: list[Row], run: list[tuple[int, int, bool]]) -> bool:
    """Whether enough of it reads as rows of a file."""
    return len(run) >= _FEWEST and 2 * sum(_ROW.match(rows[at][0], end) is not None for at, end, _ in run) > len(run)


def without_marks(text: str, rows: list[Row]) -> list[Row]:
    """A pasted diff as the file is now: removed rows go, added ones lose their plus."""
    if "\n+" not in text and text[:1] != "+":
        return rows
    made: list[Row] = []
    at = 0
    while at < len(rows):
        stop = at
        while stop < len(rows) and (not rows[stop][0] or _CONTEXT.match(rows[stop][0])):
            stop += 1
        block = rows[at:stop]
        made += _as_now(block) if any(_ADDED.match(row) for row, _ in block) else block
        made += rows[stop : stop + 1]
        at = stop + 1
    return made


def _as_now(block: list[Row]) -> list[Row]:
    block = [(row, number) for row, number in block if not row.startswith(_HUNK)]
    heads = [row[:1] or " " for row, _ in block]
    by_hand = any(head not in " \t+-@" for head in heads)  # a real diff has a blank before what has not changed
    marked = not by_hand and any(row[:1] == " " for row, _ in block)  # then every row has its column for the mark
    return [
        (row[1:] if marked or head == "+" else row, number)
        for at, ((row, number), head) in enumerate(zip(block, heads, strict=True))
        if head != "-" or not (_beside_added(heads, at) or not by_hand)
    ]


def _beside_added(heads: list[str], at: int) -> bool:
    """Whether a row with a minus stands right above or below added ones; else it may be an item of a list."""
    above = next((head for head in reversed(heads[:at]) if head != "-"), "")
    below = next((head for head in heads[at + 1 :] if head != "-"), "")
    return "+" in {above, below}
