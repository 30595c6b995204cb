import math

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.yamledit import LimitError, Limits, ParseError, parse
from bot.yamledit.expect import same


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1e-4", 0.0001),
        ("2E3", 2000.0),
        ("5.", 5.0),
        (".5", 0.5),
        ("1_000", 1000),
        ("010", 8),
        ("0x1F", 31),
        ("0b11", 3),
        ("12:30", 750),
        ("1:30.5", 90.5),
        ("-7", -7),
        ("+7", 7),
        ("0", 0),
        ("08", "08"),
        ("1,000", "1,000"),
        ("off", False),
        ("Yes", True),
        ("TRUE", True),
        ("y", "y"),
        ("~", None),
        ("", None),
        ("NULL", None),
        ("nul", "nul"),
        ("2026-10-09", "2026-10-09"),
        ('"1"', "1"),
        ("'on'", "on"),
        ("!!str 5", "5"),
        ('!!int "5"', 5),
        ("!made/up thing", "thing"),
        ("!!python/name:os.system", ""),
        ("${HF_TOKEN}x", "${HF_TOKEN}x"),
        ("1e400", math.inf),
        ("-.inf", -math.inf),
        ("[1, [2, a]]", [1, [2, "a"]]),
        ("{a: {b: }}", {"a": {"b": None}}),
    ],
)
def test_value_as_the_toolkit_reads_it(written, value):
    assert same(parse(f"key: {written}\n").data, {"key": value})


def test_not_a_number_is_read_and_equal_to_itself():
    text = "key: .nan\n"
    assert math.isnan(parse(text).data["key"])
    assert parse(text).data == parse(text).data


def test_a_number_of_absurd_length_stays_text():
    digits = "9" * 5000
    assert parse(f"key: {digits}").data == {"key": digits}
    assert parse("key: " + "1:" * 3000 + "1").data["key"].startswith("1:1:")


def test_keys_are_text():
    assert parse("1: a\non: b\n~: c\n").data == {"1": "a", "on": "b", "~": "c"}


def test_the_last_of_two_equal_keys_wins_and_is_noted():
    parsed = parse("a: 1\nb: {c: 1, c: 2}\na: 3\n")
    assert parsed.data == {"a": 3, "b": {"c": 2}}
    assert set(parsed.duplicates) == {("a",), ("b", "c")}


def test_merge_keys_and_aliases():
    parsed = parse("base: &b {x: 1, y: 2}\nextra: &e {y: 3, z: 4}\nuse:\n  <<: [*b, *e]\n  x: 9\nagain: *b\n")
    assert parsed.data["use"] == {"x": 9, "y": 2, "z": 4}
    assert parsed.data["again"] == {"x": 1, "y": 2}
    assert parsed.node_at(("use", "z")).value == "4"


def test_only_the_first_document_is_read():
    assert parse("---\na: 1\n---\nb: [\n").data == {"a": 1}


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('{"a": "\\ud83d\\ude00!", "b": "\\\\ud83d"}', {"a": "\U0001f600!", "b": "\\ud83d"}),
        ('{"a": "\\ud83d"}', {"a": "\ufffd"}),
        ('{\n\t"a":\t1,\n\t"b": [1,2,],\n}', {"a": 1, "b": [1, 2]}),
        ('{"path": "C:\\\\x", "url": "https:\\/\\/a.b/c"}', {"path": "C:\\x", "url": "https://a.b/c"}),
        ('{ // why\n "a": 1, /* b:\n 2 */ "url": "http://x" // end\n}', {"a": 1, "url": "http://x"}),
        ('{"a": "\x00\x1b[0m"}', {"a": "\ufffd\ufffd[0m"}),
        ("a: b\ud800\n", {"a": "b\ufffd"}),
        ("\ufeffa: 1\nb: 2\n", {"a": 1, "b": 2}),
    ],
)
def test_what_json_and_chat_bring(text, data):
    parsed = parse(text)
    assert parsed.data == data
    assert parsed.text == text


def test_marks_lead_to_the_same_place_in_the_text_as_given():
    text = '{"a": "\\ud83d\\ude00", /* x */ "b": 17}'
    node = parse(text).node_at(("b",))
    assert text[node.start_mark.index : node.end_mark.index] == "17"


@pytest.mark.parametrize(
    ("text", "line", "column", "began"),
    [
        ("a: 1\nb: c: d\n", 2, 5, None),
        ("a:\n\tb: 1\n", 2, 1, 2),
        ('a: 1\nb: "x\nc: 2\n', 4, 1, 2),
        ('{"a": 1} }', 1, 10, None),
        ("a: {{x}}", 1, 5, None),
        ("", 1, 1, None),
        ("# nothing\n", 1, 1, None),
        ("a: &x [1]\nb:\n  <<: *x\n", 1, 8, None),
    ],
)
def test_where_the_parser_stopped(text, line, column, began):
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column, caught.value.began) == (line, column, began)
    assert caught.value.problem


_BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefg", "bcdefgh", strict=True)
)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("[" * 100_000, "depth"),
        ("[" * 100_000 + "]" * 100_000, "depth"),
        ("- " * 100_000, "depth"),
        ('{"a":' * 5_000, "depth"),
        ("[" + "1," * 499_000 + "]", "nodes"),
        ("- 1\n" * 51_000, "nodes"),
        ("x" * 1_000_001, "characters"),
        ("a: &a 1\nb: [" + "*a," * 200 + "]", "aliases"),
        (_BOMB, "aliases"),
        ("a: &a [*a]\n", "depth"),
        ("a: &a\n  <<: *a\n", "depth"),
    ],
)
def test_limits_hold(text, limit):
    with pytest.raises(LimitError) as caught:
        parse(text)
    assert caught.value.limit == limit


def test_limits_can_be_set():
    parse("[1, 2]", Limits(nodes=3))
    with pytest.raises(LimitError):
        parse("[1, 2]", Limits(nodes=2))


def test_line_of_names_the_key_or_the_item():
    parsed = parse("# head\na:\n  - x\n  -\n    b: 1\n\n    c:\n      2\n")
    assert parsed.line_of(("a",)) == 2
    assert parsed.line_of(("a", 0)) == 3
    assert parsed.line_of(("a", 1, "c")) == 7
    assert parsed.line_of(("a", 5)) is None
    assert parsed.line_of(("a", "b")) is None
    assert parsed.line_of(("nowhere", 0)) is None
    assert parsed.line_of(()) == 2


@given(
    st.text(alphabet=st.sampled_from("ab01:-,.#&*!|>'\"%@`{}[]?~<\\ \t\n\r\x00\ufeff\u2028é/"), max_size=60)
    | st.text(max_size=40)
)
@settings(deadline=None, max_examples=100)
def test_any_text_is_parsed_or_refused(text):
    try:
        parsed = parse(text)
    except (ParseError, LimitError):
        return
    assert parsed.text == text
    assert len(parsed.scanned) == len(text)
    assert isinstance(parsed.node, yaml.Node)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.text("ab: #-'\"\\\n é\U0001f600", max_size=8),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.text("abc d", min_size=1, max_size=4), inner, max_size=4)
        ),
        max_leaves=12,
    )
)
@settings(deadline=None, max_examples=60)
def test_what_pyyaml_and_json_write_is_read_back(data):
    import json

    assert parse(json.dumps({"k": data})).data == {"k": data}
    assert parse(json.dumps({"k": data}, indent=1)).data == {"k": data}
    assert parse(yaml.safe_dump({"k": data})).data == {"k": data}
