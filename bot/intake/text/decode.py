"""From bytes to text: encodings, binary files, and the size caps, which hold before any other work starts."""

import codecs
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.intake.text.shorten import Parts, shorten

Notice = tuple[str, Mapping[str, Any]]

_SAMPLE = 4096
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_IMAGES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF")
_BINARIES = (b"PK\x03\x04", b"\x1f\x8b", b"%PDF-", b"\x7fELF", b"MZ\x90", b"SQLite format 3\0", b"7z\xbc\xaf")
_CONTROLS = bytes({*range(32), 127} - {*b"\t\n\r\x08\x0c\x1b"})
_SURROGATES = re.compile("[\ud800-\udfff]")
# Said by what it is not: a set of a million characters takes ten milliseconds to compile.
_WELL_ENCODED = re.compile("[^\x00-\x7f\ud800-\udfff]")


class Decoded(NamedTuple):
    """A text as it was pasted, or the parts of it that are read.

    `whole` is false where something was left out: then offsets in `text` are not offsets in what was pasted. `gap` is
    the offset at which the tail starts (None where nothing but progress-bar frames went), `gap_lines` the number of
    line breaks left out there. `encoding` is None where the source was text already.
    """

    text: str
    encoding: str | None = None
    whole: bool = True
    gap: int | None = None
    gap_lines: int = 0
    notices: tuple[Notice, ...] = ()


def decode(data: str | bytes, name: str, budget: int) -> Decoded:
    """Text of one source. At most `budget` bytes or characters of it are looked at."""
    if isinstance(data, str):
        return _assemble(shorten(data, "\n", "\r", "%|", budget), name)
    sample = data[:_SAMPLE]
    encoding = _encoding(sample)
    unreadable = _unreadable(data) if encoding == "utf-8" else None
    if unreadable is not None:
        return Decoded("", encoding, whole=False, notices=((unreadable, {"name": name}),))
    if encoding == "utf-8":
        parts = shorten(data, b"\n", b"\r", b"%|", budget)
        tail = None if parts.tail is None else raw_text(parts.tail, encoding)
        return _assemble(Parts(raw_text(parts.head, encoding), tail, parts.gap_lines, parts.left_out), name, encoding)
    try:
        text = raw_text(data[:budget], encoding)
    except UnicodeDecodeError:
        text = data[:budget].decode(encoding, "replace")
    return _assemble(shorten(text, "\n", "\r", "%|", budget), name, encoding)


def raw_text(data: bytes, encoding: str) -> str:
    """Text that `raw_bytes` turns into the same bytes again: what is not valid stays as lone surrogates."""
    return data.decode(encoding, "surrogateescape" if encoding == "utf-8" else "surrogatepass")


def raw_bytes(text: str, encoding: str) -> bytes:
    """Encode again what `raw_text` gave."""
    return text.encode(encoding, "surrogateescape" if encoding == "utf-8" else "surrogatepass")


def _encoding(sample: bytes) -> str:
    for bom, name in _BOMS:
        if sample.startswith(bom):
            return name
    pairs = max(1, len(sample) // 2)
    first, second = sample[0::2].count(0), sample[1::2].count(0)
    if min(first, second) > pairs // 20:
        return "utf-8"  # NUL bytes all over: no text in any encoding
    if second > 0.6 * pairs:
        return "utf-16-le"
    return "utf-16-be" if first > 0.6 * pairs else "utf-8"


def _unreadable(data: bytes) -> str | None:
    """`image` or `binary` where this is no text at all."""
    if data.startswith(_IMAGES):
        return "image"
    if data.startswith(_BINARIES):
        return "binary"
    middle = len(data) // 2
    looked = data[:_SAMPLE] + data[middle : middle + _SAMPLE]
    # A log may hold a stray NUL; a file with a control byte in every twenty is none.
    odd = len(looked) - len(looked.translate(None, _CONTROLS))
    return "binary" if odd > len(looked) // 20 + 4 else None


def _assemble(parts: Parts[str], name: str, encoding: str | None = None) -> Decoded:
    """One text of head and tail, each character that no pattern engine takes replaced one for one."""
    head, whole = _printable(parts.head), not parts.left_out
    if parts.tail is None:
        return Decoded(head, encoding, whole)
    if not head.endswith("\n"):
        head += "\n"
    notice = ("middle-left-out", {"name": name, "kib": parts.left_out // 1024})
    return Decoded(head + _printable(parts.tail), encoding, whole, len(head), parts.gap_lines, (notice,))


def _printable(text: str) -> str:
    """Without bytes that are no UTF-8: as Windows' western letters where the text holds no other, else as stand-ins."""
    if text.isascii():
        return text
    return _SURROGATES.sub("\ufffd" if _WELL_ENCODED.search(text) else _as_windows, text)


def _as_windows(found: re.Match[str]) -> str:
    code = ord(found[0]) - 0xDC00
    return bytes([code]).decode("cp1252", "replace") if 0x80 <= code <= 0xFF else "\ufffd"
