"""Two things at once: what is deleted stays deleted, and replies show what counted last."""

import pytest
from pastes import LOG, config, fenced
from standin.acting import text_of


@pytest.fixture
def place(stage):
    """A support channel, its moderator, and another channel in which something can be waited for."""
    guild, channel = stage.server()
    return channel, stage.people.moderator(guild), stage.server()[1]


def found(stage, place, words):
    """What a moderator finds by a word of the stored texts."""
    channel, mod, elsewhere = place
    stage.paste(elsewhere)
    return text_of(stage.people.answer(stage.people.slash(mod, channel, "cases search", words=words)))


def log_file(stage, channel, name):
    return stage.world.add_file("log.txt", LOG.replace("my_lora", name).encode(), channel=channel.id)


def test_what_is_deleted_while_its_edit_is_read_is_not_stored_again(stage, place):
    channel, _, elsewhere = place
    message, reply = stage.paste(channel)
    message["attachments"] = [log_file(stage, channel, "edited_in")]
    held, go_on = stage.hold("GET", f"/cdn/attachments/{channel.id}/")
    stage.people.edit(message, message["content"])
    stage.people.wait(lambda: held.held, "the edit to be read")
    stage.people.delete(message)
    stage.paste(elsewhere)  # by then the bot knows of it
    go_on()
    stage.people.wait(lambda: reply["id"] not in channel.messages, "the reply to go")
    assert "No case" in found(stage, place, "edited_in")


def test_what_is_deleted_while_a_log_is_added_is_not_stored_again(stage, place):
    channel, _, elsewhere = place
    ann = stage.person()
    message, reply = stage.paste(channel, ann, fenced(config("first_of_two")))
    held, go_on = stage.hold("GET", f"/cdn/attachments/{channel.id}/")
    log = stage.people.say(ann, channel, "", attachments=[log_file(stage, channel, "second_of_two")])
    stage.people.wait(lambda: held.held, "the log to be read")
    stage.people.delete(message)
    stage.people.wait(lambda: reply["id"] not in channel.messages, "the reply to go")
    stage.paste(elsewhere)
    go_on()
    assert text_of(stage.people.reply(log)).startswith("\nOOM crash"), "it stands for itself"
    assert "No case" in found(stage, place, "first_of_two")


def test_what_was_deleted_while_the_bot_looked_for_what_it_missed_is_not_answered(own_stage):
    stage = own_stage()
    _, channel = stage.server()
    _, elsewhere = stage.server()
    stage.bot.stop()
    message = stage.people.say(stage.person(), channel, fenced(config("deleted_soon")))
    held, go_on = stage.hold("GET", f"/channels/{channel.id}/messages$", after=True)
    stage.bot.start()
    stage.people.wait(lambda: held.held, "the bot to read back")
    stage.people.delete(message)
    stage.paste(elsewhere)
    go_on()
    stage.paste(channel)
    stage.paste(elsewhere)
    assert (channel.id, message["id"]) not in stage.world.nonces, "nor for a moment"
    stage.sound()


def test_who_presses_before_the_bot_knows_where_the_answer_is_shown_changes_it_there_too(stage, place):
    channel, _, elsewhere = place
    ann = stage.person()
    private = stage.people.answer(
        stage.people.slash(ann, channel, "diagnose", file=("config.yaml", config("soon").encode()))
    )
    _, go_on = stage.hold("PATCH", "/messages/@original$", after=True)
    public = stage.people.answer(stage.people.click(ann, private, "Show to everyone"))
    pressed = stage.people.click(ann, private, "Still fails")
    stage.people.wait(lambda: pressed.answered, "the press to be heard")
    stage.paste(elsewhere)  # by then it could have been dealt with
    go_on()
    stage.people.wait(lambda: "Step 2" in text_of(private), "the reply to follow")
    stage.people.wait(lambda: "Step 2" in text_of(public), "the public one to follow")
