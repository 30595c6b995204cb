"""No reply exceeds Discord's limits, whatever is in it and in whatever language."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from standin.errors import ApiError, Form
from standin.rules import check_components, check_message

from bot.discord_app.casework.buttons import actions
from bot.discord_app.casework.desk import Shown
from bot.discord_app.casework.layout import DESCRIPTION, TITLE, Laid, clipped, lay_out, length
from bot.discord_app.casework.replies import case_message
from bot.discord_app.languages import Languages, Speech
from bot.discord_app.permissions import INVITE, NEEDED, missing
from bot.discord_app.workers.jobs import Answer, Offer
from bot.knowledge.load import Knowledge
from bot.reply.blocks import Block, Reply

SPEECH = Speech(Knowledge())
TEXT = st.text(st.sampled_from("ab `*_~|>#[]()<@:/\\\n😀ß漢"), max_size=20).map(lambda text: text * 40) | st.text(
    max_size=200
)
KINDS = (
    "cause",
    "change",
    "diff",
    "snippet",
    "rerun",
    "memory",
    "next",
    "speed",
    "skipped",
    "findings",
    "tool",
    "notes",
)
BLOCKS = st.builds(
    Block, st.sampled_from(KINDS), TEXT, st.lists(TEXT, max_size=4).map(tuple), st.lists(TEXT, max_size=5).map(tuple),
    st.booleans(), TEXT, st.sampled_from(["diff", "yaml", ""]),
)  # fmt: skip
REPLIES = st.builds(Reply, st.just("en"), TEXT, st.lists(BLOCKS, max_size=6).map(tuple))


@settings(max_examples=60, deadline=None)
@given(REPLIES, st.sampled_from(["en", "de", "it"]))
def test_any_reply_fits(reply, tag):
    laid = lay_out(reply, SPEECH.locale(tag))
    assert length(laid.title) <= TITLE
    assert length(laid.description) <= DESCRIPTION
    assert len(laid.files) <= 10
    assert laid.description.count("```") % 2 == 0, "every code block is closed"


def answer(laid, **more):
    base = {
        "locale": "en", "diagnosis": {"diff": "x", "redactions": 3}, "laid": laid, "why": laid, "documents": (), "offers": (Offer("ema", "r", 0),),
        "sure": True, "wants_log": True, "hardware": (), "fragment": False, "secrets": ("hf-token",), "redacted": (),
    }  # fmt: skip
    return Answer(**(base | more))


@settings(max_examples=40, deadline=None)
@given(
    REPLIES, st.sampled_from(["en", "de", "it"]), st.sampled_from(["open", "works", "ended", "closed"]), st.booleans()
)
def test_any_case_makes_a_message_that_discord_takes(reply, tag, stage, private):
    locale = SPEECH.locale(tag)
    shown = Shown("K7Q2", answer(lay_out(reply, locale), locale=tag), stage, step=4, tried=("ema",) * 30, can_undo=True)
    message = case_message(shown, locale, private=private)
    body = {"embeds": [message.new()["embed"].to_dict()], "components": message.view.to_components()}
    check_message(body)


def test_words_in_each_language_fit_their_buttons():
    for tag in SPEECH.tags:
        for stage in ("open", "ended"):
            shown = Shown("K7Q2K7Q2", answer(Laid("t", "d")), stage, can_undo=True)
            view = case_message(shown, SPEECH.locale(tag), private=True).view
            assert len(view.children) == len(actions(shown, private=True))
            form = Form()
            check_components(form, view.to_components(), v2=False)
            form.done()


@pytest.mark.parametrize(("wishes", "tag"), [
    (Languages(own="it", interaction="de", prose="en"), "it"),
    (Languages(interaction="de", prose="it", server="en"), "de"),
    (Languages(interaction="fr", prose="it", server="de"), "it"),
    (Languages(interaction="pt-BR", server="de-AT"), "de"),
    (Languages(interaction="ja"), "en"),
])  # fmt: skip
def test_whose_language_counts(wishes, tag):
    assert SPEECH.pick(wishes) == tag


def test_a_cut_never_halves_a_character():
    assert clipped("😀" * 10, 5) == "😀😀…"
    assert clipped("short", 5) == "short"


def test_the_stand_in_refuses_what_discord_refuses():
    """Were it lax, every test above would prove nothing."""
    for body in (
        {"content": "x" * 2001},
        {"embeds": [{"description": "x" * 4097}]},
        {"embeds": [{"description": "x" * 4000}, {"description": "x" * 2001}]},
        {
            "content": "x",
            "components": [{"type": 1, "components": [{"type": 2, "label": "x", "style": 1, "custom_id": "c" * 101}]}],
        },
        {
            "content": "x",
            "components": [{"type": 1, "components": [{"type": 2, "label": "x", "style": 1, "custom_id": "c"}] * 2}],
        },
        {
            "content": "x",
            "components": [{"type": 1, "components": [{"type": 2, "label": "l" * 81, "style": 1, "custom_id": "c"}]}],
        },
    ):
        with pytest.raises(ApiError, match="50035"):
            check_message(body)


def test_the_invite_asks_for_what_is_used_and_no_more():
    assert missing(INVITE, forum=True) == []
    assert INVITE.value == 326417632256
    assert not INVITE.administrator
    assert not INVITE.manage_messages


def test_the_readme_invites_with_the_same_number_and_names():
    text = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
    assert f"permissions={INVITE.value}" in text
    words = SPEECH.locale("en")
    for name in NEEDED:
        assert words.text(f"discord.permission.{name}") in text
