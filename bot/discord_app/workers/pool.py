"""Engine processes behind one queue with a bound and a deadline."""

import asyncio
import contextlib
import os
import pickle
import sys
import time
from asyncio.subprocess import PIPE, Process
from dataclasses import dataclass, field
from pathlib import Path
from typing import overload

from bot.discord_app.workers.jobs import (
    LENGTH,
    Answer,
    Asked,
    AskJob,
    DiagnoseJob,
    EngineError,
    Fixed,
    FixJob,
    Job,
    Outcome,
    PlanJob,
    Planned,
)
from bot.knowledge.folder import VARIABLE
from bot.service.tally import Tally

STARTING_S = 60.0
_COMMAND = (sys.executable, "-m", "bot.discord_app.workers.worker")


@dataclass(order=True, slots=True)
class _Waiting:
    """A job in the queue. People who clicked or typed a command go before pastes in channels."""

    rank: int
    number: int
    job: Job = field(compare=False)
    outcome: "asyncio.Future[Outcome]" = field(compare=False)
    expires: float = field(compare=False)


class _Engine:
    """One engine process, started again whenever it dies or has to be killed. `folder` is its knowledge."""

    def __init__(self, folder: Path | None = None) -> None:
        self.process: Process | None = None
        self.busy = self.leaving = False
        self._environment = {**os.environ, VARIABLE: str(folder)} if folder else None

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(*_COMMAND, stdin=PIPE, stdout=PIPE, env=self._environment)
        async with asyncio.timeout(STARTING_S):
            await self._receive()

    async def ask(self, job: Job, seconds: float) -> object:
        """The outcome. Raises TimeoutError, or EOFError where the process died; it is stopped then."""
        if self.process is None:
            await self.start()
        try:
            async with asyncio.timeout(seconds):
                data = pickle.dumps(job)
                assert self.process is not None and self.process.stdin is not None  # noqa: S101, PT018 started above
                self.process.stdin.writelines((LENGTH.pack(len(data)), data))
                await self.process.stdin.drain()
                return await self._receive()
        except (TimeoutError, EOFError, ConnectionError, asyncio.CancelledError):
            await self.stop()
            raise

    async def _receive(self) -> object:
        assert self.process is not None and self.process.stdout is not None  # noqa: S101, PT018 only called then
        size = LENGTH.unpack(await self.process.stdout.readexactly(LENGTH.size))[0]
        return pickle.loads(await self.process.stdout.readexactly(size))  # noqa: S301 from our own process

    async def stop(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class Engines:
    """The processes on one version of the knowledge, each with the task that hands it jobs."""

    def __init__(self, count: int, folder: Path | None = None) -> None:
        self.all = [_Engine(folder) for _ in range(count)]
        self.tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start every process and wait until each can answer. Where one does not, all are ended and its error raised."""
        started = await asyncio.gather(*(engine.start() for engine in self.all), return_exceptions=True)
        failed = next((outcome for outcome in started if isinstance(outcome, BaseException)), None)
        if failed is not None:
            await self.stop()
            raise failed

    def leave(self) -> None:
        """Take no further job."""
        for engine, task in zip(self.all, self.tasks, strict=True):
            engine.leaving = True
            if not engine.busy:
                task.cancel()

    async def retired(self) -> None:
        """End each process once the job it is at is done."""
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.stop()

    async def stop(self) -> None:
        """End them now."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.gather(*(engine.stop() for engine in self.all))


class EnginePool:
    """`run` gives a job to the next free process.

    `limit` jobs may wait; one more is refused (`busy`), as is one that has waited `patience_s` (`busy`). A job that
    takes longer than `deadline_s` ends with its process (`slow`), which is started anew.
    """

    def __init__(  # noqa: PLR0913 each a limit of its own
        self,
        processes: int,
        *,
        limit: int,
        patience_s: float,
        deadline_s: float,
        folder: Path | None = None,
        tally: Tally | None = None,
    ) -> None:
        self.limit, self.patience_s, self.deadline_s = limit, patience_s, deadline_s
        self._queue: asyncio.PriorityQueue[_Waiting] = asyncio.PriorityQueue()
        self._engines, self._leaving = Engines(processes, folder), set[Engines]()
        self._tally = tally or Tally()
        self._number = 0

    async def start(self) -> None:
        """Start every process and wait until each can answer. Raises OSError, EOFError or TimeoutError."""
        await self._engines.start()
        self._begin()

    def _begin(self) -> None:
        self._engines.tasks = [asyncio.create_task(self._serve(engine)) for engine in self._engines.all]

    async def prepared(self, folder: Path) -> Engines:
        """As many processes on another knowledge, ready to take over. Raises what starting them raised."""
        fresh = Engines(len(self._engines.all), folder)
        await fresh.start()
        return fresh

    def swap(self, fresh: Engines) -> Engines:
        """Let prepared processes take over; returns the old ones, which finish what they are at: see `retired`."""
        old, self._engines = self._engines, fresh
        self._begin()
        old.leave()
        still = (one for one in self._leaving if not all(task.done() for task in one.tasks))
        self._leaving = {old, *still}
        return old

    async def close(self) -> None:
        """End the processes. Jobs that wait are refused."""
        await asyncio.gather(*(engines.stop() for engines in (self._engines, *self._leaving)))
        while not self._queue.empty():
            _refuse(self._queue.get_nowait(), "busy")

    @property
    def waiting(self) -> int:
        """Jobs in the queue."""
        return self._queue.qsize()

    @property
    def running(self) -> int:
        """Processes that can be asked."""
        return sum(engine.process is not None for engine in self._engines.all)

    @overload
    async def run(self, job: DiagnoseJob, *, urgent: bool = False) -> Answer: ...
    @overload
    async def run(self, job: FixJob, *, urgent: bool = False) -> Fixed: ...
    @overload
    async def run(self, job: AskJob, *, urgent: bool = False) -> Asked: ...
    @overload
    async def run(self, job: PlanJob, *, urgent: bool = False) -> Planned: ...
    async def run(self, job: Job, *, urgent: bool = False) -> Outcome:
        """The outcome of a job. Raises EngineError."""
        if self._queue.qsize() >= self.limit:
            self._tally.count("refusals", "queue_limit")
            raise EngineError("busy", f"{self.limit} jobs are waiting")
        self._number += 1
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(
            _Waiting(0 if urgent else 1, self._number, job, outcome, time.monotonic() + self.patience_s)
        )
        return await outcome

    async def _serve(self, engine: _Engine) -> None:
        while not engine.leaving:
            item = await self._queue.get()
            if item.outcome.done():
                continue
            moment = time.monotonic()
            if moment > item.expires:
                self._tally.count("refusals", "queue_patience")
                _refuse(item, "busy")
                continue
            self._tally.time("waiting", moment + self.patience_s - item.expires)
            engine.busy = True
            try:
                await self._ask(engine, item)
            finally:
                engine.busy = False

    async def _ask(self, engine: _Engine, item: _Waiting) -> None:
        try:
            with self._tally.timing("engine"):
                outcome = await engine.ask(item.job, self.deadline_s)
            _settle(item, outcome)
        except TimeoutError:
            self._tally.count("refusals", "engine_deadline")
            _refuse(item, "slow")
        except (EOFError, ConnectionError, OSError) as error:
            _refuse(item, "broken", str(error))
        except asyncio.CancelledError:
            _refuse(item, "busy")
            raise


def _settle(item: _Waiting, outcome: object) -> None:
    if item.outcome.done():
        return
    if isinstance(outcome, Outcome):
        item.outcome.set_result(outcome)
    else:
        item.outcome.set_exception(EngineError("broken", str(outcome)))


def _refuse(item: _Waiting, reason: str, detail: str = "") -> None:
    if not item.outcome.done():
        item.outcome.set_exception(EngineError(reason, detail))  # type: ignore[arg-type]
