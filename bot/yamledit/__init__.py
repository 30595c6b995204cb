"""Editing somebody's YAML or JSON in place: splices on node marks, every other byte left alone."""

from bot.yamledit.diff import unified_diff
from bot.yamledit.edit import Edited, Patch, apply
from bot.yamledit.limits import EditError, LimitError, Limits, ParseError
from bot.yamledit.page import Edit
from bot.yamledit.parse import Parsed, parse
from bot.yamledit.path import format_path, parse_path

__all__ = [
    "Edit", "EditError", "Edited", "LimitError", "Limits", "ParseError", "Parsed", "Patch",
    "apply", "format_path", "parse", "parse_path", "unified_diff",
]  # fmt: skip
