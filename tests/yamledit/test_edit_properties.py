"""Random configs in random styles, random patches: the values change as the patch says, the rest of the text stays."""

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.yamledit import EditError, Patch, apply, parse
from bot.yamledit.expect import same
from tests.yamledit.writing import scalars, values, written

# What a patch may be refused for when nothing but plain values is in the document.
_LAWFUL = {"last-item", "exists"}


def _paths(data: Any, path: tuple = ()) -> Iterator[tuple]:
    yield path
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for part, value in pairs:
        yield from _paths(value, (*path, part))


def _at(data: Any, path: tuple) -> Any:
    for part in path:
        data = data[part]
    return data


@st.composite
def _patch(draw: st.DrawFn, data: dict) -> Patch:
    paths = list(_paths(data))
    inner = [path for path in paths if path]
    lists = [path for path in paths if isinstance(_at(data, path), list)]
    op = draw(st.sampled_from(["replace", "add", "remove", "append", "remove_item"]))
    if op in {"append", "remove_item"} and lists:
        path = draw(st.sampled_from(lists))
        items = _at(data, path)
        old = draw(st.sampled_from(items)) if items else 5
        return Patch(op, path, draw(values | scalars) if op == "append" else old)
    if op == "replace" and inner:
        return Patch(op, draw(st.sampled_from(inner)), draw(values))
    if op == "remove" and inner:
        return Patch(op, draw(st.sampled_from(inner)))
    holders = [path for path in paths if isinstance(_at(data, path), dict) or (path and _at(data, path) is None)]
    holder = draw(st.sampled_from(holders))
    fresh = f"new{len(_at(data, holder) or ())}"
    tail = draw(st.sampled_from([(fresh,), (fresh, "er"), (f"{fresh} key",)]))
    return Patch("add", (*holder, *tail), draw(values))


def _expected(data: dict, patch: Patch) -> dict:
    """The patch on the values alone, in the plainest way."""
    made = copy.deepcopy(data)
    if patch.op in {"append", "remove_item"}:
        items = _at(made, patch.path)
        if patch.op == "remove_item":
            items[:] = [item for item in items if not same(item, patch.value)]
        elif not any(same(item, patch.value) for item in items):
            items.append(patch.value)
        return made
    holder: Any = made
    for part in patch.path[:-1]:
        inside = holder.get(part) if isinstance(holder, dict) else holder[part]
        if inside is None:
            holder[part] = {}
        holder = holder[part]
    if patch.op != "remove":
        holder[patch.path[-1]] = copy.deepcopy(patch.value)
    elif isinstance(holder, list) or patch.path[-1] in holder:
        del holder[patch.path[-1]]
    return made


@given(st.data())
@settings(deadline=None, max_examples=60)
def test_patches_on_any_style(data):
    values_before, text = data.draw(written())
    parsed = parse(text)
    assert same(parsed.data, values_before)
    patches = [data.draw(_patch(values_before))]
    expected = _expected(values_before, patches[0])
    if data.draw(st.booleans()):
        patches.append(data.draw(_patch(expected)))
        expected = _expected(expected, patches[1])
    try:
        edited = apply(parsed, tuple(patches))
    except EditError as error:
        assert error.reason in _LAWFUL  # noqa: PT017 only some reasons are allowed, not any error
        return
    assert same(edited.parsed.data, expected)
    assert same(parse(edited.parsed.text).data, expected)
    _check_splices(text, edited)
    if "\r\n" in text:
        assert edited.parsed.text.count("\n") == edited.parsed.text.count("\r\n")


def _check_splices(text, edited):
    """What is outside the splices is what was there, byte for byte."""
    made, at = "", 0
    for edit in edited.edits:
        assert edit.start >= at
        assert text[edit.start : edit.end] != edit.new
        made += text[at : edit.start] + edit.new
        at = edit.end
    assert made + text[at:] == edited.parsed.text


@given(st.data())
@settings(deadline=None, max_examples=30)
def test_twice_is_once(data):
    before, text = data.draw(written())
    patch = data.draw(_patch(before))
    if patch.op == "remove" and isinstance(patch.path[-1], int):
        return  # an item by its place: the next one has moved there
    try:
        once = apply(parse(text), (patch,))
    except EditError:
        return
    twice = apply(once.parsed, (patch,))
    assert twice.edits == ()
    assert twice.parsed.text == once.parsed.text


@given(st.data())
@settings(deadline=None, max_examples=30)
def test_comments_survive_a_change_of_plain_values(data):
    before, text = data.draw(written())
    plain = [path for path in _paths(before) if path and not isinstance(_at(before, path), dict | list)]
    if not plain:
        return
    path = data.draw(st.sampled_from(plain))
    edited = apply(parse(text), (Patch("replace", path, 4711),))
    for edit in edited.edits:
        assert "\n" not in text[edit.start : edit.end]
        assert "\n" not in edit.new
    assert edited.parsed.text.count("\n") == text.count("\n")
