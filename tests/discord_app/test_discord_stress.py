"""Lost gateways, repeated events, failing requests, kills: nothing is lost and nothing comes twice."""

import os
import time
from datetime import UTC, datetime, timedelta

from pastes import LOG, config, fenced
from standin.acting import text_of

from bot.cases.book import CaseBook
from bot.cases.model import Scope
from bot.cases.store import Store

# `tests/bench` asks for more.
PASTES = int(os.environ.get("OOM_MEDIC_KILL_PASTES", "240"))
KILLS = 3


def test_events_repeated_by_a_resume_are_answered_once(own_stage):
    stage = own_stage()
    _, channel = stage.server()
    pastes = [stage.paste(channel)[0] for _ in range(5)]
    # The pastes and the replies to them; an interaction that comes again later than Discord waits is no defect.
    stage.standin.gateway.replay_extra = 2 * len(pastes)
    stage.standin.run(stage.standin.gateway.ask_reconnect())
    stage.people.wait(lambda: stage.standin.gateway.resumes, "the session to be resumed")
    late, _ = stage.paste(channel)
    assert [len(stage.people.replies(message)) for message in [*pastes, late]] == [1] * 6
    stage.sound()


def test_a_lost_gateway_and_an_invalid_session(own_stage):
    stage = own_stage()
    _, channel = stage.server()
    first, _ = stage.paste(channel)
    stage.standin.run(stage.standin.gateway.drop())
    away = stage.people.say(stage.person(), channel, fenced(config("while_away")))
    stage.people.reply(away)
    identified = len(stage.standin.gateway.identifies)
    stage.standin.run(stage.standin.gateway.invalidate(resumable=False))
    stage.people.wait(
        lambda: len(stage.standin.gateway.identifies) > identified and stage.standin.gateway.live(), "a new session"
    )
    for message in (first, away):
        stage.people.redeliver(message)
    stage.paste(channel)
    assert [len(stage.people.replies(message)) for message in (first, away)] == [1, 1]
    stage.sound()


def test_a_request_that_fails_before_or_after_it_took_effect(stage):
    _, channel = stage.server()
    before = stage.standin.faults.order("POST", f"/channels/{channel.id}/messages", status=502)
    message, _ = stage.paste(channel)
    after = stage.standin.faults.order("POST", f"/channels/{channel.id}/messages", status=502, after=True)
    second, _ = stage.paste(channel)
    stage.paste(channel)
    assert [before.held, after.held] == [1, 1]
    assert [len(stage.people.replies(one)) for one in (message, second)] == [1, 1]


def test_a_reply_that_went_out_just_before_the_bot_was_killed_is_found_by_what_comes_next(own_stage):
    stage = own_stage()
    _, channel = stage.server()
    ann = stage.person()
    # Discord has taken the reply, and the bot has not heard so yet.
    unheard, _ = stage.hold("POST", f"/channels/{channel.id}/messages", after=True)
    message, reply = stage.paste(channel, ann)
    stage.bot.kill()
    # Nor does the bot find it by itself when it is back.
    unfound = stage.standin.faults.order("GET", f"/channels/{channel.id}/messages$", status=403, times=2)
    stage.bot.start()
    stage.people.wait(lambda: unfound.held == 2, "the bot to look for what it missed")
    stage.people.say(ann, channel, fenced(LOG, ""))
    stage.people.wait(lambda: "OOM" in reply["embeds"][0]["title"], "the reply to take in the log")
    assert unheard.held == 1
    assert len(stage.people.replies(message)) == 1


