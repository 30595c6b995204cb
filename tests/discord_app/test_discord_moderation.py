"""`/cases` for moderators, and that a server's cases are nobody else's business; `/privacy` for everybody."""

import csv
import io
import json
import re

import pytest
from pastes import LOG, config, fenced
from standin.acting import text_of
from standin.process import command
from standin.world import MANAGE_MESSAGES, SEND, VIEW

EPHEMERAL = 64


def attached(stage, message, index=0):
    path = message["attachments"][index]["url"].removeprefix(stage.world.base)
    return stage.world.files[path].decode()


def case_of(reply):
    return reply["embeds"][0]["footer"]["text"].split()[1]


@pytest.fixture
def history(stage):
    """A server with a moderator and three cases: one open, one that works, one of German prose."""
    guild, channel = stage.server()
    mod = stage.people.moderator(guild)
    ann = stage.person(name="ann")
    _, first = stage.paste(channel, ann, fenced(config("first_case")))
    bob = stage.person()
    _, second = stage.paste(channel, bob, fenced(config("second_case")) + "\n" + LOG)
    stage.choose(bob, second, "It works")
    german = "Hallo, mein Training stürzt leider immer ab und ich weiß nicht mehr weiter, bitte helft mir.\n"
    _, third = stage.paste(channel, text=german + fenced(config("dritter_fall")))
    return guild, channel, mod, [case_of(reply) for reply in (first, second, third)], first


def run(stage, who, channel, path, **options):
    return stage.people.answer(stage.people.slash(who, channel, f"cases {path}", **options))


def test_list_with_filters(stage, history):
    _, channel, mod, cases, _ = history
    everything = run(stage, mod, channel, "list")
    assert everything["flags"] & EPHEMERAL
    assert all(case in text_of(everything) for case in cases)
    working = text_of(run(stage, mod, channel, "list", state="works"))
    assert cases[1] in working
    assert cases[0] not in working
    german = text_of(run(stage, mod, channel, "list", language="de", family="z-image", since="7d"))
    assert cases[2] in german
    assert cases[0] not in german


def test_a_row_has_the_id_to_copy_the_time_the_person_and_the_way_there(stage, history):
    guild, channel, mod, cases, _ = history
    row = next(line for line in text_of(run(stage, mod, channel, "list")).splitlines() if cases[0] in line)
    assert re.fullmatch(
        rf"`{cases[0]}` <t:\d+:R> · .* · <@\d+> · \[↗\]\(https://discord.com/channels/{guild.id}/{channel.id}/\d+\)",
        row,
    )


def test_cases_given_to_somebody_are_found(stage, history):
    _, channel, mod, cases, _ = history
    run(stage, mod, channel, "assign", case=cases[0], user=mod)
    mine = text_of(run(stage, mod, channel, "list", assigned=mod))
    assert cases[0] in mine
    assert cases[1] not in mine
    assert "nobody" in text_of(run(stage, mod, channel, "assign", case=cases[0]))
    assert cases[0] not in text_of(run(stage, mod, channel, "list", assigned=mod))


@pytest.mark.parametrize("path", ["list", "stats", "export"])
def test_what_is_no_point_in_time_is_said(stage, history, path):
    _, channel, mod, cases, _ = history
    needed = {"format": "json"} if path == "export" else {}
    answer = run(stage, mod, channel, path, since="yesterday", **needed)
    assert "no point in time" in text_of(answer)
    assert not any(case in text_of(answer) for case in cases)
    assert answer["attachments"] == []


def test_search_takes_every_input_as_words(stage, history):
    guild, channel, mod, cases, _ = history
    for words in (f'scope : "{guild.id}"', "pasted : *", "NEAR(", '""""', "a\0b", "%_", "' OR zanzibar=1 --"):
        answer = text_of(run(stage, mod, channel, "search", words=words))
        assert "No case fits" in answer
        assert not any(case in answer for case in cases)


def test_list_is_paged_by_buttons(stage):
    guild, channel = stage.server()
    mod = stage.people.moderator(guild)
    cases = [case_of(stage.paste(channel)[1]) for _ in range(12)]
    page = run(stage, mod, channel, "list")
    assert cases[-1] in text_of(page)
    assert cases[0] not in text_of(page)
    stage.choose(mod, page, "Next page")
    assert cases[0] in text_of(page)
    stage.choose(mod, page, "First page")
    assert cases[-1] in text_of(page)


