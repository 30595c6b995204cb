"""What notes, chats and task lists put before every row of a config: one and the same bullet, or quotes around each."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from bot.intake.repair.nesting import nesting
from bot.intake.text.rows import Row

BULLETS = frozenset("*+|;~$:/-=>\u2013\u2014\u2022\u25e6\u25aa\u25cf\u25cb\u2023\u00b7\u2192\u2013\"'`")
_BULLET = re.compile(r"""([ \t]{0,8})((?:[-*+] )?\[[ xX]?\]|[^\w\s"'`{}\[\]]{1,4}|:\w{1,30}:)(?:[ \t](.*))?$""")
_QUOTED = re.compile(r"""([ \t]{0,8})(["'`])(.*)\2[ \t]*,?[ \t]*$""")
_ENTRY = re.compile(r"""[ \t]*(?:-[ \t]+)?["']?([A-Za-z_]\w{0,60})["']?[ \t]*:(?=[ \t]|$)[ \t]*(.*)$""")
_CHECKED = "[ ]"
_FEWEST = 3  # rows; of fewer each may mean what it says


class _Run(NamedTuple):
    """Rows from `first` on, what stands before each, and the rows without it."""

    first: int
    mark: str
    bodies: list[str]


def without_bullets(rows: list[Row]) -> list[Row]:
    """The rows without the bullet that each row of a run has, where sections of a config stand in that run.

    A section is no item of a list, so the bullets are none of YAML's. Rows that are commented out stay so, unless there
    is no other row of a config.
    """
    marked = [run for run in _runs(rows) if _is_config(run.bodies)]
    if any(run.mark.strip() == "#" for run in marked) and _speaks(rows):
        marked = [run for run in marked if run.mark.strip() != "#"]
    if not marked:
        return rows
    made = list(rows)
    for run in marked:
        for at, body in enumerate(run.bodies, run.first):
            if run.mark.strip() != "-" or not _is_item(body):
                made[at] = (body, rows[at][1])
    return made


def _is_item(body: str) -> bool:
    """Whether a row has no key: then its dash may be its own."""
    return bool(body.strip()) and body.lstrip()[0] != "#" and _ENTRY.match(body) is None


def _runs(rows: list[Row]) -> Iterator[_Run]:
    """Runs of rows that begin alike. Blank rows are of any run."""
    at = 0
    while at < len(rows):
        found = _marked(rows[at][0])
        if found is None:
            at += 1
            continue
        mark, bodies, stop = found[0], [found[1]], at + 1
        while stop < len(rows):
            row = rows[stop][0]
            below = (mark, "") if not row.strip() else _marked(row)
            if below is None or below[0] != mark:
                break
            bodies.append(below[1])
            stop += 1
        if len(bodies) >= _FEWEST:
            yield _Run(at, mark, bodies)
        at = stop


def _marked(row: str) -> tuple[str, str] | None:
    """What stands before a row, and the row without it."""
    quoted = _QUOTED.match(row)
    if quoted:
        return f"{quoted[1]}{quoted[2]}", quoted[3]
    found = _BULLET.match(row)
    if found is None:
        return None
    mark = f"{found[2][:-3]}{_CHECKED}" if found[2].endswith("]") else found[2]
    return f"{found[1]}{mark}", found[3] or ""


def _is_config(bodies: list[str]) -> bool:
    """Whether a section begins among them, with a known key below it."""
    known = nesting()
    entries = [(entry[1], entry[2]) for entry in map(_ENTRY.match, bodies) if entry]
    return sum(key in known.known for key, _ in entries) >= _FEWEST and any(
        key in known.containers and (not value or value[0] == "#") for key, value in entries
    )


def _speaks(rows: list[Row]) -> bool:
    """Whether a row that is no comment holds a key of a config."""
    known = nesting().known
    return any((entry := _ENTRY.match(row)) and entry[1] in known for row, _ in rows)
