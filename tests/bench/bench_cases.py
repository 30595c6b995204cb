"""Figures of the case history: `python tests/bench/bench_cases.py [CASES]`.

- Recording a case (with documents, diagnosis, two steps, search index, on the disk) against inserting the same rows
  with bare `sqlite3` in one transaction a case, with the same durability. The bar is 3.0.
- The median of `list` and `search` over many generated cases. The bar is 50 ms.
"""

import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bot.cases import recording
from bot.cases.book import CaseBook
from bot.cases.connections import transaction, writable
from bot.cases.listing import Filters
from bot.cases.model import NewCase, NewDocument, NewStep, Scope
from bot.cases.store import Store

ROUNDS = 300
BATCH = 20
CASES = 200_000
GUILDS = (1001, 1002, 1003, 1004)
CLASSES = ("vram_oom", "vram_oom", "vram_oom", "host_ram_oom", "not_memory", "none", "unknown")
FAMILIES = ("z-image", "qwen-image-edit", "flux", "wan", "ltx", "sdxl")
LEVERS = ("gradient_checkpointing", "batch_size", "top_bucket", "preview_cost", "num_frames", "quantize")
WORDS = (
    "torch", "cuda", "memory", "allocated", "tried", "allocate", "GiB", "reserved", "train", "network",
    "lora", "linear", "alpha", "steps", "batch_size", "dataset", "resolution", "caption", "folder", "sample",
    "prompt", "optimizer", "adamw8bit", "gradient_checkpointing", "quantize", "dtype", "bf16", "latents",
    "cache",
)  # fmt: skip


def generated(rng: random.Random, number: int, size: int) -> NewCase:
    lever, family = rng.choice(LEVERS), rng.choice(FAMILIES)
    text = "\n".join(f"{rng.choice(WORDS)}: {rng.choice(WORDS)} {rng.randrange(5000)}" for _ in range(size))
    step = {"lever": lever, "rule": f"{lever}-rule", "safety": "safe", "now": True, "patches": []}
    diagnosis = {
        "schema": "oom-medic/diagnosis/1", "locale": "en", "source_tool": "ai-toolkit",
        "problem": {"class": rng.choice(CLASSES), "phase": "train", "confidence": "high"},
        "model": {"arch": family, "family": family, "kind": "image"},
        "hardware": {"gpu": "RTX 4090", "vram_gib": 24.0, "ram_gib": None},
        "findings": [{"rule": f"{lever}-rule", "severity": "error", "evidence": []}], "steps": [step] * 4,
        "diff": text[:300], "crash": None, "memory": None, "redactions": 0,
    }  # fmt: skip
    return NewCase(
        guild=rng.choice(GUILDS), locale=rng.choice(("en", "de", "it")), origin="paste", diagnosis=diagnosis,
        documents=(NewDocument("config.yaml", "config", text, number),),
        steps=(NewStep(lever, f"{lever}-rule", text[:300], 0), NewStep("batch_size", "batch-rule", text[:200], 1)),
        channel=7, asker=rng.randrange(20_000), message=number,
    )  # fmt: skip


def rows_of(path: Path) -> list[list[tuple[str, list[tuple]]]]:
    """For each recorded case, the rows that it consists of, table by table."""
    with closing(sqlite3.connect(path)) as connection:
        tables = ("cases", "messages", "documents", "diagnoses", "steps")
        seqs = [seq for (seq,) in connection.execute("SELECT seq FROM cases ORDER BY seq")]
        return [
            [(table, connection.execute(f"SELECT * FROM {table} WHERE seq = ?", [seq]).fetchall()) for table in tables]
            for seq in seqs
        ]


def bare(path: Path) -> sqlite3.Connection:
    writable(path).close()
    connection = sqlite3.connect(path)
    for pragma in ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def insert(connection: sqlite3.Connection, rows_by_table: list, *, indexed: bool) -> None:
    for table, rows in rows_by_table:
        if rows:
            connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    if indexed:
        seq, guild = rows_by_table[0][1][0][0], rows_by_table[0][1][0][2]
        text = "\n".join(row[6] for row in rows_by_table[2][1])
        connection.execute(
            "INSERT INTO case_search (rowid, scope, pasted, remarks) VALUES (?, ?, ?, NULL)", [seq, guild, text]
        )
    connection.commit()


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3


