"""The metrics at /metrics, computed from the tables for each request.

So they are correct with any number of processes and machines, and continue after a restart. Each
web process serves the same values.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import datetime

from django.db import DatabaseError
from prometheus_client import Metric
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    SummaryMetricFamily,
)

import compliance
from compliance.db import clock
from compliance.models import Heartbeat
from compliance.operation import dead_letters, heartbeats, queue_figures
from compliance.operation.metrics import registry
from compliance.operation.metrics.requests import BEYOND, BUCKETS
from compliance.work.tallies import Kind, Tally

log = logging.getLogger(__name__)


class Collector:
    """All metrics.

    If the database is unavailable, only that is reported, and the others are omitted.
    """

    def collect(self) -> Iterator[Metric]:
        info = GaugeMetricFamily("compliance_info", "The version.", labels=["version"])
        info.add_metric([compliance.__version__], 1)
        yield info
        try:
            metrics = list(_from_database())
        except DatabaseError as exc:
            log.warning("Figures cannot be read (%s).", type(exc).__name__)
            metrics = []
        is_up = GaugeMetricFamily(
            "compliance_database_up", "1: the other figures could be read."
        )
        is_up.add_metric([], float(bool(metrics)))
        yield is_up
        yield from metrics


def _from_database() -> Iterator[Metric]:
    yield from _queues()
    tallies = list(queue_figures.ever(*Kind))
    yield from _requests(tallies)
    yield from _counters(tallies)
    yield from _checks(tallies)
    yield from _processes()
    yield from _dead_letters()
    for gauge in registry.gauges():
        metric = GaugeMetricFamily(gauge.name, gauge.help, labels=gauge.labels)
        for labels, value in gauge.values():
            metric.add_metric(labels, value)
        yield metric


def _queues() -> Iterator[Metric]:
    labels = ["queue", "cost_class"]
    waiting = GaugeMetricFamily(
        "compliance_queue_waiting", "Rows that are due and not leased.", labels=labels
    )
    oldest = GaugeMetricFamily(
        "compliance_queue_oldest_seconds",
        "How long the first of them has been due.",
        labels=labels,
    )
    leased = GaugeMetricFamily(
        "compliance_queue_leased", "Rows that a worker has.", labels=labels
    )
    failing = GaugeMetricFamily(
        "compliance_queue_failing",
        "Rows whose last attempt raised an error, and that are tried again.",
        labels=labels,
    )
    for row in queue_figures.all_figures():
        values = [row.queue, row.cost_class]
        waiting.add_metric(values, row.waiting)
        oldest.add_metric(values, row.oldest_seconds)
        leased.add_metric(values, row.leased)
        failing.add_metric(values, row.failing)
    yield from (waiting, oldest, leased, failing)


def _requests(tallies: list[Tally]) -> Iterator[Metric]:
    requests = CounterMetricFamily(
        "compliance_http_requests",
        "Requests, by the name of the page.",
        labels=["method", "route", "status"],
    )
    seconds: dict[str, float] = {}
    for row in tallies:
        if row.kind == Kind.REQUEST:
            method, _, route = row.name.partition(" ")
            requests.add_metric([method, route, row.outcome], row.count)
            seconds[route] = seconds.get(route, 0.0) + row.seconds
    yield requests
    counts: dict[str, dict[str, int]] = {}
    for row in tallies:
        if row.kind == Kind.REQUEST_TIME:
            counts.setdefault(row.name, {})[row.outcome] = row.count
    times = HistogramMetricFamily(
        "compliance_http_request_seconds", "Until the answer began.", labels=["route"]
    )
    for route, by_bucket in counts.items():
        buckets = list(_cumulative(by_bucket))
        times.add_metric([route], buckets, sum_value=seconds.get(route, 0.0))
    yield times


def _cumulative(counts: dict[str, int]) -> Iterator[tuple[str, float]]:
    # Prometheus' buckets are cumulative: each includes all faster requests.
    total = 0
    for end in (*BUCKETS, BEYOND):
        total += counts.get(end, 0)
        yield end, total


# (kind, name, help, label for the tally's name (empty: none), label for its outcome).
_COUNTERS = (
    (Kind.QUEUE, "queue_rows", "Rows that were worked.", "queue", "outcome"),
    (Kind.DELIVERY, "delivery_attempts", "Webhooks out.", "kind", "outcome"),
    (Kind.WEBHOOK, "webhooks", "Webhooks that came and were worked.", "", "outcome"),
    (Kind.SIGN_IN, "sign_ins", "Sign-ins of people.", "", "outcome"),
)


def _counters(tallies: list[Tally]) -> Iterator[Metric]:
    for kind, name, text, *labels in _COUNTERS:
        metric = CounterMetricFamily(
            f"compliance_{name}", text, labels=list(filter(None, labels))
        )
        for row in tallies:
            if row.kind == kind:
                values = [row.name, row.outcome] if labels[0] else [row.outcome]
                metric.add_metric(values, row.count)
        yield metric
    seconds = CounterMetricFamily(
        "compliance_queue_work_seconds",
        "Time of workers, by what came of the row.",
        labels=["queue", "outcome"],
    )
    for row in tallies:
        if row.kind == Kind.QUEUE:
            seconds.add_metric([row.name, row.outcome], row.seconds)
    yield seconds


def _checks(tallies: list[Tally]) -> Iterator[Metric]:
    checks = SummaryMetricFamily(
        "compliance_check_seconds",
        "Runs of checks and how long they took.",
        labels=["check", "verdict"],
    )
    for row in tallies:
        if row.kind == Kind.CHECK:
            checks.add_metric(
                [row.name, row.outcome], count_value=row.count, sum_value=row.seconds
            )
    yield checks


def _dead_letters() -> Iterator[Metric]:
    letters = GaugeMetricFamily(
        "compliance_dead_letters",
        "Rows that failed for good, and that a person may have tried again.",
        labels=["kind"],
    )
    for kind in dead_letters.registered():
        letters.add_metric([kind.name], kind.rows(None).count())
    yield letters


def _processes() -> Iterator[Metric]:
    workers = GaugeMetricFamily(
        "compliance_workers",
        "Workers with a fresh heartbeat, by the queue of the broker.",
        labels=["broker_queue"],
    )
    ages = GaugeMetricFamily(
        "compliance_heartbeat_age_seconds",
        "Since the last heartbeat of any worker for the queue of the broker.",
        labels=["broker_queue"],
    )
    rows = list(Heartbeat.objects.filter(kind=Heartbeat.Kind.WORKER))
    for queue in sorted(heartbeats.broker_queues()):
        serving = [row for row in rows if queue in row.queues.split(",")]
        fresh = [row for row in serving if is_fresh(row)]
        workers.add_metric([queue], len(fresh))
        if serving:
            ages.add_metric([queue], min(age(row.at) for row in serving))
    yield from (workers, ages)
    yield from _clocks([row for row in rows if is_fresh(row)])


def _clocks(workers: list[Heartbeat]) -> Iterator[Metric]:
    sweep = GaugeMetricFamily(
        "compliance_sweep_age_seconds", "Since the sweep of the queues; with a broker."
    )
    for row in Heartbeat.objects.filter(kind=Heartbeat.Kind.SWEEP):
        sweep.add_metric([], age(row.at))
    skew = GaugeMetricFamily(
        "compliance_clock_skew_seconds",
        "How far a clock is from the database's; of the workers the furthest.",
        labels=["process"],
    )
    skew.add_metric(["web"], abs(clock.skew().total_seconds()))
    if workers:
        skew.add_metric(["worker"], max(abs(row.skew_seconds) for row in workers))
    yield from (sweep, skew)


def is_fresh(row: Heartbeat) -> bool:
    return age(row.at) < heartbeats.FRESH.total_seconds()


def age(moment: datetime) -> float:
    """The seconds since a time of the database's clock."""
    return max(0.0, (clock.now() - moment).total_seconds())