def test_search_show_and_what_it_shows(stage, history):
    guild, channel, mod, cases, _ = history
    assert cases[1] in text_of(run(stage, mod, channel, "search", words="second_case"))
    shown = run(stage, mod, channel, "show", case=cases[0].lower())
    words = text_of(shown)
    assert f"discord.com/channels/{guild.id}/{channel.id}/" in words
    assert "Gradient checkpointing" in words
    assert "first_case" in attached(stage, shown)
    assert "+        gradient_checkpointing: true" in attached(stage, shown)


def test_ids_are_suggested(stage, history):
    _, channel, mod, cases, _ = history
    values = [choice["value"] for choice in stage.people.suggest(mod, channel, "cases show", "case", case="")]
    assert values == list(reversed(cases))
    by_word = stage.people.suggest(mod, channel, "cases show", "case", case="second_case")
    assert [choice["value"] for choice in by_word] == [cases[1]]
    other, elsewhere = stage.server()
    assert stage.people.suggest(stage.people.moderator(other), elsewhere, "cases show", "case", case=cases[0]) == []
    assert (
        stage.people.suggest(stage.people.moderator(other), elsewhere, "cases show", "case", case="second_case") == []
    )
    assert stage.people.suggest(stage.person(), channel, "cases show", "case", case="") == []


def test_a_secret_in_a_note_is_not_kept(stage, history):
    _, channel, mod, cases, _ = history
    secret = "hf_" + "aB3dE5gH7j" * 4
    for path, options in (("note", {"note": f"token {secret}"}), ("verdict", {"verdict": "right", "reason": secret})):
        answer = run(stage, mod, channel, path, case=cases[0], **options)
        assert secret not in text_of(answer) + attached(stage, answer)
    files = [path for path in stage.bot.folder.iterdir() if path.name.startswith("cases.db")]
    assert not any(secret.encode() in path.read_bytes() for path in files)


def test_the_reply_says_that_a_case_is_closed(stage, history):
    _, channel, mod, cases, reply = history
    run(stage, mod, channel, "close", case=cases[0])
    stage.people.wait(lambda: "closed" in text_of(reply), "the reply to follow")
    assert "Still fails" not in stage.people.labels(reply)
    run(stage, mod, channel, "reopen", case=cases[0])
    stage.people.wait(lambda: "closed" not in text_of(reply), "the reply to follow")
    assert "Still fails" in stage.people.labels(reply)


def test_notes_verdicts_and_states(stage, history):
    _, channel, mod, cases, _ = history
    assert "was a laptop" in text_of(run(stage, mod, channel, "note", case=cases[0], note="was a laptop"))
    assert "[wrong]" in text_of(
        run(stage, mod, channel, "verdict", case=cases[0], verdict="wrong", reason="it was the RAM")
    ).replace("\\", "")
    assert "closed" in text_of(run(stage, mod, channel, "close", case=cases[0]))
    assert "Open again" in text_of(run(stage, mod, channel, "reopen", case=cases[0]))
    assert mod.id in text_of(run(stage, mod, channel, "assign", case=cases[0], user=mod))


def test_stats_and_exports(stage, history):
    guild, channel, mod, cases, _ = history
    assert "3 cases" in text_of(run(stage, mod, channel, "stats"))
    made = run(stage, mod, channel, "export", format="json")
    exported = json.loads(attached(stage, made))
    assert {entry["case"]["id"] for entry in exported["cases"]} == set(cases)
    assert {entry["case"]["guild"] for entry in exported["cases"]} == {int(guild.id)}
    rows = list(csv.DictReader(io.StringIO(attached(stage, run(stage, mod, channel, "export", format="csv")))))
    assert {row["id"] for row in rows} == set(cases)


def test_delete_asks_first_and_takes_the_reply_along(stage, history):
    _, channel, mod, cases, reply = history
    assert "Nothing was deleted" in text_of(run(stage, mod, channel, "delete", case=cases[0], confirm=False))
    assert reply["id"] in channel.messages
    run(stage, mod, channel, "delete", case=cases[0], confirm=True)
    stage.people.wait(lambda: reply["id"] not in channel.messages, "the reply to go")
    assert "no such case" in text_of(run(stage, mod, channel, "show", case=cases[0]))


