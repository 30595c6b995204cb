"""Records are read as pydantic reads them, and pydantic says what does not fit."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from bot.knowledge import reading
from bot.knowledge.architectures import Can
from bot.knowledge.builds import Build
from bot.knowledge.folder import read_yaml
from bot.knowledge.keys import Words
from bot.knowledge.load import Knowledge
from bot.knowledge.reading import read_as
from bot.knowledge.record import NOT_EMPTY, Record, changed, matching, names_of, values_of
from bot.knowledge.schema import Rule, Tree
from bot.knowledge.signature_file import SignatureFile

KNOWLEDGE = Knowledge()


class Leaf(Record):
    name: Annotated[str, matching("[a-z]+")]
    class_: Literal["red", "blue"] = "red"
    size: float = 1.0
    on: bool = False


class Branch(Record):
    leaves: Annotated[tuple[Leaf, ...], NOT_EMPTY]
    words: Words = frozenset()
    by_number: Mapping[int, tuple[date, date | None]] | None = None
    loose: tuple[bool | int | float | str, ...] = ()
    pair: tuple[int, str] | None = None
    further: "Branch | None" = None
    any_: Any = None

    def _check(self) -> None:
        if self.pair == (1, "one"):
            raise ValueError("not that pair")


SOUND = {
    "leaves": [{"name": "oak", "class": "blue", "size": 2, "on": True}],
    "words": "red green",
    "by_number": {"3": ["2025-01-02", None]},
    "loose": [True, 1, 1.5, "x"],
    "pair": [2, "two"],
    "further": {"leaves": [{"name": "elm"}]},
    "any": {"x": [1]},
}


def plain(value):
    if isinstance(value, Record):
        return {name: plain(below) for name, below in values_of(value).items()}
    if isinstance(value, dict):
        return {key: plain(below) for key, below in value.items()}
    return tuple(map(plain, value)) if isinstance(value, tuple) else value


def without_pydantic(shape, data):
    return reading._reader(shape)(data)


def test_a_sound_record_is_what_pydantic_makes_of_it():
    made = without_pydantic(Branch, SOUND)
    assert plain(made) == plain(TypeAdapter(Branch).validate_python(SOUND))
    assert made.leaves[0].class_ == "blue"
    assert made.by_number == {3: (date(2025, 1, 2), None)}
    assert [type(item) for item in made.loose] == [bool, int, float, str]


def test_a_record_stays_as_it_is_and_can_be_copied_with_changes():
    leaf = Leaf(name="oak")
    with pytest.raises(AttributeError, match="cannot be set"):
        leaf.size = 2.0
    assert values_of(changed(leaf, size=2.0)) == {"name": "oak", "class_": "red", "size": 2.0, "on": False}
    assert leaf.size == 1.0
    assert names_of(Leaf) == {"name", "class_", "size", "on"}


@pytest.mark.parametrize("given", [{}, {"name": "oak", "colour": "red"}])
def test_fields_that_are_missing_or_unknown_are_refused(given):
    with pytest.raises(TypeError, match=r"Leaf: (name|colour)"):
        Leaf(**given)


def shipped():
    rules = sorted((KNOWLEDGE.folder / "rules").glob("*.yaml"))
    yield from (((file.name, tuple[Rule, ...], read_yaml(file))) for file in rules)
    yield "tree.yaml", Tree, KNOWLEDGE.read("tree.yaml")
    yield "builds.yaml", tuple[Build, ...], KNOWLEDGE.read("builds.yaml")
    yield "signatures.yaml", SignatureFile, KNOWLEDGE.read("signatures.yaml")
    yield "families.yaml", Can, KNOWLEDGE.read("families.yaml")["defaults"]


@pytest.mark.parametrize(("shape", "data"), [pytest.param(shape, data, id=name) for name, shape, data in shipped()])
def test_what_is_shipped_is_read_without_pydantic_and_the_same(shape, data):
    assert plain(without_pydantic(shape, data)) == plain(TypeAdapter(shape).validate_python(data))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"leaves": []}, "at least one"),
        ({"leaves": [{"name": "Oak"}]}, "not of the form"),
        ({"leaves": [{"name": "oak", "class": "green"}]}, "'red' or 'blue'"),
        ({"leaves": [{}]}, "name"),
        ({"leaves": [{"name": "oak", "colour": "red"}]}, "leaves.0.colour"),
        ({"pair": [1, "one"]}, "not that pair"),
        ({"pair": [1]}, "pair"),
        ({"by_number": {"x": ["2025-01-02", None]}}, "by_number"),
        ({"further": {"leaves": [{"name": 3}]}}, "further.leaves.0.name"),
        ({"words": 3}, "words with blanks"),
    ],
)
def test_what_does_not_fit_is_named(change, complaint):
    with pytest.raises(ValidationError, match=complaint):
        read_as(Branch, {**SOUND, **change})


def test_what_only_pydantic_reads_is_read_all_the_same():
    assert read_as(Leaf, {"name": "oak", "size": "2.5", "on": "yes"}).size == 2.5


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(0, 2)
    | st.sampled_from(["oak", "red", "2025-01-02", "", "Oak"])
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*SOUND, "name", "class", "3"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=100)
@given(st.sampled_from([*SOUND, "x"]), values)
def test_nothing_passes_that_pydantic_refuses(key, value):
    data = {**SOUND, key: value}
    try:
        made = without_pydantic(Branch, data)
    except (ValueError, TypeError, KeyError):
        return
    assert plain(made) == plain(TypeAdapter(Branch).validate_python(data))
