"""Pasting in a support channel: answered once, in the open, or not at all."""

import pytest
from pastes import LOG, config, fenced
from standin.acting import text_of
from standin.world import FORUM


def footer(message):
    return message["embeds"][0]["footer"]["text"]


def test_a_config_in_a_support_channel_gets_one_reply(stage):
    _, channel = stage.server()
    message, reply = stage.paste(channel)
    words = text_of(reply)
    assert "```diff" in words
    assert "-        gradient_checkpointing: false" in words
    assert "+        gradient_checkpointing: true" in words
    assert reply["pings"] == []
    assert stage.people.labels(reply)[:3] == ["It works", "Still fails", "Fixed file"]
    assert len(stage.people.replies(message)) == 1


def test_a_traceback_pasted_as_text_is_answered(stage):
    _, channel = stage.server()
    _, reply = stage.paste(channel, text=LOG)
    assert reply["embeds"][0]["title"].startswith("OOM crash")


def test_a_log_of_four_megabytes_as_a_file(stage):
    _, channel = stage.server()
    frame = "my_lora:   1%|1         | 12/2000 [00:31<1:24:11,  2.55s/it, lr: 1.0e-04 loss: 4.1e-01]\r"
    log = (frame * (4 * 2**20 // len(frame)) + "\n" + LOG).encode()
    _, reply = stage.paste(channel, text="it died", files=[("log.txt", log)])
    assert "OOM" in text_of(reply)


def test_of_a_longer_file_only_head_and_tail_are_read(stage):
    _, channel = stage.server()
    log = b"x" * (10 * 2**20) + LOG.encode()
    message = stage.people.say(stage.person(), channel, files=[("log.txt", log)])
    stage.people.reply(message)
    served = next(
        size for path, size in stage.standin.served.items() if message["attachments"][0]["url"].endswith(path)
    )
    assert served <= 8 * 2**20


def test_a_file_that_is_larger_than_it_claims_is_read_no_further(stage):
    _, channel = stage.server()
    file = stage.world.add_file("log.txt", LOG.encode() + b"y" * (9 * 2**20), claimed_size=100)
    message = stage.people.say(stage.person(), channel, attachments=[file])
    assert "OOM" in text_of(stage.people.reply(message))


@pytest.mark.parametrize("text", [
    "I get OOM all the time, any ideas?",
    "it says CUDA out of memory, what does that mean",
    "```python\nfor batch in loader:\n    loss = model(batch, batch_size=4, resolution=1024)\n    print(loss)\n```",
    "what batch_size do you use? and which resolution?",
    "https://example.com/some/config.html is a nice guide",
])  # fmt: skip
def test_talk_and_other_programs_are_left_alone(stage, text):
    _, channel = stage.server()
    stage.silent(stage.people.say(stage.person(), channel, text))


def test_bots_and_webhooks_are_left_alone(stage):
    _, channel = stage.server()
    robot = stage.world.add_user("robot", bot=True)
    first = stage.people.say(robot, channel, fenced(config("robots")))
    second = stage.people.say(stage.person(), channel, fenced(config("hooked")), webhook=True)
    stage.silent(first)
    assert stage.people.replies(second) == []


def test_a_channel_that_nobody_opted_in_is_left_alone_but_for_a_mention(stage):
    guild, channel = stage.server(opted_in=False)
    stage.silent(stage.people.say(stage.person(), channel, fenced(config("not_here"))))
    mentioned = stage.people.say(stage.person(), channel, f"<@{stage.world.bot.id}> {fenced(config('mentioned'))}")
    assert "gradient_checkpointing" in text_of(stage.people.reply(mentioned))
    assert guild.id in stage.world.guilds


def test_a_mention_with_nothing_to_read_is_told_what_to_send(stage):
    _, channel = stage.server()
    message = stage.people.say(stage.person(), channel, f"<@{stage.world.bot.id}> help me please")
    assert "/diagnose" in text_of(stage.people.reply(message))


def test_a_question_of_the_faq_gets_its_answer_in_its_own_language(stage):
    _, channel = stage.server()
    message = stage.people.say(stage.person(), channel, f"<@{stage.world.bot.id}> wie viel VRAM brauche ich für Flux?")
    answer = stage.people.reply(message)
    assert answer["embeds"][0]["title"].startswith("Wie viel VRAM")
    stage.silent(stage.people.say(stage.person(), channel, "wie viel VRAM brauche ich für Flux?"))


def test_in_a_talk_what_to_send_is_said_once(stage):
    ann = stage.person()
    talk = stage.world.dm(ann)
    assert "/diagnose" in text_of(stage.people.reply(stage.people.say(ann, talk, "hello")))
    stage.silent(stage.people.say(ann, talk, "thanks"))
    _, reply = stage.paste(talk, ann)
    assert "```diff" in text_of(reply)


def test_a_mention_in_answer_to_somebodys_paste_reads_that(stage):
    _, channel = stage.server(opted_in=False)
    pasted = stage.people.say(stage.person(), channel, fenced(config("somebody_elses")))
    helper = stage.people.say(stage.person(), channel, f"<@{stage.world.bot.id}> can you look?", reference=pasted)
    assert "gradient_checkpointing" in text_of(stage.people.reply(helper))


def test_direct_messages_are_answered(stage):
    ann = stage.person()
    _, reply = stage.paste(stage.world.dm(ann), ann)
    assert "```diff" in text_of(reply)


def test_config_then_log_then_the_card_become_one_case(stage):
    _, channel = stage.server()
    ann = stage.person()
    message, reply = stage.paste(channel, ann)
    before = footer(reply)
    log = stage.people.say(ann, channel, fenced(LOG, ""))
    stage.people.wait(lambda: "OOM" in reply["embeds"][0]["title"], "the reply to take in the log")
    edits = reply["edits"]
    stage.people.say(ann, channel, "rtx 3060 btw")
    stage.people.wait(lambda: reply["edits"] > edits, "the reply to take in the card")
    assert "3060" in reply["embeds"][0]["title"]
    assert footer(reply) == before
    assert stage.people.replies(log) == []
    assert len(stage.people.replies(message)) == 1


def test_somebody_elses_card_does_not_join(stage):
    _, channel = stage.server()
    _, reply = stage.paste(channel)
    stage.silent(stage.people.say(stage.person(), channel, "I have a 4090 and it works"))
    assert "4090" not in text_of(reply)


def test_what_was_said_of_the_card_just_before_counts(stage):
    _, channel = stage.server()
    ann = stage.person()
    stage.silent(stage.people.say(ann, channel, "hi, I have an RTX 3060 with 12 GB"))
    _, reply = stage.paste(channel, ann)
    assert "3060" in reply["embeds"][0]["title"]


def test_the_same_text_again_is_answered_from_the_same_case(stage):
    _, channel = stage.server()
    ann = stage.person()
    message, reply = stage.paste(channel, ann)
    again = stage.people.say(ann, channel, message["content"])
    assert f"/{reply['id']}" in text_of(stage.people.reply(again))
    assert stage.people.reply(again)["components"] == []


def test_a_message_that_is_delivered_twice_is_answered_once(stage):
    _, channel = stage.server()
    message, _ = stage.paste(channel)
    stage.people.redeliver(message)
    stage.silent(stage.people.say(stage.person(), channel, "talk"))
    assert len(stage.people.replies(message)) == 1


def test_a_picture_of_an_error_gets_one_kind_sentence(stage):
    _, channel = stage.server()
    message = stage.people.say(stage.person(), channel, "oom again :(", files=[("IMG_1.png", b"\x89PNG")])
    assert "log.txt" in text_of(stage.people.reply(message))
    stage.silent(stage.people.say(stage.person(), channel, "look at my cat", files=[("cat.png", b"\x89PNG")]))


def test_a_secret_is_told_to_its_owner_alone(stage):
    _, channel = stage.server()
    ann, token = stage.person(), "hf_" + "AbCdEfGhIj" * 3 + "KlMn"
    _, reply = stage.paste(channel, ann, f"HF_TOKEN={token}\n" + fenced(config("leaky")))
    told = stage.people.wait(lambda: list(stage.world.dm(ann).messages.values()), "a direct message")[0]
    assert "hf-token" in told["content"]
    assert token not in text_of(reply) + told["content"] + stage.bot.log
    private = stage.people.answer(stage.people.click(ann, reply, "For you only"))
    assert private["flags"] & 64
    assert "hf-token" in text_of(private)


def test_a_secret_in_a_files_name_is_not_shown(stage):
    _, channel = stage.server()
    token = "hf_" + "KlMnOpQrSt" * 3 + "AbCd"
    message = stage.people.say(stage.person(), channel, files=[(f"{token}.yaml", config("named").encode())])
    assert token not in text_of(stage.people.reply(message))


def test_a_paste_with_markdown_mentions_and_backticks_stays_text(stage):
    _, channel = stage.server()
    evil = config("@everyone ``` [click](https://evil.example) <@1> ||x||").replace(
        "training_folder: output", 'training_folder: "``` @here"'
    )
    _, reply = stage.paste(channel, text=f"~~~yaml\n{evil}~~~", files=[("config.yaml", evil.encode())])
    words = text_of(reply)
    assert words.count("```") % 2 == 0
    outside_code = "".join(words.split("```")[::2])
    assert "](https" not in outside_code
    assert "@here" not in outside_code
    assert reply["pings"] == []


@pytest.mark.parametrize("hostile", [
    "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"b{i}: &b{i} [*a,*a,*a,*a,*a,*a,*a,*a]\n" for i in range(9)),
    "[" * 100_000,
    "batch_size: " + "9" * 5000 + "\ntrain:\n  resolution: " + "a" * 60_000,
    "Traceback (most recent call last):\n" * 5000,
])  # fmt: skip
def test_a_hostile_file_delays_nobody(stage, hostile):
    _, channel = stage.server()
    message = stage.people.say(stage.person(), channel, files=[("config.yaml", hostile.encode())])
    _, other = stage.server()
    _, reply = stage.paste(other)
    assert "```diff" in text_of(reply)
    assert len(stage.people.replies(message)) <= 1


def test_replies_in_a_thread_where_the_server_wants_that(stage):
    guild, channel = stage.server()
    stage.set_up(guild, guild.manager, channels=[channel], style=["thread"])
    message = stage.people.say(stage.person(), channel, fenced(config("threaded")))
    thread = stage.people.wait(lambda: stage.world.channels.get(message["id"]), "a thread")
    reply = stage.people.wait(lambda: list(thread.messages.values()), "a reply in it")[0]
    assert "```diff" in text_of(reply)
    assert stage.people.replies(message) == []


def test_only_mentions_where_the_server_wants_that(stage):
    guild, channel = stage.server()
    stage.set_up(guild, guild.manager, channels=[channel], style=["mention"])
    stage.silent(stage.people.say(stage.person(), channel, fenced(config("unmentioned"))))


def test_a_forum_post_gets_its_solved_tag(stage):
    guild, channel = stage.server(opted_in=False)
    forum = stage.people.forum(guild)
    assert forum.type == FORUM
    panel = stage.set_up(guild, guild.manager, channels=[forum])
    solved = forum.tags[1][0]
    stage.choose(guild.manager, panel, "Solved tag")
    stage.choose(guild.manager, panel, f"tag:{forum.id}", [solved])
    ann = stage.person()
    post = stage.people.thread(forum, ann)
    _, reply = stage.paste(post, ann)
    stage.people.click(ann, reply, "It works")
    stage.people.wait(lambda: post.applied_tags == [solved], "the tag")
    assert channel.guild is guild
