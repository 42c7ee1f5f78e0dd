"""The registry of metrics that apps add."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Gauge:
    """One metric. `values` yields pairs: the values of the labels, and the number.

    Labels must have few known values, such as names of lists or queues, never of cases or people.
    """

    name: str
    help: str
    labels: tuple[str, ...]
    values: Callable[[], Iterable[tuple[Sequence[str], float]]]


_gauges: dict[str, Gauge] = {}


def add(gauge: Gauge) -> None:
    _gauges[gauge.name] = gauge


def gauges() -> list[Gauge]:
    return list(_gauges.values())
