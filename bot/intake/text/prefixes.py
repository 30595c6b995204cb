"""What log collectors, terminals and mail put before each line."""

import json
import re
from collections.abc import Sequence
from typing import Any

from bot.intake.text.bullets import without_bullets
from bot.intake.text.folds import fold
from bot.intake.text.margins import without_marks, without_numbers
from bot.intake.text.rows import MONTHS, Row

_ROUNDS = 5  # prefixes on prefixes: a quotation mark, a docker stamp, then a rank
_QUOTE = re.compile(r"[ \t]{0,16}(?:> ?){1,6}")
_STAMP = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?(?:[ \t]|$)(?:std(?:out|err) [FP](?: |$))?"
    r"|\d{1,7}\.\d{1,3}s[ \t]+\d{1,7}[ \t]"
)
# What Python's logging and loguru put behind the time: `| INFO     | module:function:88 - `, ` - trainer - ERROR - `.
_LEVEL = re.compile(
    r"(?:[|-] ?)?(?:[\w.]{1,60} - )?(?:\[(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL)\] ?"
    r"|(?:TRACE|DEBUG|INFO|SUCCESS|WARN(?:ING)?|ERROR|CRITICAL)"
    r"(?: {0,8}\| ?(?:[\w.<>-]{1,90}:[\w.<>-]{1,60}:\d{1,6} ?- )?| ?- |: ?| ))"
)
_BRACKET = re.compile(
    r"\[rank\d{1,4}\]:(?: |$)|\[\d{1,4}\]: |\[\d,\d{1,4}\]<std(?:err|out)>: ?|\[pod/[^\]\s]{1,200}\] "
    r"|\[\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\] ?|\[\d\d:\d\d:\d\d\] |\[(?:DEBUG|INFO|WARN(?:ING)?|ERROR)\] "
)
_JOURNAL = re.compile(r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,80} [\w.@/()-]{1,80}(?:\[\d{1,8}\])?:(?: |$)")
_SHELL = re.compile(r"wandb:(?: |$)|python(?:\.exe)? ?: |\(\w{1,40} pid=\d{1,8}(?:, ip=[\d.]{1,40})?\) ")
_COMPOSE = re.compile(r"([A-Za-z0-9][\w.-]{0,60})[ ]{0,30}\|(?: |$)")
_BOX = re.compile("[\u2500-\u257f\u276e\u276f\u2771]")
_RICH_FRAME = re.compile(r"(\S{1,300}\.py):(\d{1,6}) in (\S{1,100})\s*$")
_ESCAPED_ROW = re.compile(r"""\\n(?:[ \t]|\\t){0,40}(?:- )?\\?["']?[a-z_]{2,40}\\?["']?:""")
_ESCAPED_ROWS = 3
_TABS = re.compile(r"\\n(?:\\t){1,40}")
_FIELDS = ("log", "message", "msg", "error", "textPayload", "line")


def strip_prefixes(text: str, rows: list[Row], depth: int = 1) -> list[Row]:
    """The rows without what stands before each; `text` is all of them, for a quick look.

    A row that holds several lines (JSON logs, escaped line feeds) gives several with one number.
    """
    made = rows
    heads = {row[:1] for row, _ in made}
    names = _services(made) if " | " in text or " |\n" in text else frozenset()
    indented = (" >" in text or "\t>" in text) and sum(row.lstrip()[:1] == ">" for row, _ in made) * 2 > len(made)
    quoted = ">" in heads or indented
    stamped = not heads.isdisjoint("0123456789")
    journal = not MONTHS.isdisjoint({row[:3] for row, _ in made})
    shell = "wandb:" in text or "python : " in text or "python.exe : " in text or " pid=" in text
    first = "".join(
        (">" if quoted else "", " \t" if indented else "", "0123456789" if stamped else "", "[" if "[" in heads else "",
         "wp(" if shell else "", "".join(month[0] for month in MONTHS) if journal else "")
    )  # fmt: skip
    if first or names:
        made = [(_strip(row, names) if names or row[:1] in first else row, number) for row, number in made]
    if "\u2502" in text or "\u256d" in text:
        made = [(_unbox(row), number) for row, number in made]
    made = _without_margins(text, made, rows)
    if '{"' in text or "\\n" in text:
        expanded = [(piece, number) for row, number in made for piece in _expand(row)]
        if len(expanded) != len(made) or expanded != made:
            inner = "\n".join(row for row, _ in expanded)
            # A record may hold what another collector wrote; a record inside a record is left as it is.
            return strip_prefixes(inner, expanded, depth - 1) if depth else expanded
    return made


