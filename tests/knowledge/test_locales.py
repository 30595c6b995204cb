"""The words: the same keys, placeholders and alternatives in each language, within Discord's lengths, all of them used."""

import ast
import json
import re
from pathlib import Path
from typing import get_args

import pytest
from babel.numbers import format_decimal, format_percent
from yaml import MappingNode, SafeLoader, ScalarNode, compose

from bot.knowledge.load import Knowledge
from bot.knowledge.locale import FALLBACK, PLACEHOLDER, Locale, MissingWords, leaves, locale_tags, sentences
from bot.knowledge.schema import Class, Lever, Phase, Tool
from bot.knowledge.spoken import render_value
from bot.knowledge.wordfile import WordFile

BOT = Path(__file__).parents[2] / "bot"
KNOWLEDGE = Knowledge()
TAGS = locale_tags(KNOWLEDGE.folder)
OTHERS = [tag for tag in TAGS if tag != FALLBACK]
# An embed field's value: the tightest place that a sentence must fit into.
DISCORD_FIELD = 1024
# A choice's name and a button's label.
DISCORD_CHOICE = 100
DISCORD_LABEL = 80


def words(tag):
    return dict(leaves(KNOWLEDGE.locale(tag).words))


def placeholders(leaf):
    return {match[0] for sentence in sentences(leaf) for match in PLACEHOLDER.finditer(sentence)}


def test_there_are_three_languages():
    assert set(TAGS) >= {"en", "de", "it"}


@pytest.mark.parametrize("tag", OTHERS)
def test_same_keys_as_english(tag):
    assert sorted(words(tag)) == sorted(words(FALLBACK))


@pytest.mark.parametrize("tag", OTHERS)
def test_same_placeholders_as_english(tag):
    own = words(tag)
    different = {key: placeholders(leaf) ^ placeholders(own[key]) for key, leaf in words(FALLBACK).items()}
    assert {key: names for key, names in different.items() if names} == {}


@pytest.mark.parametrize("tag", OTHERS)
def test_same_alternatives_as_english(tag):
    own = words(tag)
    for key, leaf in words(FALLBACK).items():
        if isinstance(leaf, list):
            assert [placeholders(one) for one in leaf] == [placeholders(one) for one in own[key]], key


@pytest.mark.parametrize("tag", TAGS)
def test_plural_forms_are_those_of_the_language(tag):
    locale = KNOWLEDGE.locale(tag)
    wanted = {str(locale.babel.plural_form(count)) for count in (0, 1, 2, 5, 11, 100)} | {"other"}
    known = wanted | {str(locale.babel.plural_form(1_000_000))}
    for key, leaf in words(tag).items():
        if isinstance(leaf, dict):
            assert wanted <= set(leaf) - {"of"} <= known, key


@pytest.mark.parametrize("tag", TAGS)
def test_sentences_are_clean(tag):
    for key, leaf in words(tag).items():
        for sentence in sentences(leaf):
            assert sentence == sentence.rstrip(), key
            assert "://" not in sentence, f"{key}: addresses are values, not words"
            assert not re.search(r"[*_]{2}|<[a-z@]", sentence), f"{key}: back-ticks are the only markup"
            assert sentence.count("`") % 2 == 0, key
            assert "{" not in PLACEHOLDER.sub("", sentence), f"{key}: a placeholder that is none"


@pytest.mark.parametrize("tag", TAGS)
def test_sentences_fit_discord(tag):
    for key, leaf in words(tag).items():
        longest = max((len(sentence) for sentence in sentences(leaf)), default=0)
        assert longest <= DISCORD_FIELD, key
        if key.startswith("faq.") and key.endswith(".question"):
            assert longest <= DISCORD_CHOICE, key
        if key.startswith("tree.") and not key.endswith(".question"):
            assert longest <= DISCORD_LABEL, key


@pytest.mark.parametrize("tag", TAGS)
def test_no_key_stands_twice(tag):
    node = compose((KNOWLEDGE.folder / "locales" / f"{tag}.yaml").read_text("utf-8"), SafeLoader)
    assert list(_twice(node, "")) == []


def _twice(node, prefix):
    if not isinstance(node, MappingNode):
        return
    seen = set()
    for key, below in node.value:
        name = f"{prefix}{key.value}"
        if name in seen:
            yield f"{name}, line {key.start_mark.line + 1}"
        seen.add(name)
        yield from _twice(below, f"{name}.")


@pytest.mark.parametrize("tag", TAGS)
def test_keys_are_read_as_text(tag):
    """`no:` and `on:` are booleans in YAML 1.1 unless quoted."""
    assert [key for key in _keys(KNOWLEDGE.locale(tag).words) if not isinstance(key, str)] == []


def _keys(node):
    if isinstance(node, dict):
        yield from node
        for below in node.values():
            yield from _keys(below)


