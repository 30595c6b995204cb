"""Logging in by turns: no bucket more often than Discord allows, over all processes."""

import asyncio
import multiprocessing
from collections import defaultdict

import pytest

from bot.service import identify
from bot.service.identify import PERIOD_S, Turns


def test_a_bucket_has_one_identify_in_a_period(tmp_path):
    turns = Turns(tmp_path / "cases.db", 1)
    assert [turns.take(0, 100.0) for _ in range(3)] == [0.0, PERIOD_S, 2 * PERIOD_S]
    assert turns.take(0, 100.0 + 3 * PERIOD_S) == 0.0
    assert turns.take(0, 1000.0) == 0.0


def test_buckets_do_not_wait_for_each_other(tmp_path):
    turns = Turns(tmp_path / "cases.db", 2)
    assert [turns.take(bucket, 100.0) for bucket in (0, 1, 0, 1)] == [0.0, 0.0, PERIOD_S, PERIOD_S]


def test_shards_fall_into_buckets_as_discord_counts_them(tmp_path, monkeypatch):
    monkeypatch.setattr(identify, "PERIOD_S", 0.0)
    turns, asked = Turns(tmp_path / "cases.db", 3), []
    monkeypatch.setattr(turns, "take", lambda bucket, now: asked.append(bucket) or 0.0)

    async def all_of_them():
        for shard in range(7):
            await turns.wait(shard)

    asyncio.run(all_of_them())
    assert asked == [0, 1, 2, 0, 1, 2, 0]


def test_the_file_stays_small_and_nobody_else_reads_it(tmp_path):
    turns = Turns(tmp_path / "cases.db", 16)
    for moment in range(100):
        turns.take(moment % 16, float(moment))
    assert turns.path.stat().st_size < 600
    assert turns.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "damage", [None, "", "nonsense", "[1000.0, [[0, 105.0]]]", "[]", "[{boot}, [[0]]]", '["x", []]', '{"a": 1}', "7"]
)
def test_an_unreadable_file_or_one_of_another_boot_counts_for_nothing(tmp_path, damage):
    turns = Turns(tmp_path / "cases.db", 1)
    if damage is not None:
        turns.path.write_text(damage.replace("{boot}", str(turns._boot)))
    assert turns.take(0, 100.0) == 0.0


def test_a_folder_that_cannot_be_written_costs_time_not_the_login(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(identify, "PERIOD_S", 0.001)
    assert asyncio.run(Turns(tmp_path / "gone" / "cases.db", 1).wait(0)) == 0.001
    assert "identify" in caplog.text


def _takes(path, bucket, count, results):
    turns = Turns(path, 4)
    results.put((bucket, [turns.take(bucket, 100.0) for _ in range(count)]))


def test_processes_share_the_turns(tmp_path):
    context = multiprocessing.get_context("fork")
    results = context.SimpleQueue()
    processes = [
        context.Process(target=_takes, args=(tmp_path / "cases.db", number % 2, 20, results)) for number in range(4)
    ]
    for process in processes:
        process.start()
    moments = defaultdict(list)
    for _ in processes:
        bucket, taken = results.get()
        moments[bucket] += taken
    for process in processes:
        process.join()
    for taken in moments.values():
        assert sorted(taken) == pytest.approx([number * PERIOD_S for number in range(40)])
