"""What of a text is stored: nothing over a limit, and nothing at all for who opted out."""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from bot.cases.model import NewDocument

# A log's head says what ran, its tail how it ended; characters kept of each of a longer text.
HEAD: Final = 64 * 1024
TAIL: Final = 192 * 1024

# The parts of a diagnosis that hold no text of the person's own.
_PLAIN_PARTS: Final = (
    "schema", "locale", "source_tool", "problem", "model", "hardware", "outcome", "crash", "memory", "redactions",
)  # fmt: skip
_PLAIN_IN_FINDING: Final = ("rule", "severity")
_PLAIN_IN_STEP: Final = ("lever", "rule", "safety", "now", "snippet", "saves_gib", "fits", "no_figure")


def clean(text: str) -> str:
    """Text that SQLite takes and gives back as it is: no NUL, no half of a surrogate pair."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def as_json(value: Any) -> str:
    """Strict JSON: what a config may hold and JSON may not (infinity, dates, endless integers) is written as text."""
    try:
        return clean(json.dumps(value, ensure_ascii=False, allow_nan=False))
    except (TypeError, ValueError):
        return clean(json.dumps(_strict(value), ensure_ascii=False, allow_nan=False))


def _strict(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _strict(below) for key, below in value.items()}
    if isinstance(value, list | tuple):
        return [_strict(item) for item in value]
    if isinstance(value, bool | str) or value is None:
        return value
    if isinstance(value, int):
        return value if value.bit_length() <= 64 else hex(value)
    return value if isinstance(value, float) and math.isfinite(value) else str(value)


def shortened(text: str) -> str:
    """The text as it is stored, its middle left out where it is very long."""
    text = clean(text)
    if len(text) <= HEAD + TAIL:
        return text
    return f"{text[:HEAD]}\n[… {len(text) - HEAD - TAIL} …]\n{text[-TAIL:]}"


def fingerprint(documents: Iterable[NewDocument]) -> str | None:
    """The same for the same texts in the same order, whatever files they came in; None for no text."""
    digest = hashlib.sha256()
    empty = True
    for document in documents:
        empty = empty and not document.text.strip()
        digest.update(document.text.strip().encode("utf-8", "replace"))
        digest.update(b"\0")
    return None if empty else digest.hexdigest()


def without_text(diagnosis: Mapping[str, Any]) -> dict[str, Any]:
    """A diagnosis with all quoted lines, diffs and written values gone; what the buttons and statistics need stays."""
    kept = {part: diagnosis[part] for part in _PLAIN_PARTS if part in diagnosis}
    kept["findings"] = [_only(finding, _PLAIN_IN_FINDING) | {"evidence": []} for finding in diagnosis["findings"]]
    kept["steps"] = [
        _only(step, _PLAIN_IN_STEP) | {"patches": [patch for patch in step.get("patches", ()) if _is_wordless(patch)]}
        for step in diagnosis["steps"]
    ]
    if kept.get("crash"):
        # The error's name comes from the log as it stands there; its signature is ours.
        kept["crash"] = {**kept["crash"], "error": None}
    kept["diff"] = None
    return kept


def _only(entry: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: entry[name] for name in names if name in entry}


def _is_wordless(patch: Mapping[str, Any]) -> bool:
    """Whether a patch holds numbers and switches alone (a prompt with `--w 1024` in it is the person's text)."""
    return all(_is_plain(patch.get(side)) for side in ("old", "new"))


def _is_plain(value: object) -> bool:
    if isinstance(value, list | tuple):
        return all(_is_plain(item) for item in value)
    return value is None or isinstance(value, bool | int | float)
