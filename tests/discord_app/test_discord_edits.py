"""Pastes that are edited or deleted: the reply follows, and the stored text goes with the message."""

from pastes import LOG, config, fenced
from standin.acting import text_of

TOKEN = "hf_" + "AbCdEfGhIj" * 3 + "KlMn"


def test_the_reply_follows_an_edit(stage):
    _, channel = stage.server()
    message, reply = stage.paste(channel)
    stage.people.edit(message, fenced(config("edited", checkpointing="true")))
    stage.people.wait(lambda: reply.get("edits"), "the reply to follow")
    assert "+        gradient_checkpointing: true" not in text_of(reply)


def test_an_edit_can_make_a_message_a_paste(stage):
    _, channel = stage.server()
    message = stage.people.say(stage.person(), channel, "wait a second")
    stage.people.edit(message, fenced(config("late")))
    assert "```diff" in text_of(stage.people.reply(message))


def test_the_reply_goes_with_the_paste_and_so_does_the_text(stage):
    guild, channel = stage.server()
    message, reply = stage.paste(channel, text=fenced(config("forget_this_name")))
    stage.people.delete(message)
    stage.people.wait(lambda: reply["id"] not in channel.messages, "the reply to go")
    mod = stage.people.moderator(guild)
    found = stage.people.answer(stage.people.slash(mod, channel, "cases search", words="forget_this_name"))
    assert "No case" in text_of(found)


def test_deleting_one_of_two_messages_leaves_the_rest_of_the_case(stage):
    _, channel = stage.server()
    ann = stage.person()
    _, reply = stage.paste(channel, ann)
    log = stage.people.say(ann, channel, fenced(LOG, ""))
    stage.people.wait(lambda: "OOM" in reply["embeds"][0]["title"], "the reply to take in the log")
    stage.people.delete(log)
    stage.people.wait(lambda: "OOM" not in reply["embeds"][0]["title"], "the reply to forget the log")
    assert "```diff" in text_of(reply)


def test_a_call_becomes_a_paste_by_an_edit(stage):
    _, channel = stage.server()
    ann = stage.person()
    message = stage.people.say(ann, channel, f"<@{stage.world.bot.id}> help")
    assert "/diagnose" in text_of(stage.people.reply(message))
    stage.people.edit(message, f"<@{stage.world.bot.id}> help\n{fenced(config('late'))}")
    stage.people.wait(lambda: len(stage.people.replies(message)) == 2, "the paste to be answered")
    assert "```diff" in text_of(stage.people.replies(message)[1])
    # Once more the same, as a preview that Discord adds: nothing new is said.
    stage.people.edit(message, message["content"])
    stage.silent(stage.people.say(ann, channel, "thanks"))
    assert len(stage.people.replies(message)) == 2


def test_a_call_that_is_edited_and_still_a_call_is_answered_once(stage):
    _, channel = stage.server()
    message = stage.people.say(stage.person(), channel, f"<@{stage.world.bot.id}> help")
    stage.people.reply(message)
    stage.people.edit(message, f"<@{stage.world.bot.id}> please help")
    _, other = stage.server()
    stage.paste(other)
    assert len(stage.people.replies(message)) == 1


def test_a_paste_that_is_edited_away_takes_its_reply_along(stage):
    guild, channel = stage.server()
    message, reply = stage.paste(channel, text=fenced(config("edited_away")))
    stage.people.edit(message, "never mind, it was the wrong folder")
    stage.people.wait(lambda: reply["id"] not in channel.messages, "the reply to go")
    found = stage.people.answer(
        stage.people.slash(stage.people.moderator(guild), channel, "cases search", words="edited_away")
    )
    assert "No case" in text_of(found)


def test_a_word_added_to_a_solved_paste_does_not_open_it_again(stage):
    _, channel = stage.server()
    ann = stage.person()
    message, reply = stage.paste(channel, ann)
    stage.choose(ann, reply, "It works")
    edits = reply["edits"]
    stage.people.edit(message, f"SOLVED, thanks!\n{message['content']}")
    stage.people.wait(lambda: reply["edits"] > edits, "the reply to follow")
    assert "It works." in text_of(reply)
    assert "Still fails" not in stage.people.labels(reply)
    stage.people.edit(message, message["content"].replace("batch_size: 4", "batch_size: 8"))
    stage.people.wait(lambda: "Still fails" in stage.people.labels(reply), "another config to be another question")


def test_a_secret_that_an_edit_brings_is_told_to_its_owner(stage):
    _, channel = stage.server()
    ann = stage.person()
    message, reply = stage.paste(channel, ann)
    stage.people.edit(message, f"HF_TOKEN={TOKEN}\n{message['content']}")
    told = stage.people.wait(lambda: list(stage.world.dm(ann).messages.values()), "a direct message")[0]
    assert "hf-token" in told["content"]
    assert "For you only" in stage.people.labels(reply)