@pytest.mark.parametrize("tag", OTHERS)
def test_nothing_is_left_in_english(tag):
    """Whole sentences (not names or panels) differ from the English ones."""
    own = words(tag)
    same = [
        key
        for key, leaf in words(FALLBACK).items()
        if isinstance(leaf, str) and leaf == own[key] and len(PLACEHOLDER.sub("", leaf).split()) > 5
    ]
    assert same == []


def test_terms_of_the_guides():
    german = " ".join(sentence for leaf in words("de").values() for sentence in sentences(leaf))
    italian = " ".join(sentence for leaf in words("it").values() for sentence in sentences(leaf))
    for term in (
        "OOM-Absturz",
        "Vorschau",
        "Speicher-gegen-Geschwindigkeit-Tausch",
        "Höchsten Auflösungs-Bucket entfernen",
        "Gradient Checkpointing",
        "Batch Size",
        "VRAM-Spitzenwert",
        "Spielraum",
        "sichere Standard",
    ):
        assert term.lower() in german.lower(), term
    for term in (
        "anteprime",
        "compromesso memoria vs velocità",
        "bucket di risoluzione più alto",
        "picco di VRAM",
        "margine",
        "impostazione sicura predefinita",
        "crash OOM",
    ):
        assert term.lower() in italian.lower(), term


def test_german_says_du():
    """`Sie` inside a sentence is the formal address; at its start it can be "they" or "it"."""
    for key, leaf in words("de").items():
        for sentence in sentences(leaf):
            assert not re.search(r"[a-zäöüß,] (Sie|Ihre?[mnr]?|Ihnen)\b", sentence), key


def made(tag="en", **sections):
    sections["numbers"] = KNOWLEDGE.locale(tag).words["numbers"]
    return Locale(tag, WordFile("".join(f"{name}: {json.dumps(leaf)}\n" for name, leaf in sections.items())))


def test_values_are_written_in_the_language():
    text = "{crash.tried_gib} {crash.tried_gib:size} {share:percent} {flag} {list} {none}"
    values = {"crash.tried_gib": 1.5, "share": 0.6, "flag": False, "list": (512, 1024), "none": None}
    assert made("de", a=text).text("a", values) == "1,5 1,5 GiB 60\xa0% false 512, 1024 null"
    assert made("en", a=text).text("a", values) == "1.5 1.5 GiB 60% false 512, 1024 null"


@pytest.mark.parametrize("tag", ["de", "it"])
def test_code_is_written_as_the_config_has_it(tag):
    values = {"x": 0.5, "whole": 1.0, "rate": 1e-4, "many": (0.25, 512), "on": True, "none": None}
    said = made(tag, a="`a: {x}`, {x}: `{whole}` `{rate}` `[{many}]` `{on}` `{none}`").text("a", values)
    assert said == "`a: 0.5`, 0,5: `1.0` `0.0001` `[0.25, 512]` `true` `null`"


@pytest.mark.parametrize("tag", TAGS)
def test_fractions_are_written_as_babel_writes_them(tag):
    locale = KNOWLEDGE.locale(tag)
    for tenths in range(-2_000, 12_000, 7):
        number = tenths / 10
        assert render_value(locale, number) == format_decimal(number, format="#,##0.##", locale=locale.babel)
    for hundredths in range(101):
        assert render_value(locale, hundredths / 100, "percent") == format_percent(
            hundredths / 100, locale=locale.babel
        )


def test_small_sizes_are_mib():
    assert made(a="{x:size}").text("a", x=20 / 1024) == "20 MiB"


def test_large_sizes_are_whole():
    assert [made(a="{x:size}").text("a", x=size) for size in (99.46, 693.84, 1693.84)] == [
        "99.5 GiB",
        "694 GiB",
        "1,694 GiB",
    ]


def test_plural_forms_follow_count_and_named_facts():
    locale = made(
        a={"one": "{count} step", "other": "{count} steps"}, b={"of": "log.banners", "one": "once", "other": "often"}
    )
    assert [locale.text("a", count=count) for count in (1, 2)] == ["1 step", "2 steps"]
    assert locale.text("b", {"log.banners": 1}) == "once"
    assert locale.text("b", {}) == "often"


def test_first_alternative_whose_values_are_known():
    locale = made(a=["{x} and {y}.", "{x}.", "Nothing."])
    assert locale.text("a", x=1, y=2) == "1 and 2."
    assert locale.text("a", x=1) == "1."
    assert locale.text("a") == "Nothing."


def test_a_sentence_with_an_unknown_value_is_left_out():
    assert made(a="Known. At {x} GiB. Still known.").text("a") == "Known. Still known."
    assert made(a="{x}").text("a") == ""


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("`rm -rf`\n@everyone\x1b[31m", "'rm -rf' @\u200beveryone [31m"),
        ("{crash.tried_gib}", "{crash.tried_gib}"),
        ("x" * 200, "x" * 79 + "…"),
        (float("inf"), "…"),
        (float("nan"), "…"),
        (10**400, "…"),
        (tuple(range(20)), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …"),
    ],
)
def test_hostile_values_stay_values(value, shown):
    assert made(a="{x}").text("a", x=value) == shown


