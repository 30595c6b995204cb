"""Plain data read as records, strictly.

Whatever does not fit goes to pydantic, which knows more ways to read a value and says what is wrong and where. So
pydantic has the last word, and a sound file does without its import and its validators: they took as much time as all
the rest of `oom-medic diagnose`.
"""

from collections.abc import Callable, Mapping
from datetime import date
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin

from bot.knowledge.record import Reader, Record, fields_of, key_of

T = TypeVar("T")


class Misfit(ValueError):  # noqa: N818 an answer, not a failure: pydantic is asked next
    """The data are not of the shape."""


def read_as(shape: type[T], data: Any) -> T:
    """What a file holds as a shape: a record, or a tuple or mapping of records. Raises pydantic.ValidationError."""
    try:
        return cast("T", _reader(cast("Any", shape))(data))
    except (Misfit, ValueError, TypeError, KeyError):
        from pydantic import TypeAdapter

        return TypeAdapter(shape).validate_python(data)


@cache
def _reader(shape: Any) -> Reader:
    """What reads a value of one annotation."""
    origin = get_origin(shape)
    if origin is not None:
        return _GENERICS[origin](get_args(shape))
    return _SCALARS[shape] if shape in _SCALARS else _record(shape)


def _record(shape: type[Record]) -> Reader:
    readers: dict[str, tuple[str, Reader]] = {}

    def read(data: Any) -> Any:
        if not isinstance(data, dict):
            raise Misfit
        if not readers:  # filled at first use: a shape may hold itself
            readers.update((key_of(name), (name, _reader(kind))) for name, kind in fields_of(shape).kinds.items())
        given = {}
        for key, value in data.items():
            name, read_value = readers[key]
            given[name] = read_value(value)
        return shape(**given)

    return read


def _checked(args: tuple[Any, ...]) -> Reader:
    kind, *checks = args
    before, after = ([check.function for check in checks if check.first is first] for first in (True, False))
    steps = (*before, _reader(kind), *after)

    def run(value: Any) -> Any:
        for step in steps:
            value = step(value)
        return value

    return run


def _one_of(words: tuple[Any, ...]) -> Reader:
    known = frozenset(words)

    def read(value: Any) -> Any:
        if type(value) is str and value in known:
            return value
        raise Misfit

    return read


def _either(kinds: tuple[Any, ...]) -> Reader:
    """A type or None, or one of several scalars."""
    inner = tuple(kind for kind in kinds if kind is not NoneType)
    if len(inner) > 1:
        return _exactly(*kinds)
    read = _reader(inner[0])
    return lambda value: None if value is None else read(value)


def _exactly(*kinds: type) -> Reader:
    known = frozenset(kinds)

    def read(value: Any) -> Any:
        if type(value) in known:
            return value
        raise Misfit

    return read


def _many(args: tuple[Any, ...], made: Callable[[Any], Any] = tuple) -> Reader:
    read_item = _reader(args[0])

    def read(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise Misfit
        return made(map(read_item, value))

    return read


def _row(items: tuple[Any, ...]) -> Reader:
    """A tuple: of any length, or with a type for each place."""
    if items[-1] is Ellipsis:
        return _many(items)
    readers = tuple(map(_reader, items))

    def read(value: Any) -> Any:
        if not isinstance(value, list | tuple) or len(value) != len(readers):
            raise Misfit
        return tuple(read_item(item) for read_item, item in zip(readers, value, strict=True))

    return read


def _mapping(args: tuple[Any, ...]) -> Reader:
    key, item = args
    # Keys come as text from the file.
    read_key, read_item = int if key is int else _reader(key), _reader(item)

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise Misfit
        return {read_key(name): read_item(below) for name, below in value.items()}

    return read


def _float(value: Any) -> float:
    if type(value) in {float, int}:
        return float(value)
    raise Misfit


def _date(value: Any) -> date:
    if type(value) is str:
        return date.fromisoformat(value)
    raise Misfit


_SCALARS: dict[Any, Reader] = {
    Any: lambda value: value,
    **{kind: _exactly(kind) for kind in (str, int, bool)},
    float: _float,
    date: _date,
}
_GENERICS: dict[Any, Callable[[tuple[Any, ...]], Reader]] = {
    Annotated: _checked,
    Literal: _one_of,
    **dict.fromkeys((Union, UnionType), _either),
    tuple: _row,
    frozenset: partial(_many, made=frozenset),
    **dict.fromkeys((dict, Mapping), _mapping),
}
