"""The buttons under a reply: each of them, pressed by whom it is for and by whom it is not, before and after a restart."""

import copy

import pytest
from pastes import LOG, config, fenced
from standin.acting import text_of

EPHEMERAL = 64


def diff_of(message):
    return text_of(message).split("```diff")[1].split("```")[0]


@pytest.fixture
def asked(stage):
    """A paste by Ann in a support channel and its reply."""
    guild, channel = stage.server()
    ann = stage.person()
    message, reply = stage.paste(channel, ann)
    return guild, channel, ann, message, reply


def attached(stage, message):
    path = message["attachments"][0]["url"].removeprefix(stage.world.base)
    return stage.world.files[path].decode()


def test_still_fails_offers_the_next_step_on_top(stage, asked):
    _, _, ann, _, reply = asked
    first = diff_of(reply)
    stage.choose(ann, reply, "Still fails")
    assert "Step 2" in text_of(reply)
    assert diff_of(reply) != first
    assert "-        gradient_checkpointing: false" not in diff_of(reply), "the first change is taken as made"


def test_at_the_end_of_the_ladder_a_human_is_called(stage, asked):
    _, _, ann, _, reply = asked
    for _ in range(40):
        if "Still fails" not in stage.people.labels(reply):
            break
        stage.choose(ann, reply, "Still fails")
    words = text_of(reply)
    assert "last step" in words
    assert "One more piece" not in words, "a question is no change that was tried"
    assert words.count("- Batch size\n") == 1
    assert "Gradient checkpointing" in words
    assert "human" in words
    stage.choose(ann, reply, "Undo")
    assert "Still fails" in stage.people.labels(reply)


def test_it_works_closes_and_undo_opens_again(stage, asked):
    _, _, ann, _, reply = asked
    before = diff_of(reply)
    stage.choose(ann, reply, "It works")
    assert "It works." in text_of(reply)
    assert "Still fails" not in stage.people.labels(reply)
    stage.choose(ann, reply, "Undo")
    assert diff_of(reply) == before


def test_undo_goes_back_one_step(stage, asked):
    _, _, ann, _, reply = asked
    first = diff_of(reply)
    stage.choose(ann, reply, "Still fails")
    second = diff_of(reply)
    stage.choose(ann, reply, "Still fails")
    stage.choose(ann, reply, "Undo")
    assert diff_of(reply) == second
    stage.choose(ann, reply, "Undo")
    assert diff_of(reply) == first
    assert "Undo" not in stage.people.labels(reply)


def test_why_shows_the_evidence(stage, asked):
    _, _, _, _, reply = asked
    answer = stage.people.answer(stage.people.click(stage.person(), reply, "Why?"))
    assert answer["flags"] & EPHEMERAL
    assert "gradient_checkpointing: false" in text_of(answer)
    assert "Rule `gradient-checkpointing-off`" in text_of(answer)


def test_my_language_is_the_pressers_own(stage, asked):
    _, _, _, _, reply = asked
    answer = stage.people.answer(stage.people.click(stage.person("de"), reply, "My language"))
    assert answer["flags"] & EPHEMERAL
    assert "Fall " in text_of(answer)
    assert answer["components"] == []
    assert "Case " in text_of(reply), "the reply itself keeps its language"


def test_the_fixed_file_is_the_original_with_the_change(stage, asked):
    _, _, ann, message, reply = asked
    answer = stage.people.answer(stage.people.click(ann, reply, "Fixed file"))
    original = message["content"].removeprefix("```yaml\n").removesuffix("```")
    fixed = attached(stage, answer)
    assert original.replace("gradient_checkpointing: false", "gradient_checkpointing: true").strip() in fixed
    assert answer["attachments"][0]["filename"] == "config.fixed.yaml"


def test_the_fixed_file_keeps_what_was_redacted_for_the_asker_alone(stage):
    guild, channel = stage.server()
    ann = stage.person()
    mine = config("private").replace("/workspace/data", "/home/annabella/data")
    _, reply = stage.paste(channel, ann, "my config", files=[("config.yaml", mine.encode())])
    assert "annabella" not in text_of(reply)
    answer = stage.people.answer(stage.people.click(ann, reply, "Fixed file"))
    assert "/home/annabella/data" in attached(stage, answer)
    assert "Only you" in text_of(answer)
    mod = stage.people.moderator(guild)
    for_mod = stage.people.answer(stage.people.click(mod, reply, "Fixed file"))
    assert "annabella" not in attached(stage, for_mod)


def test_the_fixed_file_is_the_original_also_where_something_was_said_before_it(own_stage):
    stage = own_stage()
    _, channel = stage.server()
    ann = stage.person()
    mine = config("private").replace("/workspace/data", "/home/annabella/data")
    stage.people.say(ann, channel, "I have an RTX 3060 with 12 GB")
    _, reply = stage.paste(channel, ann, "my config", files=[("config.yaml", mine.encode())])
    assert "3060" in reply["embeds"][0]["title"]
    stage.bot.restart()
    answer = stage.people.answer(stage.people.click(ann, reply, "Fixed file"))
    assert "/home/annabella/data" in attached(stage, answer)
    assert "stored text" not in text_of(answer)


def test_the_fixed_file_says_so_where_the_original_is_gone(stage, asked):
    _, channel, ann, message, reply = asked
    # Deleted while the bot was not looking: it never heard of it.
    del channel.messages[message["id"]]
    stage.people.moderator(channel.guild)
    answer = stage.people.answer(stage.people.click(ann, reply, "Fixed file"))
    assert "gradient_checkpointing: true" in attached(stage, answer)


