"""Threads and posts that were archived meanwhile: opened again where that is allowed, else said so."""

import pytest
from standin.acting import text_of
from standin.world import EVERYTHING, MANAGE_THREADS


@pytest.fixture
def post(stage):
    """A forum post with a paste in it; its asker, the paste and the reply."""
    guild, _ = stage.server(opted_in=False)
    forum = stage.people.forum(guild)
    stage.set_up(guild, guild.manager, channels=[forum])
    ann = stage.person("de")
    made = stage.people.thread(forum, ann)
    message, reply = stage.paste(made, ann)
    return made, ann, message, reply


def test_the_reply_in_an_archived_post_follows_an_edit(stage, post):
    thread, _, message, reply = post
    stage.people.archive(thread)
    stage.people.edit(message, message["content"].replace("batch_size: 4", "batch_size: 6"))
    stage.people.wait(lambda: reply.get("edits"), "the reply to follow")
    assert not thread.archived


def test_a_press_in_an_archived_post_counts(stage, post):
    thread, ann, _, reply = post
    stage.people.archive(thread, locked=True)
    stage.choose(ann, reply, "Still fails")
    assert "Step 2" in text_of(reply)


def test_where_a_locked_post_may_not_be_opened_the_person_is_told(own_stage):
    stage = own_stage()
    guild, channel = stage.server(opted_in=False, bot_permissions=EVERYTHING & ~MANAGE_THREADS)
    stage.set_up(guild, guild.manager, channels=[channel])
    ann = stage.person("de")
    thread = stage.people.thread(channel, ann)
    _, reply = stage.paste(thread, ann)
    stage.people.archive(thread, locked=True)
    pressed = stage.people.click(ann, reply, "Still fails")
    (told,) = stage.people.wait(lambda: pressed.followups, "a sentence")
    assert "archiviert" in text_of(told)
    assert told["flags"] & 64
    stage.sound()
