"""What a running bot shows of itself: health, metrics and log, and never a word of what was pasted."""

import pytest
from pastes import config, fenced
from standin.world import TOKEN

PASTED = "the_secret_lora_of_ann"


@pytest.fixture(scope="module")
def used(shared):
    """Two pastes and a few presses later: the stage, with the first paste's message and reply."""
    guild, channel = shared.server()
    ann = shared.person(name="ann_with_a_name")
    message, reply = shared.paste(channel, ann, fenced(config(PASTED)))
    shared.choose(ann, reply, "Still fails")
    shared.choose(ann, reply, "It works")
    made = shared.people.slash(ann, channel, "diagnose", file=("config.yaml", config("another").encode()))
    shared.people.answer(made)
    return shared, guild, message, reply


def metrics(stage):
    pytest.importorskip("prometheus_client")
    status, text = stage.get("/metrics")
    assert status == 200
    return text, dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))


def test_ready_with_every_check(used):
    stage, *_ = used
    made = stage.ready(wanted=True)
    assert set(made["checks"]) == {"gateway", "database", "knowledge", "queue", "engines", "taking_work"}
    assert made["checks"]["gateway"]["heartbeat_age_s"]["0"] < 60
    assert stage.get("/healthz")[0] == 200
    assert stage.get("/elsewhere")[0] == 404


def test_what_happened_is_counted(used):
    _, found = metrics(used[0])
    assert float(found["oom_medic_messages_total"]) >= 1
    assert found['oom_medic_looks_total{kind="paste"}'] == "1.0"
    assert found['oom_medic_pastes_total{origin="paste"}'] == "1.0"
    assert found['oom_medic_pastes_total{origin="slash"}'] == "1.0"
    assert float(found['oom_medic_diagnoses_total{class="none",family="z-image"}']) == 2
    offered = {name: value for name, value in found.items() if name.startswith("oom_medic_steps_total")}
    assert sum(float(value) for name, value in offered.items() if 'outcome="still_fails"' in name) >= 1
    assert sum(float(value) for name, value in offered.items() if 'outcome="works"' in name) >= 1
    assert sum(float(value) for name, value in offered.items() if 'outcome="offered"' in name) >= 3
    assert float(found["oom_medic_answer_seconds_count"]) == 1
    assert float(found["oom_medic_engine_seconds_count"]) >= 3
    assert float(found["oom_medic_record_seconds_count"]) == 2
    assert found["oom_medic_servers"] == found["oom_medic_connected"] == "1.0"


def test_no_name_no_id_and_no_text_gets_into_metrics_or_log(used):
    stage, guild, message, reply = used
    text, _ = metrics(stage)
    for outside in (text, stage.bot.log):
        for private in (PASTED, "ann_with_a_name", "gradient_checkpointing: ", TOKEN):
            assert private not in outside
    for number in (guild.id, message["id"], message["author"]["id"], message["channel_id"], reply["id"]):
        assert number not in text


def test_one_line_a_case_with_its_id(used):
    stage, _, _, reply = used
    case = reply["embeds"][0]["footer"]["text"].split()[1]
    (line,) = [line for line in stage.lines() if line.get("case") == case]
    assert (line["class"], line["family"], line["fresh"]) == ("none", "z-image", True)
    assert line["levers"]


def test_refusals_are_counted_by_limit(used):
    stage, _, message, _ = used
    channel, ben = stage.world.channels[message["channel_id"]], stage.person()
    for number in range(4):
        called = stage.people.slash(ben, channel, "diagnose", file=("config.yaml", config(f"called_{number}").encode()))
        stage.people.answer(called)
    assert metrics(stage)[1]['oom_medic_refusals_total{limit="user_pace"}'] == "1.0"


def test_an_error_is_counted_where_it_happened(used):
    stage, *_ = used
    _, channel = stage.server(opted_in=False)
    stage.standin.faults.order("PATCH", "/messages/@original", status=400)
    made = stage.people.slash(stage.person(), channel, "diagnose", file=("config.yaml", config("x").encode()))
    stage.people.wait(lambda: made.original and "wrong" in made.original["content"], "a sentence")
    assert metrics(stage)[1]['oom_medic_log_lines_total{level="error",part="bot.discord_app.trouble"}'] == "1.0"


def test_without_its_gateway_the_bot_is_not_ready_but_alive(used):
    stage, *_ = used
    gateway = stage.standin.gateway
    receive, gateway.receive = gateway.receive, hang_up
    stage.standin.run(gateway.drop())
    assert not stage.ready(wanted=False)["checks"]["gateway"]["ok"]
    assert stage.get("/healthz")[0] == 200
    assert metrics(stage)[1]["oom_medic_connected"] == "0.0"
    gateway.receive = receive
    assert stage.ready(wanted=True)["checks"]["gateway"]["ok"]


async def hang_up(ws, *_):
    await ws.close(code=4000)