def test_a_member_is_told_that_this_is_for_moderators(stage, history):
    _, channel, _, cases, _ = history
    for path, options in (
        ("list", {}),
        ("show", {"case": cases[0]}),
        ("export", {"format": "json"}),
        ("delete", {"case": cases[0], "confirm": True}),
    ):
        answer = run(stage, stage.person(), channel, path, **options)
        assert "moderators" in text_of(answer)
        assert answer["flags"] & EPHEMERAL
        assert answer["attachments"] == []


def test_a_moderator_of_another_server_cannot_see_search_or_guess(stage, history):
    _, _, _, cases, _ = history
    other, elsewhere = stage.server()
    mod = stage.people.moderator(other)
    assert not any(case in text_of(run(stage, mod, elsewhere, "list")) for case in cases)
    assert cases[1] not in text_of(run(stage, mod, elsewhere, "search", words="second_case"))
    unknown = text_of(run(stage, mod, elsewhere, "show", case="2222"))
    for case in cases:
        assert text_of(run(stage, mod, elsewhere, "show", case=case)) == unknown
        assert text_of(run(stage, mod, elsewhere, "note", case=case, note="x")) == unknown
        assert text_of(run(stage, mod, elsewhere, "delete", case=case, confirm=True)) == unknown
    assert json.loads(attached(stage, run(stage, mod, elsewhere, "export", format="json")))["cases"] == []


def test_privacy_shows_exports_and_deletes_ones_own_alone(stage):
    guild, channel = stage.server()
    ann = stage.person("de")
    _, mine = stage.paste(channel, ann, fenced(config("anns_secret_project")))
    _, theirs = stage.paste(channel)
    shown = stage.people.answer(stage.people.slash(ann, channel, "privacy show"))
    assert "1 Fall" in text_of(shown)
    assert "30" in text_of(shown)
    exported = attached(stage, stage.people.answer(stage.people.slash(ann, channel, "privacy export")))
    assert "anns_secret_project" in exported
    assert case_of(theirs) not in exported
    refused = stage.people.answer(stage.people.slash(ann, channel, "privacy delete", confirm=False))
    assert "nichts gelöscht" in text_of(refused)
    assert "1 Fall gelöscht" in text_of(
        stage.people.answer(stage.people.slash(ann, channel, "privacy delete", confirm=True))
    )
    files = [path for path in stage.bot.folder.iterdir() if path.name.startswith("cases.db")]
    assert not any(b"anns_secret_project" in path.read_bytes() for path in files)
    mod = stage.people.moderator(guild)
    listed = text_of(run(stage, mod, channel, "list"))
    assert case_of(theirs) in listed
    assert case_of(mine) not in listed


def test_deleting_all_of_ones_own_takes_the_replies_along(stage):
    _, channel = stage.server()
    ann = stage.person()
    _, mine = stage.paste(channel, ann)
    _, theirs = stage.paste(channel)
    stage.people.answer(stage.people.slash(ann, channel, "privacy delete", confirm=True))
    stage.people.wait(lambda: mine["id"] not in channel.messages, "the reply to go")
    assert theirs["id"] in channel.messages


def test_a_moderator_sees_that_notes_of_theirs_are_kept(stage, history):
    _, channel, mod, cases, _ = history
    run(stage, mod, channel, "note", case=cases[0], note="what a day")
    assert "notes you wrote: 1" in text_of(stage.people.answer(stage.people.slash(mod, channel, "privacy show")))
    assert "what a day" in attached(stage, stage.people.answer(stage.people.slash(mod, channel, "privacy export")))


def test_who_opts_out_is_answered_and_nothing_is_kept(stage):
    _, channel = stage.server()
    ann = stage.person()
    stage.people.answer(stage.people.slash(ann, channel, "privacy text", store=False))
    _, reply = stage.paste(channel, ann, fenced(config("never_stored_name")))
    stage.choose(ann, reply, "Still fails")
    assert "Step 2" in text_of(reply)
    files = [path for path in stage.bot.folder.iterdir() if path.name.startswith("cases.db")]
    assert not any(b"never_stored_name" in path.read_bytes() for path in files)


