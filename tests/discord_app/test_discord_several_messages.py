"""One case out of several messages: a config in pieces, a log sent behind, a card named in passing; and what is not one."""

import json

import yaml
from pastes import LOG, config, fenced
from standin.acting import text_of
from standin.world import ATTACH, EMBED, HISTORY


def test_a_config_cut_in_three_is_one_config(stage):
    _, channel = stage.server()
    ann = stage.person()
    text = config("cut")
    one, two = text.index("      train:"), text.index("      sample:")
    sent = [
        stage.people.say(ann, channel, part) for part in (fenced(text[:one]), fenced(text[one:two]), fenced(text[two:]))
    ]
    reply = stage.people.reply(sent[0])
    stage.people.wait(
        lambda: "gradient_checkpointing: true" in text_of(reply) and reply["edits"] >= 2, "all parts to be read as one"
    )
    assert [len(stage.people.replies(message)) for message in sent] == [1, 0, 0]
    answer = stage.people.answer(stage.people.click(ann, reply, "Fixed file"))
    fixed = stage.world.files[answer["attachments"][0]["url"].removeprefix(stage.world.base)].decode()
    assert text.replace("checkpointing: false", "checkpointing: true").strip() in fixed


def test_without_code_blocks_discord_eats_the_first_indentation(stage):
    _, channel = stage.server()
    ann = stage.person()
    text = config("eaten")
    cut = text.index("      train:")
    first = stage.people.say(ann, channel, text[:cut].strip())
    reply = stage.people.reply(first)
    stage.people.say(ann, channel, text[cut:].strip())
    stage.people.wait(lambda: "+        gradient_checkpointing: true" in text_of(reply), "both parts to be read as one")


def test_after_a_mention_the_log_sent_behind_joins_in_a_channel_that_nobody_opted_in(stage):
    _, channel = stage.server(opted_in=False)
    ann = stage.person()
    message = stage.people.say(ann, channel, f"<@{stage.world.bot.id}> {fenced(config('called'))}")
    reply = stage.people.reply(message)
    log = stage.people.say(ann, channel, fenced(LOG, ""), reference=reply)
    stage.people.wait(lambda: "OOM" in reply["embeds"][0]["title"], "the reply to take in the log")
    assert stage.people.replies(log) == []
    for text in ("is it the dataset?", "I have a cat"):
        stage.silent(stage.people.say(ann, channel, text))
    stage.choose(ann, reply, "It works")
    stage.silent(stage.people.say(ann, channel, fenced(config("another"))))


def test_the_role_of_the_bot_is_the_bot(stage):
    guild, channel = stage.server(opted_in=False)
    message = stage.people.say(
        stage.person(), channel, f"<@&{guild.bot_role}> {fenced(config('by_role'))}", mention_roles=[guild.bot_role]
    )
    assert "```diff" in text_of(stage.people.reply(message))


def test_a_setting_that_somebody_shows_to_another_is_left_alone(stage):
    _, channel = stage.server()
    bob = stage.person()
    asked = stage.people.say(bob, channel, "it is so slow")
    hint = "```yaml\ntrain:\n  gradient_checkpointing: false\n  batch_size: 4\n```"
    stage.silent(stage.people.say(stage.person(), channel, f"try this {hint}", reference=asked))
    stage.silent(stage.people.say(stage.person(), channel, f"<@{bob.id}> {hint}"))
    message = stage.people.say(bob, channel, fenced(config("as_asked")), reference=asked)
    assert "```diff" in text_of(stage.people.reply(message)), "a whole job is one's own"


def test_a_card_that_was_recommended_to_somebody_is_not_ones_own(stage):
    _, channel = stage.server()
    ann = stage.person()
    asked = stage.people.say(stage.person(), channel, "what do I need?")
    stage.silent(stage.people.say(ann, channel, "an RTX 4090 with 24 GB", reference=asked))
    _, reply = stage.paste(channel, ann)
    assert "4090" not in text_of(reply)


