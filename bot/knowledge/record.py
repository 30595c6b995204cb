"""Shapes of what stands in knowledge/: frozen dataclasses, read strictly by their own annotations.

Whatever does not fit goes to pydantic, which knows more ways to read a value and says what is wrong and where. So
pydantic has the last word, and a sound file does without its import and its validators: they took as much time as all
the rest of `oom-medic diagnose`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date
from functools import cache, cached_property, partial
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

T = TypeVar("T")
Reader = Callable[[Any], Any]


class Misfit(ValueError):  # noqa: N818 an answer, not a failure: pydantic is asked next
    """The data are not of the shape."""


class Check:
    """`Annotated[str, Check(function)]`: the function gives the value to take, or raises ValueError."""

    def __init__(self, function: Reader, *, first: bool = False) -> None:
        """`first`: the function takes what the file holds, before it is read as the type."""
        self.function, self.first = function, first

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        """Pydantic's own word for the same check."""
        from pydantic_core import core_schema

        wrap = core_schema.no_info_before_validator_function if self.first else core_schema.no_info_after_validator_function
        return wrap(self.function, handler(source))


def matching(pattern: str) -> Check:
    """A text that a pattern matches as a whole."""

    def check(text: str) -> str:
        if re.fullmatch(pattern, text) is None:
            raise ValueError(f"{text!r} is not of the form {pattern}")
        return text

    return Check(check)


def _not_empty(value: tuple[T, ...]) -> tuple[T, ...]:
    if not value:
        raise ValueError("at least one is needed")
    return value


NOT_EMPTY = Check(_not_empty)


def key_of(name: str) -> str:
    """The key in the file for a field: a trailing underscore only keeps the field apart from a word of Python."""
    return name.rstrip("_")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """Make a class the shape of a mapping: its fields are the keys, those without a default must be there."""
    cls.__pydantic_config__ = {"extra": "forbid", "alias_generator": key_of}  # type: ignore[attr-defined]
    # Nothing compares records, and writing those methods for each class would double what its creation costs.
    return dataclass(frozen=True, kw_only=True, eq=False, repr=False)(cls)


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
    if is_dataclass(shape):
        return _Record(cast("type", shape)).read
    origin = get_origin(shape)
    return _SCALARS[shape] if origin is None else _GENERICS[origin](get_args(shape))


class _Record:
    """Reads mappings as one dataclass. Its fields are looked up at first use: a shape may hold itself."""

    def __init__(self, shape: type) -> None:
        self._shape = shape

    @cached_property
    def _fields(self) -> dict[str, tuple[str, Reader]]:
        kinds = get_type_hints(self._shape, include_extras=True)
        return {key_of(one.name): (one.name, _reader(kinds[one.name])) for one in fields(self._shape)}

    def read(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise Misfit
        known = self._fields
        given = {}
        for key, value in data.items():
            name, read = known[key]
            given[name] = read(value)
        return self._shape(**given)


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
