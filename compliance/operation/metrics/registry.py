"""Figures that apps add to those of the installation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Gauge:
    """One figure. `values` gives the values of the labels, each with the figure.

    The labels have few values, all of them known: names of lists or queues, never of cases or people.
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
