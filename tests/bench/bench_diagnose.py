"""What a diagnosis costs, as ratios within the same run: python tests/bench/bench_diagnose.py.

- a 5 kB job text to the JSON object, patching and the second run of the rules included, against `yaml.compose` with
  libyaml's loader on the same text: at most 8
- an 8 MiB log of progress-bar frames with one OOM at its end: time against `str.splitlines()` on it, at most 20;
  memory against its size, at most 4
- the whole process `oom-medic diagnose FILE` against `python -c "import yaml, pydantic, jinja2"`: at most 3
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import yaml

from bot.engine import diagnose
from bot.intake.read import Pasted, read
from bot.knowledge.load import Knowledge

LOG_BYTES = 8 * 2**20
OOM = (
    "\nError running job: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.64 GiB of which"
    " 1.20 GiB is free. Including non-PyTorch memory, this process has 22.42 GiB memory in use. Of the allocated memory"
    " 20.02 GiB is allocated by PyTorch, and 1.02 GiB is reserved by PyTorch but unallocated.\n"
)


def job_text() -> str:
    """A whole job of about 5 kB, as the UI writes it, with checkpointing off."""
    samples = "".join(f'          - prompt: "a photo of a lamp on a table, number {n}, soft light, 35mm"\n' for n in range(48))
    return (
        '---\njob: "extension"\nconfig:\n  name: "lamp"\n  process:\n    - type: "diffusion_trainer"\n'
        '      training_folder: "output"\n      device: "cuda"\n      trigger_word: null\n      network:\n        type: "lora"\n'
        '        linear: 32\n        linear_alpha: 32\n      save:\n        dtype: "bf16"\n        save_every: 250\n'
        '      datasets:\n        - folder_path: "/data/lamp"\n          caption_ext: "txt"\n          caption_dropout_rate: 0.05\n'
        "          cache_latents_to_disk: true\n          resolution:\n            - 512\n            - 768\n            - 1024\n"
        "      train:\n        batch_size: 4\n        steps: 3000\n        gradient_accumulation: 1\n        train_unet: true\n"
        '        gradient_checkpointing: false  # faster\n        optimizer: "adamw8bit"\n        lr: 1e-4\n        dtype: "bf16"\n'
        '        cache_text_embeddings: true\n      model:\n        name_or_path: "Tongyi-MAI/Z-Image"\n        arch: "zimage"\n'
        '        quantize: true\n        qtype: "qfloat8"\n        low_vram: true\n      sample:\n        sampler: "flowmatch"\n'
        f"        sample_every: 250\n        width: 1024\n        height: 1024\n        samples:\n{samples}"
    )


def progress_log() -> str:
    frames = []
    size = 0
    while size < LOG_BYTES:
        step = len(frames)
        frames.append(f"lamp:  {step % 100}%|███▏      | {step}/900000 [03:20<1:40:00,  2.08s/it, lr: 1.0e-04 loss: 3.456e-01]\r")
        size += len(frames[-1].encode())
    return "".join(frames) + OOM


def median(call: Callable[[], object], runs: int) -> float:
    call()
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def verdict(text: str | bytes, knowledge: Knowledge) -> str:
    return json.dumps(diagnose(read([Pasted("config.yaml", text)], knowledge), knowledge).as_dict())


def job_ratio(knowledge: Knowledge) -> float:
    text = job_text()
    ours = median(lambda: verdict(text, knowledge), 60)
    base = median(lambda: yaml.compose(text, Loader=yaml.CSafeLoader), 60)
    print(f"job text of {len(text)} characters: {ours * 1000:.2f} ms, compose {base * 1000:.2f} ms, ratio {ours / base:.2f} (at most 8)")
    return ours / base


def log_ratios(knowledge: Knowledge) -> tuple[float, float]:
    log = progress_log()
    data = log.encode()
    ours, base = median(lambda: verdict(log, knowledge), 5), median(log.splitlines, 5)
    print(f"log of {len(data) / 2**20:.1f} MiB: {ours * 1000:.0f} ms, splitlines {base * 1000:.0f} ms, ratio {ours / base:.2f} (at most 20)")
    tracemalloc.start()
    verdict(data, knowledge)
    peak = tracemalloc.get_traced_memory()[1] + len(data)
    tracemalloc.stop()
    print(f"log memory: peak {peak / 2**20:.1f} MiB with the log itself, ratio {peak / len(data):.2f} (at most 4)")
    return ours / base, peak / len(data)


def process_ratio() -> float:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "config.yaml"
        file.write_text(job_text(), encoding="utf-8")
        run = subprocess.DEVNULL
        ours = median(lambda: subprocess.run([sys.executable, "-m", "bot", "diagnose", str(file)], stdout=run, check=True), 9)
    base = median(lambda: subprocess.run([sys.executable, "-c", "import yaml, pydantic, jinja2"], check=True), 9)
    print(f"process: {ours * 1000:.0f} ms, imports alone {base * 1000:.0f} ms, ratio {ours / base:.2f} (at most 3)")
    return ours / base


def main() -> None:
    knowledge = Knowledge()
    ratios = (job_ratio(knowledge), *log_ratios(knowledge), process_ratio())
    met = all(ratio <= most for ratio, most in zip(ratios, (8, 20, 4, 3), strict=True))
    print("all within bounds" if met else "NOT all within bounds")


if __name__ == "__main__":
    main()
