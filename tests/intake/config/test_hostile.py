"""Any values in any place: facts of the declared types, never an error."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.evidence import ConfigDocument
from bot.facts import FACTS
from bot.intake.config.read import config_facts
from bot.yamledit import Parsed, parse
from tests.intake.config.making import document, knowledge

_TYPES = {"bool": bool, "int": int, "float": float, "str": str, "strs": tuple, "ints": tuple}
_SCALARS = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats() | st.text(max_size=12)
_KEYS = st.sampled_from(
    ["train", "model", "datasets", "sample", "network", "arch", "name_or_path", "resolution", "batch_size", "samples", "prompts",
     "prompt", "width", "num_frames", "qtype", "model_kwargs", "ema_config", "control_path", "layer_offloading", "type", "config", "x"],
)  # fmt: skip
_DATA = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=6), max_leaves=25
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(_KEYS, _DATA, max_size=7), st.booleans())
def test_any_content_gives_facts_of_their_types(data, cut):
    made = document("{}")
    held = ConfigDocument(0, 0, 2, 1, "{}", True, "json", Parsed("{}", made.parsed.node, data), (), cut=cut)
    facts, _ = config_facts(held, knowledge())
    for name, fact in facts.items():
        assert isinstance(fact.value, _TYPES[FACTS[name].type])
        assert isinstance(fact.value, bool) == (FACTS[name].type == "bool")


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(_KEYS, _DATA, max_size=5))
def test_places_point_at_lines_of_the_text(data):
    text = json.dumps(data, indent=2, allow_nan=False, default=str) if _finite(data) else "{}"
    held = document(text)
    lines = text.split("\n")
    for fact in config_facts(held, knowledge())[0].values():
        if fact.place is not None:
            assert fact.place.text in lines[fact.place.line - held.line]


def _finite(data: object) -> bool:
    try:
        json.dumps(data, allow_nan=False)
    except ValueError:
        return False
    return parse(json.dumps(data)).data is not None
