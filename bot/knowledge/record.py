"""Shapes of what stands in knowledge/: records, described by their annotations.

A record is no dataclass, because those are compiled anew at every start, half a millisecond each, and there are sixty.
"""

import re
from collections.abc import Callable, Mapping
from typing import (
    Any,
    Self,
    TypeVar,
    dataclass_transform,
    get_type_hints,
)

T = TypeVar("T")
Reader = Callable[[Any], Any]


class Check:
    """`Annotated[str, Check(function)]`: the function gives the value to take, or raises ValueError."""

    def __init__(self, function: Reader, *, first: bool = False) -> None:
        """`first`: the function takes what the file holds, before it is read as the type."""
        self.function, self.first = function, first

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        """Pydantic's own word for the same check."""
        from pydantic_core import core_schema

        wrap = (
            core_schema.no_info_before_validator_function
            if self.first
            else core_schema.no_info_after_validator_function
        )
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
# What a mapping that may be left out is by default; no record changes it.
NONE: Mapping[str, Any] = {}


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False)
class Record:
    """The shape of a mapping: the annotated fields are its keys, those without a default must be there.

    A trailing underscore only keeps a field apart from a word of Python: `class_` stands for the key `class`.
    """

    def __init__(self, **given: Any) -> None:
        known = fields_of(type(self))
        unknown, missing = given.keys() - known.kinds.keys(), known.needed - given.keys()
        if unknown or missing:
            raise TypeError(f"{type(self).__name__}: {min(unknown | missing)}")
        self.__dict__.update(known.defaults)
        self.__dict__.update(given)
        self._check()

    def _check(self) -> None:
        """Raise ValueError where fields do not go together."""

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be set: a record stays as it is")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """The same shape in pydantic's words. A shape may hold itself: there it is only named."""
        from pydantic_core import core_schema

        known, ref = fields_of(cls), f"{cls.__module__}.{cls.__qualname__}"
        if known.described:
            return core_schema.definition_reference_schema(ref)
        known.described = True
        try:
            fields = {
                key_of(name): core_schema.typed_dict_field(handler.generate_schema(kind), required=name in known.needed)
                for name, kind in known.kinds.items()
            }
        finally:
            known.described = False
        shape = core_schema.typed_dict_schema(fields, extra_behavior="forbid")
        return core_schema.no_info_after_validator_function(cls._of_keys, shape, ref=ref)

    @classmethod
    def _of_keys(cls, given: Mapping[str, Any]) -> Self:
        names = {key_of(name): name for name in fields_of(cls).kinds}
        return cls(**{names[key]: value for key, value in given.items()})


R = TypeVar("R", bound=Record)


class Fields:
    """The fields of one kind of record: types, defaults, and the names of those that must be given."""

    def __init__(self, shape: type[Record]) -> None:
        self.kinds = get_type_hints(shape, include_extras=True)
        self.defaults = {name: getattr(shape, name) for name in self.kinds if hasattr(shape, name)}
        self.needed = self.kinds.keys() - self.defaults.keys()
        self.described = False  # whether pydantic's description of it is being made


_FIELDS: dict[type[Record], Fields] = {}


def fields_of(shape: type[Record]) -> Fields:
    """What a kind of record holds."""
    found = _FIELDS.get(shape)
    if found is None:
        found = _FIELDS[shape] = Fields(shape)
    return found


def names_of(shape: type[Record]) -> frozenset[str]:
    """The fields of a kind of record."""
    return frozenset(fields_of(shape).kinds)


def values_of(made: Record) -> dict[str, Any]:
    """The fields of a record with their values."""
    own = vars(made)
    return {name: own[name] for name in fields_of(type(made)).kinds}


def changed(made: R, **changes: Any) -> R:
    """A copy of a record with other values in some fields."""
    return type(made)(**{**values_of(made), **changes})


def key_of(name: str) -> str:
    """The key in the file for a field."""
    return name.rstrip("_")