def test_who_is_asked_about_anothers_paste_may_name_the_card(stage):
    _, channel = stage.server(opted_in=False)
    pasted = stage.people.say(stage.person(), channel, fenced(config("with_card")))
    helper = stage.people.say(stage.person(), channel, f"<@{stage.world.bot.id}> on an RTX 3060", reference=pasted)
    assert "3060" in stage.people.reply(helper)["embeds"][0]["title"]


def test_a_file_that_is_no_text_is_told_apart_from_nothing(stage):
    _, channel = stage.server()
    message = stage.people.say(stage.person(), channel, f"<@{stage.world.bot.id}>", files=[("log.zip", b"PK")])
    assert "text files only" in text_of(stage.people.reply(message))
    stage.silent(stage.people.say(stage.person(), channel, "my loras", files=[("loras.zip", b"PK")]))


def test_a_log_in_the_thread_under_a_paste_joins(stage):
    guild, channel = stage.server()
    stage.set_up(guild, guild.manager, channels=[channel], style=["thread"])
    ann = stage.person()
    message = stage.people.say(ann, channel, fenced(config("threaded")))
    thread = stage.people.wait(lambda: stage.world.channels.get(message["id"]), "a thread")
    reply = stage.people.wait(lambda: list(thread.messages.values()), "a reply in it")[0]
    log = stage.people.say(ann, thread, fenced(LOG, ""))
    stage.people.wait(lambda: "OOM" in reply["embeds"][0]["title"], "the reply to take in the log")
    assert stage.people.replies(log) == []
    stage.people.delete(log)
    stage.people.wait(lambda: "OOM" not in reply["embeds"][0]["title"], "the reply to forget the log")


def test_where_more_is_needed_there_is_nothing_that_could_work_or_fail(stage):
    _, channel = stage.server()
    ann = stage.person()
    message = stage.people.say(
        ann, channel, f"<@{stage.world.bot.id}>", files=[("notes.txt", b"my run dies, what now?")]
    )
    reply = stage.people.reply(message)
    assert "Still fails" not in stage.people.labels(reply)
    assert "Send the new log" in stage.people.labels(reply)
    stage.people.say(ann, channel, fenced(LOG, ""))
    stage.people.wait(lambda: "Still fails" in stage.people.labels(reply), "a change to try")


def test_every_reply_of_a_case_follows(stage):
    _, channel = stage.server(opted_in=False)
    ann = stage.person()
    private = stage.people.answer(
        stage.people.slash(ann, channel, "diagnose", file=("config.yaml", config("both").encode()))
    )
    public = stage.people.answer(stage.people.click(ann, private, "Show to everyone"))
    stage.choose(ann, private, "Still fails")
    stage.people.wait(lambda: "Step 2" in text_of(public), "the public one to follow")


def test_where_no_file_may_be_attached_the_reply_says_so(stage):
    guild, channel = stage.server()
    channel.deny = ATTACH
    stage.people.changed(channel)
    data = json.dumps(yaml.safe_load(config("one_line"))).encode()
    _, reply = stage.paste(channel, text="it dies", files=[("job.json", data)])
    assert reply["attachments"] == []
    assert "may not attach files" in text_of(reply)
    assert guild.channels == [channel]


def test_where_no_embed_may_be_shown_the_reply_stays_text(stage):
    _, channel = stage.server()
    channel.deny = EMBED | HISTORY
    stage.people.changed(channel)
    ann = stage.person()
    stage.people.say(ann, channel, fenced(config("as_text")))
    reply = stage.people.wait(
        lambda: [one for one in list(channel.messages.values()) if one["author"]["bot"]], "a reply"
    )[0]
    assert "```diff" in reply["content"]
    assert reply["embeds"] == []
    stage.people.say(ann, channel, fenced(LOG, ""))
    stage.people.wait(lambda: "OOM" in reply["content"], "the reply to take in the log")
    stage.choose(ann, reply, "Still fails")
    assert "Step 2" in reply["content"]
    assert reply["embeds"] == []
