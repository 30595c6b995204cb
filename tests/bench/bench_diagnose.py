"""What a diagnosis costs, as ratios within the same run: python tests/bench/bench_diagnose.py.

- a job text of 4 to 5 kB to the JSON object, patching and the second run of the rules included, against `yaml.compose`
  with libyaml's loader on the same text: at most 8
- an 8 MiB log of progress-bar frames with one OOM at its end: time against `str.splitlines()` on it, at most 20;
  memory against its size, at most 4
- the whole process `oom-medic diagnose FILE` against `python -c "import yaml, pydantic, jinja2"`: at most 3

It measures the `bot` that the interpreter finds: an installed one, or a checkout's by PYTHONPATH. Each figure is the median
of pairs measured one right after the other, in CPU time, so that what else runs on the machine hardly counts. The exit
status is 1 where a bound is missed.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path

import yaml

from bot.engine import diagnose
from bot.intake.read import Pasted, read
from bot.knowledge.load import Knowledge

JOB = Path(__file__).with_name("job.yaml")
LOG_BYTES = 8 * 2**20
OOM = (
    "\nError running job: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.64 GiB of which"
    " 1.20 GiB is free. Including non-PyTorch memory, this process has 22.42 GiB memory in use. Of the allocated memory"
    " 20.02 GiB is allocated by PyTorch, and 1.02 GiB is reserved by PyTorch but unallocated.\n"
)


def progress_log() -> str:
    frames = []
    size = 0
    while size < LOG_BYTES:
        step = len(frames)
        frames.append(
            f"lamp:  {step % 100}%|███▏      | {step}/900000 [03:20<1:40:00,  2.08s/it, lr: 1.0e-04 loss: 3.456e-01]\r"
        )
        size += len(frames[-1].encode())
    return "".join(frames) + OOM


def own_seconds() -> float:
    return time.process_time()


def children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ratio(
    name: str, ours: Callable[[], object], base: Callable[[], object], *, pairs: int, most: float,
    clock: Callable[[], float] = own_seconds, calls: int = 1,
) -> bool:  # fmt: skip
    """Measure, print, and tell whether the bound holds. `calls`: of each side, for what is too short for the clock."""
    times: list[tuple[float, float]] = []
    for _ in range(pairs + 1):
        before = clock()
        for _ in range(calls):
            base()
        between = clock()
        for _ in range(calls):
            ours()
        times.append(((clock() - between) / calls, (between - before) / calls))
    ratios = [one / other for one, other in times[1:]]  # the first pair only warms up
    found = statistics.median(ratios)
    mine, other = (statistics.median(column) * 1000 for column in zip(*times[1:], strict=True))
    print(f"{name}: {mine:.2f} ms against {other:.2f} ms, ratio {found:.2f} (at most {most:g})")
    return found <= most


def verdict(text: str | bytes, knowledge: Knowledge) -> str:
    return json.dumps(diagnose(read([Pasted("config.yaml", text)], knowledge), knowledge).as_dict())


def job_holds(knowledge: Knowledge) -> bool:
    text = JOB.read_text(encoding="utf-8")
    assert json.loads(verdict(text, knowledge))["diff"]
    return ratio(
        f"job text of {len(text)} characters", lambda: verdict(text, knowledge), lambda: yaml.compose(text, Loader=yaml.CSafeLoader),
        pairs=40, most=8, calls=5,
    )  # fmt: skip


def log_holds(knowledge: Knowledge) -> bool:
    log = progress_log()
    in_time = ratio("8 MiB log", lambda: verdict(log, knowledge), log.splitlines, pairs=5, most=20)
    data = log.encode()
    tracemalloc.start()
    verdict(data, knowledge)
    peak = tracemalloc.get_traced_memory()[1] + len(data)
    tracemalloc.stop()
    print(f"8 MiB log: peak {peak / 2**20:.1f} MiB with the log itself, ratio {peak / len(data):.2f} (at most 4)")
    return in_time and peak <= 4 * len(data)


def process_holds() -> bool:
    script = Path(sys.executable).with_name("oom-medic")
    command = [str(script)] if script.exists() else [sys.executable, "-m", "bot"]
    # What is compiled once must not be compiled anew in each run that is measured.
    environment = {name: set_to for name, set_to in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run(words: Sequence[str]) -> None:
        subprocess.run(words, stdout=subprocess.DEVNULL, check=True, env=environment)

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "config.yaml"
        file.write_bytes(JOB.read_bytes())
        return ratio(
            "process", lambda: run([*command, "diagnose", str(file)]),
            lambda: run([sys.executable, "-c", "import yaml, pydantic, jinja2"]), pairs=11, most=3, clock=children_seconds,
        )  # fmt: skip


def main() -> None:
    knowledge = Knowledge()
    held = [job_holds(knowledge), log_holds(knowledge), process_holds()]
    print("all within bounds" if all(held) else "NOT all within bounds")
    sys.exit(0 if all(held) else 1)


if __name__ == "__main__":
    main()
