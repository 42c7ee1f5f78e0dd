"""Metrics of lists: the age of each, and whether a version is held for a decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from agenthub.models.lists import HeldVersion, ListVersion
from compliance.db import clock
from compliance.operation.metrics import registry
from compliance.operation.metrics.registry import Gauge

DAY_SECONDS = 86_400
Values = Iterator[tuple[list[str], float]]


def _active() -> QuerySet[ListVersion]:
    held = HeldVersion.objects.filter(
        version__source=OuterRef("source"), status=HeldVersion.Status.HELD
    )
    rows = ListVersion.objects.filter(status=ListVersion.Status.ACTIVE)
    return rows.select_related("source").annotate(is_held=Exists(held))


def _age(row: ListVersion) -> float:
    return _seconds_since(row.loaded_at)


def _longest_age(row: ListVersion) -> float:
    return float(row.source.max_age_days * DAY_SECONDS)


def _held(row: ListVersion) -> float:
    return float(getattr(row, "is_held", False))


def _entries(row: ListVersion) -> float:
    return float(row.entity_count)


def _seconds_since(moment: datetime) -> float:
    return max(0.0, (clock.now() - moment).total_seconds())


def _by_list(value: Callable[[ListVersion], float]) -> Callable[[], Values]:
    def values() -> Values:
        for row in _active():
            yield [row.source.slug], value(row)

    return values


def register() -> None:
    for name, text, value in (
        ("age_seconds", "Since the active version of a list was loaded.", _age),
        ("longest_age_seconds", "At this age a list is stale.", _longest_age),
        ("held", "1: a version waits for a person.", _held),
        ("entries", "Entries of the active version.", _entries),
    ):
        gauge = Gauge(f"compliance_list_{name}", text, ("list",), _by_list(value))
        registry.add(gauge)
