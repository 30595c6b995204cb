"""Patterns that RE2 does not take. They are compiled when a paste needs them, so nothing else would tell before."""

from collections.abc import Iterator
from typing import Any

import re2

from bot.knowledge.complaint import Complaint, Complaints, nearest_line
from bot.knowledge.folder import located
from bot.knowledge.load import Knowledge
from bot.knowledge.signatures import compile_pattern
from bot.yamledit.path import Path

# The keys under which patterns stand, by file.
_KEYS = {
    "phrases.yaml": {"patterns", "other_scripts"},
    "lines.yaml": {"log", "told", "shipped"},
    "redactions.yaml": {"hints", "pattern", "not"},
    "tools.yaml": {"buckets"},
    "signatures.yaml": {
        "squeezed", "line", "near", "unless", "pattern", "signs", "quantize_failed", "gpu_index", "exact_numbers",
        "prompts", "buckets", "runtime_sentences",
    },
}  # fmt: skip


def pattern_faults(knowledge: Knowledge) -> Complaints:
    """Every pattern that cannot be read."""
    for file, keys in _KEYS.items():
        parsed = located(knowledge.folder / file)
        for path, pattern in _texts(parsed.data, ()):
            if keys.intersection(path) and (fault := _fault(pattern)):
                where = ".".join(map(str, path))
                message = f"{where}: this pattern cannot be read: {fault}"
                yield Complaint(file, nearest_line(parsed, path), message, "mend it; RE2 knows no look-around")


def _texts(node: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """Every text below a node with the way to it."""
    if isinstance(node, str):
        yield path, node
    elif isinstance(node, dict | list):
        for key, below in node.items() if isinstance(node, dict) else enumerate(node):
            yield from _texts(below, (*path, key))


def _fault(pattern: str) -> str | None:
    try:
        compile_pattern(pattern)
    except re2.error as error:
        said = error.args[0]
        return said.decode() if isinstance(said, bytes) else str(said)
    return None