def test_after_a_restart_who_opted_out_goes_on_from_the_message_itself(own_stage):
    stage = own_stage()
    _, channel = stage.server()
    ann = stage.person()
    stage.people.answer(stage.people.slash(ann, channel, "privacy text", store=False))
    first, one = stage.paste(channel, ann)
    elsewhere = stage.server()[1]
    _, other = stage.paste(elsewhere, ann)
    stage.bot.restart()
    stage.choose(ann, one, "Still fails")
    assert "Step 2" in text_of(one)
    assert "gradient_checkpointing: true" in attached(
        stage, stage.people.answer(stage.people.click(ann, one, "Fixed file"))
    )
    stage.bot.restart()
    # The bot is not told that the message is gone.
    del channel.messages[first["id"]]
    for label in ("Still fails", "It works", "Undo"):
        pressed = stage.people.click(ann, one, label)
        (told,) = stage.people.wait(lambda pressed=pressed: pressed.followups, "a sentence")
        assert "paste it again" in text_of(told)
    for label in ("Why?", "My language"):
        assert "paste it again" in text_of(stage.people.answer(stage.people.click(ann, one, label)))
    log = stage.people.say(ann, elsewhere, fenced(LOG, ""))
    assert "OOM crash" in text_of(stage.people.reply(log)), "nothing is left that it could be added to"
    asked = stage.people.click(ann, other, "Send the new log")
    stage.people.modal(asked)
    stage.people.submit(asked, files=[("log.txt", LOG.encode())])
    stage.people.wait(lambda: "OOM crash" in text_of(other), "the case to go on by the log")
    stage.sound()


def test_retention_of_the_server_is_said(stage):
    guild, channel = stage.server()
    panel = stage.set_up(guild, guild.manager, channels=[channel])
    stage.choose(guild.manager, panel, "Retention")
    stage.choose(guild.manager, panel, "setup:retention", ["7"])
    shown = stage.people.answer(stage.people.slash(stage.person(), channel, "privacy show"))
    assert "after 7 days" in text_of(shown)


def test_the_moderator_role_opens_the_history(stage, history):
    guild, channel, _, cases, _ = history
    helper = stage.person()
    role = stage.people.role(guild, helper)
    assert not guild.member_permissions.get(helper.id, VIEW | SEND) & MANAGE_MESSAGES
    assert "moderators" in text_of(run(stage, helper, channel, "list"))
    stage.set_up(guild, guild.manager, channels=[channel], role=[role])
    assert cases[0] in text_of(run(stage, helper, channel, "list"))


def test_who_manages_messages_in_one_channel_alone_is_no_moderator(stage, history):
    guild, channel, *_ = history
    host = stage.person()
    guild.overwrites[host.id] = MANAGE_MESSAGES
    assert "moderators" in text_of(run(stage, host, channel, "list"))
    assert stage.people.suggest(host, channel, "cases show", "case", case="") == []


def test_a_server_that_the_bot_left_is_forgotten_after_the_grace_period(own_stage):
    stage = own_stage(grace_days=0)
    guild, channel = stage.server()
    _, reply = stage.paste(channel)
    stage.people.leave(guild)
    stage.bot.stop()
    purged = command(stage.standin, stage.bot.folder, "cases", "purge", grace_days=0)
    assert purged.returncode == 0, purged.stderr
    shown = command(stage.standin, stage.bot.folder, "cases", "show", case_of(reply))
    assert shown.returncode != 0


def test_a_server_left_while_the_bot_was_down_is_forgotten_too(own_stage):
    stage = own_stage(grace_days=0)
    guild, channel = stage.server()
    _, kept_channel = stage.server()
    _, reply = stage.paste(channel)
    _, kept = stage.paste(kept_channel)
    stage.bot.stop()
    del stage.world.guilds[guild.id]
    seen = stage.bot.log.count("ready: ")
    stage.bot.start()
    # Discord hands out servers one after the other; the bot looks where it is once none comes any more.
    stage.again(lambda: stage.bot.log.count("ready: ") > seen, "the bot to be ready")
    stage.bot.stop()
    assert command(stage.standin, stage.bot.folder, "cases", "purge", grace_days=0).returncode == 0
    assert command(stage.standin, stage.bot.folder, "cases", "show", case_of(reply)).returncode == 2
    assert command(stage.standin, stage.bot.folder, "cases", "show", case_of(kept)).returncode == 0


def test_after_a_restart_messages_join_repeats_are_known_and_commands_are_not_sent_again(own_stage):
    stage = own_stage()
    _, channel = stage.server()
    ann = stage.person()
    message, reply = stage.paste(channel, ann)
    stage.bot.kill()
    stage.bot.start()
    assert stage.standin.syncs == 1
    stage.people.redeliver(message)
    stage.people.say(ann, channel, fenced(LOG, ""))
    stage.people.wait(lambda: "OOM" in reply["embeds"][0]["title"], "the reply to take in the log")
    assert len(stage.people.replies(message)) == 1
