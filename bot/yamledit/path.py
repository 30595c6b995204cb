"""Paths into a document, written as in the contract: `config.process[0].train.batch_size`."""

import re

Path = tuple[str | int, ...]
_PART = re.compile(r"\[(\d{1,9})\]|\[?([^.\[\]]{1,200})\]?")


def parse_path(text: str) -> Path:
    """The parts of a written path; integers index lists."""
    return tuple(int(index) if index else key for index, key in _PART.findall(text))


def format_path(path: Path) -> str:
    """The written form of a path."""
    made = ""
    for part in path:
        made += f"[{part}]" if isinstance(part, int) else f".{part}" if made else part
    return made
