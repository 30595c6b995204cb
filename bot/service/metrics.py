"""Counts and state in Prometheus' format. Needs the extra `metrics` (prometheus-client)."""

import time
from typing import TYPE_CHECKING, Any

from bot import __version__
from bot.service.state import State
from bot.service.tally import COUNTS, TIMES, Histogram, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client import CollectorRegistry
    from prometheus_client.core import Metric

PREFIX = "oom_medic"


class NoPrometheusError(Exception):
    """prometheus-client is not installed; the message says how to get it."""


def exposition(tally: Tally, state: State) -> tuple[bytes, str]:
    """The page that Prometheus reads and its content type. Raises NoPrometheusError."""
    try:
        from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
    except ImportError:
        raise NoPrometheusError("No metrics: in the folder of oom-medic's source, pip install '.[metrics]'.") from None
    registry = CollectorRegistry()
    _add_process(registry)
    registry.register(_Collector(tally, state))
    return generate_latest(registry), CONTENT_TYPE_LATEST


def _add_process(registry: "CollectorRegistry") -> None:
    """CPU time, memory and open files, under the names that every Prometheus exporter gives them."""
    from prometheus_client import ProcessCollector

    class Process(ProcessCollector):
        def _boot_time(self) -> float:
            # prometheus-client reads it from /proc/stat, and shows nothing at all where that is hidden, as systemd's
            # ProcSubset=pid does.
            return time.time() - time.monotonic()

    Process(registry=registry)


class _Collector:
    """prometheus-client asks it for everything at once."""

    def __init__(self, tally: Tally, state: State) -> None:
        self.tally, self.state = tally, state

    def collect(self) -> "Iterator[Metric]":
        from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, InfoMetricFamily

        yield InfoMetricFamily(PREFIX, "The program", {"version": __version__})
        for name, (about, labels) in COUNTS.items():
            counter = CounterMetricFamily(f"{PREFIX}_{name}", about, labels=labels)
            for values, count in self.tally.counts[name].items():
                counter.add_metric(values, count)
            if not labels and not self.tally.counts[name]:
                counter.add_metric((), 0)
            yield counter
        for name, about in TIMES.items():
            made = self.tally.times[name]
            yield HistogramMetricFamily(f"{PREFIX}_{name}_seconds", about, buckets=_buckets(made), sum_value=made.total)
        yield from self._gauges()

    def _gauges(self) -> "Iterator[Metric]":
        from prometheus_client.core import GaugeMetricFamily

        state = self.state
        gauges: dict[str, tuple[str, Any]] = {
            "start_time_seconds": ("When the process began, Unix time", self.tally.began),
            "shards": ("Shards of this process", state.shards),
            "shards_connected": ("Shards connected", sum(age is not None for age in state.heartbeats.values())),
            "connected": ("1: every shard is connected with a fresh heartbeat", state.connected),
            "servers": ("Servers seen by this process", state.servers),
            "queue": ("Diagnoses that wait", state.queue),
            "queue_limit": ("Diagnoses that may wait", state.queue_limit),
            "in_hand": ("Events being dealt with", state.in_hand),
            "engine_processes": ("Engine processes running", state.engines),
            "draining": ("1: the process is about to end", state.draining),
            "database_ok": (
                "1: the last write got through, and there is room for the next",
                state.database_fault is None,
            ),
            "knowledge_rules": ("Rules loaded", state.knowledge_rules),
            "knowledge_loaded_seconds": (
                "When the knowledge in force was loaded, Unix time",
                state.knowledge_loaded_at,
            ),
            "knowledge_reload_refused": ("1: the last reload was refused", state.knowledge_fault is not None),
        }
        for name, (about, value) in gauges.items():
            yield GaugeMetricFamily(f"{PREFIX}_{name}", about, value=float(value))
        ages = GaugeMetricFamily(
            f"{PREFIX}_heartbeat_age_seconds", "Since the last acknowledged heartbeat", labels=("shard",)
        )
        for shard, age in state.heartbeats.items():
            if age is not None:
                ages.add_metric((str(shard),), age)
        yield ages


def _buckets(histogram: Histogram) -> list[tuple[str, float]]:
    """Cumulative counts, as Prometheus wants them."""
    made, so_far = [], 0
    for bound, count in zip((*map(str, histogram.bounds), "+Inf"), histogram.buckets, strict=True):
        so_far += count
        made.append((bound, float(so_far)))
    return made
