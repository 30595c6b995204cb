"""From text to PyYAML nodes in one pass that counts as it goes, with ai-toolkit's own reading of plain scalars."""


import re
from typing import TYPE_CHECKING, Any

import yaml

from bot.yamledit.limits import LimitError, Limits, ParseError

if TYPE_CHECKING:
    _Base = yaml.SafeLoader
elif yaml.__with_libyaml__:
    from yaml.cyaml import CParser as _Base
else:
    from yaml.composer import Composer
    from yaml.parser import Parser
    from yaml.reader import Reader
    from yaml.scanner import Scanner

    class _Base(Reader, Scanner, Parser, Composer):
        """The same parts in Python, for a PyYAML that was built without libyaml."""

        def __init__(self, text: str) -> None:
            Reader.__init__(self, text)
            Scanner.__init__(self)
            Parser.__init__(self)
            Composer.__init__(self)


TAG = "tag:yaml.org,2002:"
STR, INT, FLOAT, BOOL, NULL, MERGE = (TAG + name for name in ("str", "int", "float", "bool", "null", "merge"))
_SEQ, _MAP = TAG + "seq", TAG + "map"

# What a plain scalar is, by the spellings of YAML 1.1 as PyYAML reads them.
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), NULL),
    **{
        spelt: BOOL
        for word in ("yes", "no", "on", "off", "true", "false")
        for spelt in (word, word.capitalize(), word.upper())
    },
    "<<": MERGE,
    "=": TAG + "value",
}
_INT = re.compile(
    r"[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)\Z",
)
# ai-toolkit widens the float rule: an exponent needs no point and no sign, so `1e-4` is a number.
_FLOAT = re.compile(
    r"(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+"
    r"|\.[0-9_]+(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z",
)
_NUMERIC_START = frozenset("-+.0123456789")
_LONGEST_WORD = 5


def plain_tag(value: str) -> str:
    """Which tag a bare scalar gets by its spelling."""
    if value[:1] in _NUMERIC_START:
        if _INT.match(value):
            return INT
        return FLOAT if _FLOAT.match(value) else STR
    return STR if len(value) > _LONGEST_WORD else _WORDS.get(value, STR)


class _Composer(_Base):
    """Composes nodes; counts them and their depth as the events come in.

    The two hooks below are called by PyYAML's composers for each node before it is built.
    """

    def __init__(self, text: str, limits: Limits) -> None:
        super().__init__(text)
        self._limits = limits
        self._nodes = 0
        self._depth = 0

    def descend_resolver(self, _parent: Any, _index: Any) -> None:
        self._nodes += 1
        self._depth += 1
        if self._depth > self._limits.depth:
            raise LimitError("depth", self._limits.depth)
        if self._nodes > self._limits.nodes:
            raise LimitError("nodes", self._limits.nodes)

    def ascend_resolver(self) -> None:
        self._depth -= 1

    def resolve(self, kind: Any, value: Any, implicit: Any) -> str:
        if kind is yaml.ScalarNode:
            return plain_tag(value) if implicit[0] else STR
        return _SEQ if kind is yaml.SequenceNode else _MAP


def compose(text: str, limits: Limits) -> yaml.Node:
    """The node tree of a text's first document. Raises ParseError or LimitError."""
    try:
        composer: Any = _Composer(text, limits)
        if not composer.check_node():
            raise ParseError("there is nothing here", 1, 1)
        node: yaml.Node = composer.get_node()
        # Text after the document is an error, another document is not: ask for what comes next.
        composer.check_node()
    except yaml.MarkedYAMLError as error:
        raise _parse_error(error, limits) from None
    except RecursionError:
        raise LimitError("depth", limits.depth) from None
    return node


def _parse_error(error: yaml.MarkedYAMLError, limits: Limits) -> Exception:
    mark = error.problem_mark or error.context_mark
    problem = error.problem or error.context or "it cannot be read"
    if "nesting" in problem:  # libyaml's own guard, far deeper than ours
        return LimitError("depth", limits.depth)
    began = error.context_mark.line + 1 if error.context_mark else None
    return ParseError(problem, mark.line + 1 if mark else 1, mark.column + 1 if mark else 1, began)