def inserting(folder: Path) -> bool:
    """Batches are written each way in turn, so that a busy machine is busy for all of them; medians count.

    Ours is timed as the bot works (cases handed to the writer as they come, each future awaited), and one by one.
    """
    rng = random.Random(4)
    cases = [generated(rng, number, 180) for number in range(1, ROUNDS + 1)]
    size = statistics.mean(len(case.documents[0].text) for case in cases)
    with CaseBook(Store(folder / "model.db").ready()) as book:
        for case in cases:
            book.record(case).result()
    rows = rows_of(folder / "model.db")
    times: dict[str, list[float]] = {
        name: [] for name in ("ours", "one by one", "same rows and index", "same rows, no index")
    }
    with (
        CaseBook(Store(folder / "ours.db").ready()) as book,
        CaseBook(Store(folder / "one.db").ready()) as other,
        closing(bare(folder / "indexed.db")) as with_index,
        closing(bare(folder / "plain.db")) as without,
    ):
        for first in range(0, ROUNDS, BATCH):
            some, its_rows = cases[first : first + BATCH], rows[first : first + BATCH]
            ways: dict[str, Callable[[], object]] = {
                "ours": lambda some=some: [future.result() for future in [book.record(case) for case in some]],
                "one by one": lambda some=some: [other.record(case).result() for case in some],
                "same rows and index": lambda r=its_rows: [insert(with_index, row, indexed=True) for row in r],
                "same rows, no index": lambda r=its_rows: [insert(without, row, indexed=False) for row in r],
            }
            for name, way in ways.items():
                times[name].append(timed(way) / BATCH)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    ours = medians.pop("ours")
    print(f"record a case of {size / 1000:.1f} kB: {ours:.2f} ms, one by one {medians.pop('one by one'):.2f} ms")
    for name, median in medians.items():
        print(f"  bare sqlite3, {name}: {median:.2f} ms, ratio {ours / median:.2f} (bar 3.00)")
    return ours / medians["same rows and index"] <= 3


def fill(path: Path, count: int) -> None:
    """Many cases in few transactions; the ids are drawn as ever."""
    rng = random.Random(5)
    db = writable(path)
    db.execute("PRAGMA synchronous = OFF")
    for first in range(1, count + 1, 5000):
        with transaction(db):
            for number in range(first, min(first + 5000, count + 1)):
                minutes = number * 2
                at = f"2026-{1 + minutes // 40320 % 12:02}-{1 + minutes // 1440 % 28:02}T{minutes // 60 % 24:02}:00:00Z"
                recording.record(db, generated(rng, number, 12), at)
    db.close()


def reading(folder: Path, count: int) -> bool:
    path = folder / "many.db"
    start = time.perf_counter()
    fill(path, count)
    print(f"{count:,} cases: {path.stat().st_size / 2**20:.0f} MiB, generated in {time.perf_counter() - start:.0f} s")
    server = Scope.server(GUILDS[0])
    wanted = {
        "list": (server, Filters()),
        "list, open": (server, Filters(state="open")),
        "list, family and lever": (server, Filters(family="wan", lever="num_frames")),
        "list, one person": (server, Filters(asker=77)),
        "list, nothing found": (server, Filters(state="failed", family="wan")),
        "list, every server, lever": (Scope.operator(), Filters(lever="num_frames")),
        "search, common word": (server, Filters(words="cuda")),
        "search, two words": (server, Filters(words="cuda quantize")),
        "search, rare number": (server, Filters(words="quantize 4711")),
        "search, phrase": (server, Filters(words="gradient_checkpointing")),
        "search, prefix": (server, Filters(words="quant*")),
        "search, nothing found": (server, Filters(words="xyzzy")),
        "search, with filter": (server, Filters(words="cuda", family="wan", lever="batch_size")),
        "search, every server": (Scope.operator(), Filters(words="cuda adamw8bit")),
    }
    worst = 0.0
    with CaseBook(Store(path).ready()) as book:
        for name, (scope, filters) in wanted.items():
            times = []
            for _ in range(15):
                start = time.perf_counter()
                page = book.listed(scope, filters).result()
                times.append(time.perf_counter() - start)
            median = statistics.median(times) * 1e3
            worst = max(worst, median)
            print(f"  {name}: {median:.2f} ms ({len(page.cases)} found)")
        start = time.perf_counter()
        book.stats(server).result()
        print(f"  stats of one server: {(time.perf_counter() - start) * 1e3:.0f} ms")
        start = time.perf_counter()
        book.delete(server.of(book.listed(server).result().cases[0].id)).result()
        print(f"  delete one case, gone from the file: {(time.perf_counter() - start) * 1e3:.0f} ms")
    print(f"  slowest median: {worst:.2f} ms (bar 50)")
    return worst <= 50


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else CASES
    with tempfile.TemporaryDirectory() as folder:
        fine = [inserting(Path(folder)), reading(Path(folder), count)]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