def test_a_reply_in_a_thread_that_went_out_just_before_the_bot_was_killed_is_found_too(own_stage):
    stage = own_stage()
    guild, channel = stage.server()
    stage.set_up(guild, guild.manager, channels=[channel], style=["thread"])
    ann = stage.person()
    unheard, _ = stage.hold("POST", r"/channels/\d+/messages$", after=True)
    message = stage.people.say(ann, channel, fenced(config("threaded")))
    thread = stage.people.wait(lambda: stage.world.channels.get(message["id"]), "a thread")
    (reply,) = stage.people.wait(lambda: list(thread.messages.values()), "a reply in it")
    stage.bot.kill()
    # Discord remembers a nonce for some minutes only.
    stage.world.nonces.clear()
    stage.bot.start()
    stage.people.say(ann, thread, fenced(LOG, ""))
    stage.people.wait(lambda: "OOM" in reply["embeds"][0]["title"], "the reply to take in the log")
    stage.bot.restart()
    stage.people.say(ann, thread, "rtx 3060 btw")
    stage.people.wait(lambda: "3060" in reply["embeds"][0]["title"], "the reply to take in the card")
    assert unheard.held == 1
    assert [one["id"] for one in thread.messages.values() if one["author"]["bot"]] == [reply["id"]]


def test_a_file_that_cannot_be_fetched_at_once_is_fetched_again(stage):
    _, channel = stage.server()
    fault = stage.standin.faults.order("GET", f"/cdn/attachments/{channel.id}/", status=503)
    message = stage.people.say(stage.person(), channel, "it dies", files=[("config.yaml", config("fetched").encode())])
    assert "```diff" in text_of(stage.people.reply(message))
    assert fault.held == 1


def test_of_a_long_file_in_windows_own_encoding_no_letter_is_torn(stage):
    _, channel = stage.server()
    for encoding in ("utf-16-le", "utf-16-be"):
        for more in ("", "y"):
            log = ("\ufeff" + "x" * 10 + more + "\n" + "loading\n" * 700_000 + LOG).encode(encoding)
            message = stage.people.say(stage.person(), channel, files=[("log.txt", log)])
            assert stage.people.reply(message)["embeds"][0]["title"].startswith("OOM crash")


def test_an_interactions_answer_that_fails_after_it_took_effect_does_not_come_twice(stage):
    _, channel = stage.server(opted_in=False)
    fault = stage.standin.faults.order("PATCH", "/messages/@original", status=503, after=True)
    made = stage.people.slash(stage.person(), channel, "diagnose", file=("config.yaml", config("twice").encode()))
    answer = stage.people.answer(made)
    stage.people.wait(lambda: answer.get("edits", 0) == 2, "the repeated edit")
    assert fault.held == 1
    assert made.followups == []


def test_rate_limits_are_kept_and_survived(stage):
    _, channel = stage.server()
    stage.standin.faults.limits[f"/channels/{channel.id}/messages"] = (2, 0.4)
    told = stage.standin.faults.order("POST", f"/channels/{channel.id}/messages", status=429, retry_after=0.05)
    messages = [stage.people.say(stage.person(), channel, fenced(config(f"limited_{number}"))) for number in range(5)]
    for message in messages:
        assert len([stage.people.reply(message)]) == 1
    assert told.held == 1


def test_who_asks_too_much_is_asked_to_wait(own_stage):
    stage = own_stage(user_pastes_a_minute=2)
    _, channel = stage.server()
    ann = stage.person()
    for number in range(2):
        stage.people.answer(
            stage.people.slash(ann, channel, "diagnose", file=("config.yaml", config(f"often_{number}").encode()))
        )
    third = stage.people.answer(
        stage.people.slash(ann, channel, "diagnose", file=("config.yaml", config("often").encode()))
    )
    assert "try again in" in text_of(third)
    called = stage.people.say(ann, channel, f"<@{stage.world.bot.id}> {fenced(config('called'))}")
    assert "try again in" in text_of(stage.people.reply(called))
    quiet = stage.people.say(ann, channel, fenced(config("quiet")))
    _, reply = stage.paste(channel, stage.person())
    assert "```diff" in text_of(reply), "others are served"
    assert stage.people.replies(quiet) == []


