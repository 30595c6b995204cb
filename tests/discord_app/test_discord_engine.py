"""The queue of engine processes: bounded, with a deadline, and proof against a process that hangs or dies."""

import asyncio
import sys

import pytest

from bot.discord_app.languages import Languages
from bot.discord_app.workers.jobs import Answer, DiagnoseJob, EngineError, FixJob
from bot.discord_app.workers.pool import EnginePool
from bot.intake.read import Pasted

# An engine that does as the paste says; otherwise it fixes nothing.
FAKE = """
import os, pickle, sys, time
from bot.discord_app.workers.worker import read_frame, write_frame
from bot.discord_app.workers.jobs import Fixed
out = sys.stdout.buffer
write_frame(out, pickle.dumps("ready"))
while (frame := read_frame(sys.stdin.buffer)) is not None:
    told = pickle.loads(frame).pasted[0].data
    if told == "hang":
        time.sleep(600)
    if told == "die":
        os._exit(3)
    if told == "wait":
        sys.stdin.buffer.read(0)
        time.sleep(0.05)
    write_frame(out, pickle.dumps("ValueError at x.py:1" if told == "raise" else Fixed(str(os.getpid()), None, False)))
"""


@pytest.fixture
def fake(monkeypatch):
    monkeypatch.setattr("bot.discord_app.workers.pool._COMMAND", (sys.executable, "-c", FAKE))


def job(text):
    return FixJob((Pasted("x", text),))


def with_pool(work, **options):
    async def run():
        pool = EnginePool(1, **({"limit": 10, "patience_s": 30, "deadline_s": 30} | options))
        await pool.start()
        try:
            return await work(pool)
        finally:
            await pool.close()

    return asyncio.run(run())


async def reason(pool, text):
    with pytest.raises(EngineError) as caught:
        await pool.run(job(text))
    return caught.value.reason


@pytest.mark.usefixtures("fake")
def test_a_job_that_hangs_ends_with_its_process_and_the_next_is_served():
    async def work(pool):
        before = await pool.run(job(""))
        patient, pool.deadline_s = pool.deadline_s, 0.1
        assert await reason(pool, "hang") == "slow"
        pool.deadline_s = patient
        after = await pool.run(job(""))
        assert before.name != after.name, "another process"

    with_pool(work)


@pytest.mark.usefixtures("fake")
def test_a_process_that_dies_and_one_that_reports_an_error():
    async def work(pool):
        assert await reason(pool, "die") == "broken"
        assert await reason(pool, "raise") == "broken"
        assert await pool.run(job(""))

    with_pool(work)


@pytest.mark.usefixtures("fake")
def test_one_job_more_than_the_limit_is_refused_and_people_go_before_pastes():
    async def work(pool):
        order = []

        async def note(name, *, urgent):
            await pool.run(job("wait"), urgent=urgent)
            order.append(name)

        tasks = [asyncio.create_task(note(name, urgent=name == "person")) for name in ("a", "b", "person")]
        await asyncio.sleep(0)  # each puts its job into the queue, and none is taken out before this one is refused
        assert await reason(pool, "") == "busy"
        await asyncio.gather(*tasks)
        assert order == ["person", "a", "b"]

    with_pool(work, limit=3)


@pytest.mark.usefixtures("fake")
def test_who_waited_too_long_is_told_so():
    async def work(pool):
        first = asyncio.create_task(reason(pool, "hang"))
        await asyncio.sleep(0)  # it is in the queue, and may wait as long as it has to
        pool.patience_s = 0.0
        assert await asyncio.gather(first, reason(pool, "")) == ["slow", "busy"]

    with_pool(work, deadline_s=0.1)


def test_the_real_engine_answers_and_names_no_text_in_its_errors():
    async def work(pool):
        text = "train:\n  batch_size: 4\n  gradient_checkpointing: false\n"
        answer = await pool.run(DiagnoseJob((Pasted("config.yaml", text),), languages=Languages(own="de")))
        assert isinstance(answer, Answer)
        assert answer.locale == "de"
        assert answer.sure
        assert "gradient_checkpointing: true" in (answer.diff or "")
        with pytest.raises(EngineError) as caught:
            await pool.run(DiagnoseJob((Pasted("x", 5),)))
        assert str(caught.value).startswith("TypeError at ")

    with_pool(work)