def test_missing_words_fall_back_to_english_then_raise():
    german = Locale("de", WordFile(""), KNOWLEDGE)
    assert german.text("reply.heading.cause") == KNOWLEDGE.locale("en").text("reply.heading.cause")
    assert german.find("no.such.key") == ""
    with pytest.raises(MissingWords):
        german.text("no.such.key")


def test_scalars_of_a_locale_file_are_text():
    for tag in TAGS:
        node = compose((KNOWLEDGE.folder / "locales" / f"{tag}.yaml").read_text("utf-8"), SafeLoader)
        assert [scalar.value for scalar in _scalars(node) if scalar.tag != "tag:yaml.org,2002:str"] == []


def _scalars(node):
    if isinstance(node, ScalarNode):
        yield node
    elif isinstance(node, MappingNode):
        for _, below in node.value:
            yield from _scalars(below)
    else:
        for below in node.value:
            yield from _scalars(below)


@pytest.mark.parametrize("tag", TAGS)
def test_entries_read_one_by_one_are_those_of_the_whole_file(tag):
    whole = words(tag)
    fresh = KNOWLEDGE.locale(tag)
    assert {key: fresh.leaf(key) for key in whole} == whole
    for section in ("rules", "tree.triage", "no-such", "faq.no-such"):
        assert fresh.below(section) == tuple(_descend(fresh.words, section.split(".")) or ())


def _descend(node, parts):
    for part in parts:
        node = node.get(part, {})
    return node


def test_vocabularies_are_covered_and_nothing_is_left_over():
    english = KNOWLEDGE.locale(FALLBACK)
    assert set(english.below("classes")) == set(get_args(Class))
    assert set(english.below("phases")) == set(get_args(Phase))
    assert set(english.below("levers")) == set(get_args(Lever))
    assert set(english.below("tools")) - {"intro", "intro_other", "send"} == set(get_args(Tool))
    for tool in get_args(Tool):
        assert set(english.below(f"tools.{tool}.settings")) <= set(get_args(Lever))
    risks = {family.risk.first_try for family in KNOWLEDGE.families.families.values() if family.risk}
    assert set(english.below("first_tries")) == risks


@pytest.mark.parametrize("section", ["repairs", "refusals", "notices", "errors", "cli", "reply"])
def test_every_key_is_asked_for_somewhere(section):
    """Its last part, or the one above, stands in the code as a text of its own, inside a key or as `{section}.{part}`."""
    asked = {part for text in _texts() for part in (text, *text.split("."))}
    for key in words(FALLBACK):
        parts = key.split(".")
        if parts[0] == section:
            assert {parts[-1], parts[1]} & asked, key


def _calls(folder, name):
    """The first argument of each call of a name, where it is a plain text."""
    for node in _nodes(folder):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name and node.args:
            yield from (
                one.value for one in node.args[:1] if isinstance(one, ast.Constant) and isinstance(one.value, str)
            )


def test_reasons_of_refused_edits_have_words():
    reasons = set(_calls("yamledit", "EditError"))
    assert reasons
    assert reasons <= set(KNOWLEDGE.locale(FALLBACK).below("refusals"))


def test_kinds_of_repairs_have_words():
    kinds = {*_calls("intake", "Change"), *_calls("intake", "Mend"), *_calls("intake", "_everywhere")}
    kinds |= {node.value.elts[0].value for node in _nodes("intake", "mend*.py") if _yields_a_kind(node)}
    assert len(kinds) > 10
    assert kinds <= set(KNOWLEDGE.locale(FALLBACK).below("repairs"))


def _yields_a_kind(node):
    """`yield "open-quote", …` of the repairs of a line."""
    pair = node.value if isinstance(node, ast.Yield) else None
    return (
        isinstance(pair, ast.Tuple) and isinstance(pair.elts[0], ast.Constant) and isinstance(pair.elts[0].value, str)
    )


def test_notices_have_words():
    """A notice is a pair of a key and a mapping of values."""
    keys = {
        node.elts[0].value
        for node in _nodes("intake")
        if isinstance(node, ast.Tuple) and len(node.elts) == 2
        and isinstance(node.elts[0], ast.Constant) and isinstance(node.elts[1], ast.Dict)
    }  # fmt: skip
    assert keys
    assert keys <= set(KNOWLEDGE.locale(FALLBACK).below("notices"))


def _nodes(folder, files="*.py"):
    for file in (BOT / folder).rglob(files):
        yield from ast.walk(ast.parse(file.read_text("utf-8")))


def _texts():
    for node in _nodes("."):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 80:
            yield node.value