def _without_margins(text: str, rows: list[Row], before: list[Row]) -> list[Row]:
    """The rows without line numbers and the marks of a diff, and, where anything went, with what that has laid bare undone."""
    stripped = rows is not before and rows != before
    inner = "\n".join(row for row, _ in rows) if stripped else text
    made = without_bullets(without_marks(inner, without_numbers(inner, rows)))
    if made is rows and not stripped:
        return rows
    inner = "\n".join(row for row, _ in made)
    undone = fold(inner)
    if undone == inner:
        return made
    return [(row, number) for row, (_, number) in zip(undone.split("\n"), made, strict=True)]


def _strip(row: str, names: frozenset[str]) -> str:
    for _ in range(_ROUNDS):
        found = _prefix(row, names)
        if found is None:
            return row
        row = row[found:]
    return row


def _prefix(row: str, names: frozenset[str]) -> int | None:
    head = row[:1]
    if head == ">" or (head in " \t" and row.lstrip()[:1] == ">"):
        found = _QUOTE.match(row)
    elif head.isdigit() or head == "[":
        found = _STAMP.match(row) if head != "[" else _BRACKET.match(row)
        level = _LEVEL.match(row, found.end()) if found else None
        found = level or found
    elif row[:3] in MONTHS:
        found = _JOURNAL.match(row)
    else:
        found = _SHELL.match(row) if head in "wp(" else None
    if found is None and names and head.isalnum():
        service = _COMPOSE.match(row)
        found = service if service and service[1] in names else None
    return found.end() if found else None


def _services(rows: Sequence[Row]) -> frozenset[str]:
    """Names of docker compose services before a bar: numbered, or the same on most rows."""
    counts: dict[str, int] = {}
    for row, _ in rows:
        found = _COMPOSE.match(row)
        if found:
            counts[found[1]] = counts.get(found[1], 0) + 1
    return frozenset(
        name
        for name, count in counts.items()
        if re.search(r"[-_]\d{1,3}$", name) or (count > 1 and count * 2 > len(rows))
    )


def _unbox(row: str) -> str:
    """A row of a rich traceback box, its frames written as Python writes them."""
    if not row or not _BOX.match(row.lstrip(" ")):
        return row
    inner = _BOX.sub(" ", row).rstrip()
    inner = inner.removeprefix(" ")
    frame = _RICH_FRAME.match(inner.strip())
    return f'  File "{frame[1]}", line {frame[2]}, in {frame[3]}' if frame else inner


def _expand(row: str) -> list[str]:
    """The lines inside a JSON log record, or inside a row with written-out line feeds."""
    if row.startswith('{"') and row.rstrip().endswith("}"):
        message = _message(row)
        if message is not None:
            return message.removesuffix("\n").split("\n")
    if "\\n" in row and ("):\\n" in row or "\\n  File" in row or "\\n    " in row):
        return _written_out(row)
    if "\\n" in row and len(_ESCAPED_ROW.findall(row)) >= _ESCAPED_ROWS:
        bare = _TABS.sub(lambda found: found[0].replace("\\t", "\t"), row.strip())
        return _written_out(bare[1:-1] if bare[0] == bare[-1] == '"' else bare)
    return [row]


def _written_out(row: str) -> list[str]:
    return row.replace("\\r\\n", "\n").replace("\\n", "\n").replace('\\"', '"').split("\n")


def _message(row: str) -> str | None:
    """What a log record says, or None where the object is no log record."""
    try:
        record: Any = json.loads(row)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    said = [record[field] for field in _FIELDS if isinstance(record.get(field), str)]
    return fold("\n".join(said)) if said and not any(isinstance(value, dict) for value in record.values()) else None