def test_a_stranger_is_turned_away_kindly(stage, asked):
    _, _, _, _, reply = asked
    before = text_of(reply)
    for label in ("It works", "Still fails", "Fixed file"):
        answer = stage.people.answer(stage.people.click(stage.person("it"), reply, label))
        assert "/diagnose" in text_of(answer)
        assert answer["flags"] & EPHEMERAL
    assert text_of(reply) == before


def test_a_moderator_may_press_and_one_of_another_server_may_not(stage, asked):
    guild, _, _, _, reply = asked
    other, _ = stage.server()
    foreign = stage.people.moderator(other)
    assert "/diagnose" in text_of(stage.people.answer(stage.people.click(foreign, reply, "Still fails")))
    stage.choose(stage.people.moderator(guild), reply, "Still fails")
    assert "Step 2" in text_of(reply)


def test_the_configured_role_may_press(stage, asked):
    guild, channel, _, _, reply = asked
    helper = stage.person()
    role = stage.people.role(guild, helper)
    stage.set_up(guild, guild.manager, channels=[channel], role=[role])
    stage.choose(helper, reply, "Still fails")
    assert "Step 2" in text_of(reply)


def test_two_presses_at_once_count_once(stage, asked):
    guild, _, ann, _, reply = asked
    edits = reply.get("edits", 0)
    mod = stage.people.moderator(guild)
    stage.people.click(ann, reply, "Still fails")
    stage.people.click(mod, reply, "Still fails")
    stage.people.wait(lambda: reply.get("edits", 0) >= edits + 2, "both presses to be dealt with")
    assert "Step 2" in text_of(reply)


def test_a_press_on_a_step_that_somebody_else_was_quicker_with_skips_none(stage, asked):
    guild, _, ann, _, reply = asked
    seen = copy.deepcopy(reply)
    stage.choose(ann, reply, "Still fails")
    for label in ("Still fails", "It works"):
        late = copy.deepcopy(seen)
        stage.choose(stage.people.moderator(guild), late, label)
        assert "Step 2" in text_of(late)
        assert "Still fails" in stage.people.labels(late)


def test_a_new_log_goes_into_the_case(stage):
    _, channel = stage.server()
    ann = stage.person()
    _, reply = stage.paste(channel, ann)
    asked = stage.people.click(ann, reply, "Send the new log")
    stage.people.modal(asked)
    edits = reply.get("edits", 0)
    stage.people.submit(asked, files=[("log.txt", LOG.encode())])
    stage.people.wait(lambda: reply.get("edits", 0) > edits, "the reply to follow")
    assert "OOM crash" in text_of(reply)


def test_show_to_everyone_posts_the_answer_with_working_buttons(stage):
    _, channel = stage.server(opted_in=False)
    ann = stage.person()
    private = stage.people.answer(
        stage.people.slash(ann, channel, "diagnose", file=("config.yaml", config("shown").encode()))
    )
    public = stage.people.answer(stage.people.click(ann, private, "Show to everyone"))
    assert not public["flags"] & EPHEMERAL
    assert public["id"] in channel.messages
    stage.choose(ann, public, "Still fails")
    assert "Step 2" in text_of(public)


def test_buttons_of_a_deleted_case_say_so(stage, asked):
    guild, channel, ann, _, reply = asked
    case = reply["embeds"][0]["footer"]["text"].split()[1]
    mod = stage.people.moderator(guild)
    stage.people.answer(stage.people.slash(mod, channel, "cases delete", case=case, confirm=True))
    assert "no longer know" in text_of(stage.people.answer(stage.people.click(ann, reply, "Why?")))


def test_every_button_works_after_a_restart(own_stage):
    stage = own_stage()
    guild, channel = stage.server()
    ann, mod = stage.person(), stage.people.moderator(guild)
    secret = f"HF_TOKEN={'hf_' + 'AbCdEfGhIj' * 3 + 'KlMn'}\n"
    message, reply = stage.paste(channel, ann, secret + fenced(config("lasting")))
    private = stage.people.answer(
        stage.people.slash(ann, channel, "diagnose", file=("config.yaml", config("private").encode()))
    )
    ask = stage.people.answer(stage.people.slash(ann, channel, "ask"))
    stage.bot.kill()
    stage.bot.start()
    assert "gradient_checkpointing" in text_of(stage.people.answer(stage.people.click(ann, reply, "Why?")))
    assert "Fall " in text_of(stage.people.answer(stage.people.click(stage.person("de"), reply, "My language")))
    assert attached(stage, stage.people.answer(stage.people.click(ann, reply, "Fixed file")))
    assert "hf-token" in text_of(stage.people.answer(stage.people.click(ann, reply, "For you only")))
    assert stage.people.modal(stage.people.click(ann, reply, "Send the new log"))
    stage.choose(ann, reply, "Still fails")
    assert "Step 2" in text_of(reply)
    stage.choose(mod, reply, "Undo")
    stage.choose(ann, reply, "It works")
    assert "It works." in text_of(reply)
    stored = stage.people.answer(stage.people.click(ann, private, "Fixed file"))
    assert "stored text" in text_of(stored), "what came as an option cannot be fetched again"
    public = stage.people.answer(stage.people.click(ann, private, "Show to everyone"))
    assert public["id"] in channel.messages
    stage.choose(ann, ask, stage.people.labels(ask)[0])
    stage.choose(guild.manager, stage.set_up(guild, guild.manager), "Test")
    stage.people.delete(message)
    stage.people.wait(lambda: reply["id"] not in channel.messages, "the reply to go")
    stage.sound()