def test_a_log_handed_in_with_the_button_goes_with_the_paste(stage):
    guild, channel = stage.server()
    ann = stage.person()
    message, reply = stage.paste(channel, ann)
    asked = stage.people.click(ann, reply, "Send the new log")
    stage.people.modal(asked)
    stage.people.submit(asked, files=[("log.txt", LOG.replace("my_lora", "handed_in").encode())])
    stage.people.wait(lambda: "OOM crash" in text_of(reply), "the reply to follow")
    stage.people.delete(message)
    stage.people.wait(lambda: reply["id"] not in channel.messages, "the reply to go")
    found = stage.people.answer(
        stage.people.slash(stage.people.moderator(guild), channel, "cases search", words="handed_in")
    )
    assert "No case" in text_of(found)


def test_the_text_of_a_deleted_forum_post_goes(stage):
    guild, channel = stage.server(opted_in=False)
    forum = stage.people.forum(guild)
    stage.set_up(guild, guild.manager, channels=[forum])
    ann = stage.person()
    post = stage.people.thread(forum, ann)
    _, reply = stage.paste(post, ann, fenced(config("posted_name")))
    mod = stage.people.moderator(guild)
    found = stage.people.answer(stage.people.slash(mod, channel, "cases search", words="posted_name"))
    assert "No case" not in text_of(found)
    stage.people.remove(post)
    stage.people.wait(lambda: reply["id"] not in post.messages, "the reply to go")
    found = stage.people.answer(stage.people.slash(mod, channel, "cases search", words="posted_name"))
    assert "No case" in text_of(found)


def test_the_first_of_several_messages_keeps_its_place_when_it_is_edited(stage):
    _, channel = stage.server()
    ann = stage.person()
    text = config("in_order")
    cut = text.index("      train:")
    first = stage.people.say(ann, channel, fenced(text[:cut]))
    reply = stage.people.reply(first)
    stage.people.say(ann, channel, fenced(text[cut:]))
    stage.people.wait(lambda: "gradient_checkpointing: true" in text_of(reply), "both parts to be read as one")
    edits = reply["edits"]
    stage.people.edit(first, first["content"].replace("linear: 16", "linear: 32"))
    stage.people.wait(lambda: reply["edits"] > edits, "the reply to follow")
    assert "gradient_checkpointing: true" in text_of(reply)


def test_a_reply_that_a_moderator_deletes_is_not_pointed_to(stage):
    guild, channel = stage.server()
    ann, mod = stage.person(), stage.people.moderator(guild)
    message, reply = stage.paste(channel, ann)
    stage.choose(ann, reply, "Still fails")  # by then it is known which reply is whose
    stage.people.delete(reply)
    stage.again(
        lambda: ann.id in text_of(stage.people.answer(stage.people.slash(mod, channel, "cases list", state="closed"))),
        "the case to be closed",
    )
    again = stage.people.say(ann, channel, message["content"])
    assert "```diff" in text_of(stage.people.reply(again))


def test_what_is_added_to_a_case_whose_reply_is_gone_is_answered_anew(stage):
    _, channel = stage.server()
    ann = stage.person()
    _, reply = stage.paste(channel, ann)
    stage.choose(ann, reply, "Still fails")
    # Deleted while the bot was not looking: it never heard of it.
    del channel.messages[reply["id"]]
    log = stage.people.say(ann, channel, fenced(LOG, ""))
    fresh = stage.people.reply(log)
    assert "OOM crash" in text_of(fresh)
    stage.people.say(ann, channel, "rtx 3060 btw")
    stage.people.wait(lambda: "3060" in fresh["embeds"][0]["title"], "the new reply to follow")


def test_what_was_deleted_while_the_bot_was_away_goes_when_it_is_back(own_stage):
    stage = own_stage()
    _, channel = stage.server()
    gone, reply = stage.paste(channel)
    _, kept = stage.paste(channel)
    stage.bot.kill()
    del channel.messages[gone["id"]]
    stage.bot.start()
    stage.people.wait(lambda: reply["id"] not in channel.messages, "the reply to go")
    assert kept["id"] in channel.messages
    stage.sound()


def test_a_press_and_an_edit_at_once_leave_one_true_answer(stage):
    _, channel = stage.server()
    ann = stage.person()
    message, reply = stage.paste(channel, ann)
    edits = reply.get("edits", 0)
    stage.people.click(ann, reply, "Still fails")
    stage.people.edit(message, message["content"].replace("batch_size: 4", "batch_size: 6"))
    stage.people.wait(lambda: reply.get("edits", 0) >= edits + 2, "both to be dealt with")
    said = text_of(reply)
    assert ("Step 2" in said) == ("+        gradient_checkpointing: true" not in said)
    stage.choose(ann, reply, "Still fails")
    assert "6" in text_of(reply).split("```diff")[1]


def test_a_line_about_the_card_that_was_deleted_is_forgotten(stage):
    _, channel = stage.server()
    ann = stage.person()
    said = stage.people.say(ann, channel, "I have an RTX 3060 with 12 GB")
    stage.people.delete(said)
    _, reply = stage.paste(channel, ann)
    assert "3060" not in text_of(reply)
