"""What happened in this process since its start, counted. No user, no server and no text is in a label.

A few dictionary entries that the event loop alone writes, so that counting costs nothing where nobody looks;
`metrics` turns them into Prometheus' format.
"""

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

# Name -> what it counts, and its labels in order. Labels take their values from fixed vocabularies.
COUNTS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "messages": ("Messages that Discord sent", ()),
    "looks": ("Messages worth a look, by what they were taken for", ("kind",)),
    "pastes": ("Pastes recognised: each became a case", ("origin",)),
    "diagnoses": ("Answers worked out for a case", ("class", "family")),
    "steps": ("Steps offered, and what became of them", ("lever", "outcome")),
    "redactions": ("Secrets and private data replaced in pastes", ()),
    "refusals": ("Work refused, by the limit that was reached", ("limit",)),
    "log_lines": ("Warnings and errors logged", ("level", "part")),
    "reloads": ("Attempts to reload the knowledge", ("outcome",)),
}
# Upper bounds in seconds; one more bucket holds what took longer.
_BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
TIMES: Final[dict[str, str]] = {
    "answer": "From a message's arrival until its reply was sent",
    "waiting": "Time a diagnosis waited for a free engine process",
    "engine": "Time an engine process took for a diagnosis",
    "record": "Time until a case was on the disk",
}


@dataclass(slots=True)
class Histogram:
    """How many fell into each bucket, and their sum in seconds."""

    bounds: tuple[float, ...] = _BOUNDS
    buckets: list[int] = field(default_factory=lambda: [0] * (len(_BOUNDS) + 1))
    total: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one."""
        self.buckets[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds


class Tally:
    """The counts of one process."""

    def __init__(self) -> None:
        self.began = time.time()
        self.counts: dict[str, Counter[tuple[str, ...]]] = {name: Counter() for name in COUNTS}
        self.times = {name: Histogram() for name in TIMES}

    def count(self, name: str, *labels: str, n: int = 1) -> None:
        """Add to a count. A name that is not in COUNTS, or the wrong number of labels, is a KeyError."""
        if len(labels) != len(COUNTS[name][1]):
            raise KeyError(f"{name} has the labels {COUNTS[name][1]}")
        self.counts[name][labels] += n

    def time(self, name: str, seconds: float) -> None:
        """Add to a histogram."""
        self.times[name].add(seconds)

    @contextmanager
    def timing(self, name: str) -> Iterator[None]:
        """Time a block that ends well; what fails is counted elsewhere."""
        began = time.perf_counter()
        yield
        self.time(name, time.perf_counter() - began)
