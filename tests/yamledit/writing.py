"""Configs written in any style a person might: for property tests."""

import json
from typing import Any

from hypothesis import strategies as st

KEYS = ("batch_size", "lr", "resolution", "prompts", "low_vram", "model", "samples", "a b", "on_it")
numbers = st.integers(-3, 2048) | st.sampled_from([0.0001, 1e-5, 0.5, 1.0])
words = st.sampled_from(
    ["bf16", "a cat", "it's: here", "C:\\x", "", "#1", "- x", "yes", "1024", 'say "hi"', "[t] x", "é", "{a}"]
)
scalars = st.none() | st.booleans() | numbers | words
lists = st.lists(numbers, min_size=1, max_size=4) | st.lists(words, min_size=1, max_size=3)


def mappings(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(KEYS), inner, min_size=1, max_size=5)


values = st.recursive(
    scalars | lists | st.builds(dict) | st.builds(list),
    lambda inner: mappings(inner) | st.lists(mappings(inner), min_size=1, max_size=2),
    max_leaves=14,
)
documents = mappings(values)


class Writer:
    """Writes a value, asking `draw` for each choice of style."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self.newline = draw(st.sampled_from(["\n", "\n", "\r\n"]))
        self._comments = draw(st.booleans())

    def document(self, data: dict[str, Any]) -> str:
        style = self._draw(st.sampled_from(["block", "block", "json", "pretty", "flow"]))
        if style == "json":
            return json.dumps(data, separators=self._draw(st.sampled_from([(",", ":"), (", ", ": ")])))
        if style == "pretty":
            text = json.dumps(
                data, indent=self._draw(st.sampled_from([1, 2, 4])), ensure_ascii=self._draw(st.booleans())
            )
            return text.replace("\n", self.newline)
        if style == "flow":
            return self._flow(data) + self._end()
        head = self._draw(st.sampled_from(["", "---\n", "# head\n"])).replace("\n", self.newline)
        return head + self._block(data, self._draw(st.sampled_from([0, 0, 2])))[:] + self._tail()

    def _end(self) -> str:
        return self._draw(st.sampled_from(["", self.newline]))

    def _tail(self) -> str:
        tail = self._draw(st.sampled_from(["", "# end\n", "\n", "\n# end"]))
        return tail.replace("\n", self.newline)

    def _comment(self) -> str:
        return self._draw(st.sampled_from(["", "", "  # why", " # it's: [x, "])) if self._comments else ""

    def _between(self, column: int) -> str:
        if not self._comments:
            return ""
        made = self._draw(st.sampled_from(["", "", "", "\n", " " * column + "# old: 1\n", "#x\n"]))
        return made.replace("\n", self.newline)

    def _block(self, data: dict[str, Any], column: int, first: str = "") -> str:
        made = ""
        step = self._draw(st.sampled_from([2, 2, 4]))
        for number, (key, value) in enumerate(data.items()):
            lead = first if first and not number else " " * column
            made += f"{lead}{self._key(key)}:{self._value(value, column, step)}{self._between(column)}"
        return made

    def _key(self, key: str) -> str:
        return self._draw(st.sampled_from([key, key, key, f'"{key}"']))

    def _value(self, value: Any, column: int, step: int) -> str:
        if isinstance(value, dict) and value and self._draw(st.integers(0, 4)):
            return self._comment() + self.newline + self._block(value, column + step)
        if isinstance(value, list) and value and self._draw(st.booleans()):
            inner = column + self._draw(st.sampled_from([0, 2]))
            items = "".join(self._between(inner) + self._item(item, inner) for item in value)
            return self._comment() + self.newline + items
        return " " + self._flow(value) + self._comment() + self.newline

    def _item(self, value: Any, column: int) -> str:
        lead = " " * column + "- "
        if isinstance(value, dict) and value:
            return self._block(value, column + 2, lead)
        return lead + self._flow(value) + self._comment() + self.newline

    def _flow(self, value: Any) -> str:
        space = self._draw(st.sampled_from(["", " "]))
        if isinstance(value, list):
            return f"[{space}{', '.join(map(self._flow, value))}{space}]"
        if isinstance(value, dict):
            return (
                "{"
                + space
                + ", ".join(f"{self._key(key)}: {self._flow(item)}" for key, item in value.items())
                + space
                + "}"
            )
        return self._scalar(value)

    def _scalar(self, value: Any) -> str:
        if isinstance(value, bool):
            return self._draw(st.sampled_from([str(value), str(value).lower(), "on" if value else "off"]))
        if value is None:
            return self._draw(st.sampled_from(["null", "~"]))
        if isinstance(value, str):
            if value in {"bf16", "a cat", "é"} and self._draw(st.booleans()):
                return value
            if self._draw(st.booleans()):
                return "'" + value.replace("'", "''") + "'"
            return json.dumps(value)
        return repr(value)


@st.composite
def written(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    """Values, and a text that says them."""
    data = draw(documents)
    return data, Writer(draw).document(data)
