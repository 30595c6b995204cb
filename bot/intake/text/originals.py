"""Carrying a change back into the person's own bytes, with the secrets that redaction hid."""

import re
from difflib import SequenceMatcher

from bot.evidence import ConfigDocument, Evidence, Redaction
from bot.intake.text.decode import decode, raw_bytes, raw_text

_OTHER_ENCODING = re.compile("[\ud800-\udfff]")


def carry_back(
    pasted: str | bytes, evidence: Evidence, patched: str, *, document: ConfigDocument | None = None
) -> bytes | None:
    """The original with a document (by default the config) replaced by its patched text.

    Every line that the change leaves alone stays byte for byte, placeholders give way to what they stand for, and the
    encoding stays. None where the document is no slice of the original: it was cut out of quotes, joined from
    fragments, or only part of the source was read.
    """
    document = document or evidence.config
    if document is None:
        return None
    original = _original(pasted)
    if original is None:
        return None
    text, encoding = original
    own = [redaction for redaction in evidence.redactions if redaction.source == document.source]
    before = document.text if document.broken is None else document.broken
    source = evidence.sources[document.source].text
    if document.end <= document.start or source[document.start : document.end] != before:
        return None
    start, end = _unshifted(document.start, own), _unshifted(document.end, own)
    secrets = {redaction.placeholder: text[redaction.start : redaction.end] for redaction in reversed(own)}
    changed = _changed(text[start:end], before, patched, secrets)
    return None if changed is None else raw_bytes(text[:start] + changed + text[end:], encoding)


def _original(pasted: str | bytes) -> tuple[str, str] | None:
    """The text whose offsets redactions use, reversible to bytes; None where only part of it was read."""
    decoded = decode(pasted, "", len(pasted))
    if not decoded.whole:
        return None
    if isinstance(pasted, str):
        return pasted, "utf-8"
    text = raw_text(pasted, decoded.encoding or "utf-8")
    return text, decoded.encoding or "utf-8"


def _unshifted(offset: int, redactions: list[Redaction]) -> int:
    """An offset in the redacted text as an offset in the original; ascending redactions of one source."""
    shift = 0
    for redaction in redactions:
        start = redaction.start + shift
        if start >= offset:
            break
        shift += len(redaction.placeholder) - (redaction.end - redaction.start)
    return offset - shift


def _changed(original: str, before: str, after: str, secrets: dict[str, str]) -> str | None:
    """`original` (what `before` is the redacted form of), with the lines in which `after` differs."""
    own, old, new = original.splitlines(True), before.splitlines(True), after.splitlines(True)
    if len(own) != len(old):
        return None
    made: list[str] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            made += own[a:b]
            continue
        lines = _with_own_bytes("".join(new[c:d]), "".join(own[a:b]), "".join(old[a:b]))
        if lines is None:
            return None
        made.append(_revealed(lines, secrets))
    return "".join(made)


def _with_own_bytes(after: str, original: str, before: str) -> str | None:
    """Changed lines with the bytes of another encoding where they were shown as letters; None where that is unclear."""
    if not _OTHER_ENCODING.search(original):
        return after
    if len(original) != len(before):
        return None
    pairs = list(zip(original, before, strict=True))
    letters = {shown for own, shown in pairs if _OTHER_ENCODING.match(own)}
    kept = [own for own, shown in pairs if shown in letters]
    if sum(letter in letters for letter in after) != len(kept):
        return None
    left = iter(kept)
    return "".join(next(left) if letter in letters else letter for letter in after)


def _revealed(line: str, secrets: dict[str, str]) -> str:
    for placeholder, secret in secrets.items():
        line = line.replace(placeholder, secret)
    return line