def test_without_a_case_history_pastes_are_still_answered(own_stage, tmp_path):
    stage = own_stage(database=tmp_path / "no such folder" / "cases.db")
    _, channel = stage.server(opted_in=False)
    message = stage.people.say(stage.person(), channel, f"<@{stage.world.bot.id}> {fenced(config('unstored'))}")
    reply = stage.people.reply(message)
    assert "```diff" in text_of(reply)
    assert reply["components"] == []
    assert "its folder is missing" in stage.bot.log or "folder missing" in stage.bot.log


def test_an_error_gives_the_person_a_reference_and_the_operator_the_story(shared):
    stage = shared
    _, channel = stage.server(opted_in=False)
    stage.standin.faults.order("PATCH", "/messages/@original", status=400)
    made = stage.people.slash(stage.person("de"), channel, "diagnose", file=("config.yaml", config("unlucky").encode()))
    stage.people.wait(lambda: made.original and "schiefgegangen" in text_of(made.original), "a sentence")
    reference = text_of(made.original).strip().split()[-1]
    line = next(line for line in stage.bot.log.splitlines() if reference in line)
    assert "HTTPException 400" in line
    assert "unlucky" not in stage.bot.log
    stage.bot.log_path.write_text(stage.bot.log.replace("unexpected error", "expected error"))


def test_killed_at_any_moment_no_reply_is_without_its_case_and_none_comes_twice(own_stage, capsys):
    stage = own_stage()
    places = [stage.server()[1] for _ in range(10)]
    sent, seen = [], 0
    for round_ in range(KILLS + 1):
        until = len(sent) + PASTES // (KILLS + 1)
        sent += [
            stage.people.say(stage.person(), places[n % 10], fenced(config(f"kill_{n}")))
            for n in range(len(sent), until)
        ]
        if round_ < KILLS:
            # In the midst of answering: some are, some are not.
            wanted = seen + PASTES // (KILLS + 1) * (round_ + 1) // (KILLS + 2)
            stage.people.wait(lambda wanted=wanted: replies(stage, places) >= wanted, "some replies")
            stage.bot.kill()
            seen = replies(stage, places)
            stage.bot.start()
    while (answered := replies(stage, places)) < len(sent):
        stage.people.wait(lambda answered=answered: replies(stage, places) > answered, "one more reply")
    end = time.monotonic() + 60
    while unanswered(stage) and time.monotonic() < end:
        sent.append(stage.paste(places[0])[0])  # something to wait for while the last replies are noted
    found = [stage.people.replies(message) for message in sent]
    ids = [case_of(reply) for replies_to in found for reply in replies_to]
    stage.choose(stage.world.users[sent[0]["author"]["id"]], found[0][0], "Still fails")
    stage.bot.stop()
    with CaseBook(Store(stage.bot.folder / "cases.db").ready()) as book:
        page = book.listed(Scope.operator(), size=10_000).result()
    lost = set(ids) - {case.id for case in page.cases}
    doubled = sum(len(replies_to) > 1 for replies_to in found)
    with capsys.disabled():
        print(
            f"\nkill test: {len(sent)} pastes, {KILLS} kills, {len(ids)} replies, {len(page.cases)} cases, {len(lost)} lost, {doubled} doubled"
        )
    assert not lost
    assert doubled == 0
    assert len(set(ids)) == len(ids)
    assert unanswered(stage) == []
    stage.sound()


def case_of(reply):
    return reply["embeds"][0]["footer"]["text"].split()[1]


def replies(stage, places):
    return sum(m["author"]["id"] == stage.world.bot.id for place in places for m in list(place.messages.values()))


def unanswered(stage):
    """Cases on the disk that no reply answers."""
    folder = stage.bot.folder
    with CaseBook(Store(folder / "cases.db").ready()) as book:
        return book.unanswered(Scope.operator(), datetime.now(UTC) - timedelta(hours=1)).result()
