"""Setting a server up, and what is said when something is missing; `oom-medic check` and `oom-medic run`."""

from pastes import config, fenced
from standin.acting import text_of
from standin.process import command
from standin.world import EMBED, EVERYTHING, SEND, TOKEN

from bot.discord_app.permissions import INVITE


def test_the_panel_names_the_missing_permission_and_the_switch(stage):
    guild, channel = stage.server(opted_in=False)
    closed = stage.people.channel(guild, name="closed", deny=SEND)
    words = text_of(stage.set_up(guild, guild.manager, channels=[channel, closed]))
    assert f"<#{closed.id}>" in words
    assert "Send Messages" in words
    assert "Channel settings" in words


def test_the_panel_tests_itself(stage):
    guild, _ = stage.server()
    panel = stage.set_up(guild, guild.manager)
    stage.choose(guild.manager, panel, "Test")
    words = text_of(panel)
    assert words.count("✅") == 3
    assert "❌" not in words
    stage.choose(guild.manager, panel, "Back")
    assert "setup:channels" in str(panel["components"])


def test_the_language_of_the_server(stage):
    guild, channel = stage.server()
    stage.set_up(guild, guild.manager, channels=[channel], language=["de"])
    _, reply = stage.paste(channel)
    assert "Es läuft" in stage.people.labels(reply)


def test_only_who_manages_the_server_can_use_a_panel_left_open(stage):
    guild, _ = stage.server()
    panel = stage.set_up(guild, guild.manager)
    answer = stage.people.click(stage.person(), panel, "Test")
    stage.people.wait(lambda: answer.followups, "a refusal")
    assert "moderators" in text_of(answer.followups[0])


def test_without_embeds_a_channel_gets_plain_text(stage):
    guild, channel = stage.server()
    quiet = stage.people.channel(guild, name="no-embeds", deny=EMBED)
    stage.set_up(guild, guild.manager, channels=[channel, quiet])
    _, reply = stage.paste(quiet)
    assert reply["embeds"] == []
    assert "```diff" in reply["content"]
    assert "It works" in stage.people.labels(reply)


def test_the_invites_permissions_are_those_that_are_used(own_stage):
    stage = own_stage()
    guild, channel = stage.server()
    stage.paste(
        channel, text="it does not start", files=[("config.yaml", config("tabs").replace("        ", "\t\t").encode())]
    )
    stage.set_up(guild, guild.manager, channels=[channel], style=["thread"])
    threaded = stage.people.say(stage.person(), channel, fenced(config("threaded")))
    thread = stage.people.wait(lambda: stage.world.channels.get(threaded["id"]), "a thread")
    stage.people.wait(lambda: list(thread.messages.values()), "a reply in it")
    forum = stage.people.forum(guild)
    panel = stage.set_up(guild, guild.manager, channels=[forum])
    stage.choose(guild.manager, panel, "Solved tag")
    stage.choose(guild.manager, panel, f"tag:{forum.id}", [forum.tags[1][0]])
    ann = stage.person()
    post = stage.people.thread(forum, ann)
    _, reply = stage.paste(post, ann)
    stage.choose(ann, reply, "It works")
    stage.people.wait(lambda: post.applied_tags, "the solved tag")
    assert stage.standin.used_permissions == INVITE.value


def test_a_channel_that_may_not_be_written_in_is_logged_and_harms_nobody(stage):
    guild, channel = stage.server()
    closed = stage.people.channel(guild, name="closed", deny=SEND)
    stage.set_up(guild, guild.manager, channels=[channel, closed])
    message = stage.people.say(stage.person(), closed, fenced(config("unanswerable")))
    stage.logged(f"channel {closed.id}: the answer is not taken (Forbidden")
    assert stage.people.replies(message) == []


def test_without_the_message_content_intent_everything_else_works(own_stage):
    stage = own_stage(prepare=lambda stage: setattr(stage.world, "application_flags", 0))
    guild, channel = stage.server()
    assert "Message Content Intent" in text_of(stage.set_up(guild, guild.manager))
    assert "message-content intent is off" in stage.bot.log
    unseen = stage.people.say(stage.person(), channel, fenced(config("unseen")))
    mentioned = stage.people.say(stage.person(), channel, f"<@{stage.world.bot.id}> {fenced(config('mentioned'))}")
    assert "```diff" in text_of(stage.people.reply(mentioned))
    assert stage.people.replies(unseen) == []
    by_menu = stage.people.answer(stage.people.menu(stage.person(), channel, "Diagnose", unseen))
    assert "```diff" in text_of(by_menu)
    by_command = stage.people.answer(
        stage.people.slash(stage.person(), channel, "diagnose", file=("config.yaml", config("typed").encode()))
    )
    stage.choose(by_command_asker(stage, by_command), by_command, "Still fails")
    ann = stage.person()
    _, reply = stage.paste(stage.world.dm(ann), ann)
    assert "```diff" in text_of(reply)
    stage.sound()


def by_command_asker(stage, answer):
    return stage.world.users[stage.standin.ephemeral[answer["id"]][0]]


def test_check_says_what_is_wrong_and_how_to_mend_it(shared, tmp_path):
    stage = shared
    fine = command(stage.standin, tmp_path, "check", "--lang", "en")
    assert fine.returncode == 0, fine.stdout + fine.stderr
    assert "message-content intent is on" in fine.stdout
    assert f"permissions={EVERYTHING}" in fine.stdout
    guild, _ = stage.server(opted_in=False)
    guild.bot_permissions &= ~EMBED
    flags, stage.world.application_flags = stage.world.application_flags, 0
    try:
        bad = command(stage.standin, tmp_path, "check", "--lang", "en")
    finally:
        stage.world.application_flags = flags
        guild.bot_permissions |= EMBED
    assert bad.returncode == 1
    assert "Privileged Gateway Intents" in bad.stdout
    assert f"On {guild.name} permissions are missing: Embed Links" in bad.stdout
    wrong = command(stage.standin, tmp_path, "check", "--lang", "de", token="not.a.token")
    assert wrong.returncode == 1
    assert "Reset Token" in wrong.stdout


def test_run_explains_itself_and_a_missing_or_bad_token(shared, tmp_path):
    helped = command(shared.standin, tmp_path, "run", "--help")
    assert helped.returncode == 0
    assert "OOM_MEDIC_TOKEN" in helped.stdout
    none = command(shared.standin, tmp_path, "run", token="")
    assert none.returncode == 1
    assert "OOM_MEDIC_TOKEN_FILE" in none.stderr
    bad = command(shared.standin, tmp_path, "run", token="not.a.token")
    assert bad.returncode == 1
    assert "refuses the token" in bad.stderr


def test_the_token_may_come_from_a_file_and_is_never_logged(own_stage, tmp_path):
    (tmp_path / "token").write_text(TOKEN + "\n")
    stage = own_stage(token="", token_file=tmp_path / "token", log_level="DEBUG", log_format="json")
    _, channel = stage.server()
    stage.paste(channel)
    assert stage.bot.stop() == 0
    assert "Traceback" not in stage.bot.log
    assert "Unclosed" not in stage.bot.log
    assert TOKEN not in stage.bot.log
    assert "lora_" not in stage.bot.log, "nothing that was pasted is logged"
