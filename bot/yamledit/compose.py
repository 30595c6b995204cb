"""From text to PyYAML nodes in one pass that counts as it goes, with ai-toolkit's own reading of plain scalars."""

import re
from collections.abc import Callable
from functools import lru_cache
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
_SCALAR = yaml.ScalarNode

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
_LONGEST_KEPT = 40


@lru_cache(maxsize=4096)
def _known_tag(value: str) -> str:
    """`plain_tag` of what comes again and again: keys, and small values."""
    return plain_tag(value)


def plain_tag(value: str) -> str:
    """Which tag a bare scalar gets by its spelling."""
    if value[:1] in _NUMERIC_START:
        if _INT.match(value):
            return INT
        return FLOAT if _FLOAT.match(value) else STR
    return STR if len(value) > _LONGEST_WORD else _WORDS.get(value, STR)


class _Composer(_Base):
    """Composes nodes. PyYAML's composers call its three hooks for each node, before the node is built."""

    def __init__(self, text: str, limits: Limits) -> None:
        super().__init__(text)
        hooks: Any = self
        hooks.descend_resolver, hooks.ascend_resolver = _counting(limits)
        hooks.resolve = _resolve


def _counting(limits: Limits) -> tuple[Callable[[Any, Any], None], Callable[[], None]]:
    """What counts nodes and their depth as the events come in: closures, which cost half of what methods do."""
    most_nodes, most_depth = limits.nodes, limits.depth
    nodes = depth = 0

    def descend(_parent: Any, _index: Any) -> None:
        nonlocal nodes, depth
        nodes += 1
        depth += 1
        if depth > most_depth:
            raise LimitError("depth", most_depth)
        if nodes > most_nodes:
            raise LimitError("nodes", most_nodes)

    def ascend() -> None:
        nonlocal depth
        depth -= 1

    return descend, ascend


def _resolve(kind: type[yaml.Node], value: Any, implicit: tuple[bool, bool]) -> str:
    if kind is _SCALAR:
        if not implicit[0]:
            return STR
        return _known_tag(value) if len(value) <= _LONGEST_KEPT else plain_tag(value)
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
