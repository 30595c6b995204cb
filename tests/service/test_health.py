"""/healthz, /readyz and /metrics over real HTTP."""

import asyncio
import builtins
import json
import socket
import sys
import time

import aiohttp
import pytest

from bot.service import health
from bot.service.health import HealthServer
from bot.service.tally import COUNTS, Tally
from tests.service.watching import Watched


def free_port():
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return made.getsockname()[1]


def asked(watched, path, tally=None):
    """Status, type and text of one answer."""

    async def ask():
        server, port = HealthServer(watched, tally or Tally()), free_port()
        await server.start("127.0.0.1", port)
        try:
            async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}{path}") as response:
                return response.status, response.content_type, await response.text()
        finally:
            await server.close()

    return asyncio.run(ask())


def ready(watched):
    status, _, text = asked(watched, "/readyz")
    checks = json.loads(text)["checks"]
    return status, {name for name, check in checks.items() if not check["ok"]}


def test_all_well():
    assert ready(Watched()) == (200, set())
    assert asked(Watched(), "/healthz")[0] == 200


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"heartbeats": {0: 12.0, 1: None}}, "gateway"),
        ({"heartbeats": {0: 12.0, 1: 500.0}}, "gateway"),
        ({"heartbeats": {0: 12.0}}, "gateway"),
        ({"heartbeats": {}, "shards": 0}, "gateway"),
        ({"knowledge_rules": 0}, "knowledge"),
        ({"queue": 2000}, "queue"),
        ({"engines": 0}, "engines"),
        ({"draining": True}, "taking_work"),
    ],
)
def test_what_is_in_the_way_is_named_and_the_process_still_lives(changes, named):
    watched = Watched(**changes)
    assert ready(watched) == (503, {named})
    assert asked(watched, "/healthz")[0] == 200


def test_a_database_that_does_not_answer(monkeypatch):
    watched = Watched(database_fault="disk_full")
    watched.answers = False
    assert ready(watched) == (503, {"database"})
    assert "disk_full" in asked(watched, "/readyz")[2]

    async def never():
        await asyncio.Event().wait()

    monkeypatch.setattr(health, "DATABASE_S", 0.01)
    watched.database_answers = never
    assert ready(watched) == (503, {"database"})


def test_a_refused_reload_is_told_but_does_not_make_unready():
    watched = Watched(knowledge_fault="rules/batch.yaml:2: is not YAML")
    assert ready(watched) == (200, set())
    assert "rules/batch.yaml:2" in asked(watched, "/readyz")[2]


def test_a_port_that_is_taken_costs_the_checks_not_the_bot(caplog):
    async def start():
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            server = HealthServer(Watched(), Tally())
            await server.start("127.0.0.1", taken.getsockname()[1])
            await server.close()

    asyncio.run(start())
    assert "health_port" in caplog.text


# --- metrics


def values(text):
    return dict(line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))


def page(tally=None, **changes):
    pytest.importorskip("prometheus_client")
    status, kind, text = asked(Watched(**changes), "/metrics", tally)
    assert (status, kind) == (200, "text/plain")
    return values(text)


def test_counts_gauges_and_histograms():
    tally = Tally()
    tally.count("messages", n=3)
    tally.count("diagnoses", "vram_oom", "z-image")
    tally.count("diagnoses", "vram_oom", "z-image")
    tally.count("steps", "batch_size", "works")
    for seconds in (0.004, 0.02, 99.0):
        tally.time("engine", seconds)
    found = page(tally)
    assert found["oom_medic_messages_total"] == "3.0"
    assert found['oom_medic_diagnoses_total{class="vram_oom",family="z-image"}'] == "2.0"
    assert found['oom_medic_steps_total{lever="batch_size",outcome="works"}'] == "1.0"
    assert found['oom_medic_engine_seconds_bucket{le="0.025"}'] == "2.0"
    assert found['oom_medic_engine_seconds_bucket{le="+Inf"}'] == "3.0"
    assert found["oom_medic_engine_seconds_count"] == "3.0"
    assert float(found["oom_medic_engine_seconds_sum"]) == pytest.approx(99.024)
    assert found["oom_medic_queue"] == "0.0"
    assert found['oom_medic_heartbeat_age_seconds{shard="1"}'] == "3.5"
    assert "process_resident_memory_bytes" in found


def test_the_process_shows_where_systemd_hides_the_rest_of_proc(monkeypatch):
    real = builtins.open

    def opened(path, *arguments, **named):
        if path == "/proc/stat":
            raise FileNotFoundError(path)
        return real(path, *arguments, **named)

    monkeypatch.setattr("builtins.open", opened)
    found = page()
    assert float(found["process_cpu_seconds_total"]) > 0
    assert abs(float(found["process_start_time_seconds"]) - time.time()) < 86_400


def test_the_state_shows():
    assert page()["oom_medic_connected"] == "1.0"
    found = page(heartbeats={0: 1.0, 1: None}, database_fault="locked", knowledge_fault="x", draining=True)
    assert found["oom_medic_connected"] == "0.0"
    assert found["oom_medic_shards_connected"] == "1.0"
    assert found["oom_medic_database_ok"] == "0.0"
    assert found["oom_medic_knowledge_reload_refused"] == found["oom_medic_draining"] == "1.0"
    assert 'oom_medic_heartbeat_age_seconds{shard="1"}' not in found


def test_no_label_can_name_anybody():
    forbidden = {"user", "guild", "server", "channel", "message", "text", "case", "name", "asker"}
    for name, (about, labels) in COUNTS.items():
        assert not forbidden & set(labels), name
        assert about


def test_a_count_with_the_wrong_labels_is_refused():
    with pytest.raises(KeyError):
        Tally().count("diagnoses", "vram_oom")
    with pytest.raises(KeyError):
        Tally().count("visits")


def test_without_prometheus_metrics_say_how_to_get_them(monkeypatch):
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    status, _, text = asked(Watched(), "/metrics")
    assert status == 501
    assert "pip install '.[metrics]'" in text
