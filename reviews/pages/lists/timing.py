"""When the checks of a job ran and when its tools were heard of, drawn as bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_aware

from reviews import results
from reviews.models import CheckResult, Job

WIDTH = 1000
LEAST = 4  # units: what took no time is seen, too


class Bar(NamedTuple):
    label: str
    verdict: str
    x: float
    width: float
    y: int
    said: str  # in seconds


class Heard(NamedTuple):
    label: str
    verdict: str
    at: datetime
    after: float  # seconds since the job was made


@dataclass(frozen=True)
class Timing:
    """Checks by the service's clock, from the first begin to the last end; tools as they came."""

    bars: Sequence[Bar]
    heard: Sequence[Heard]
    seconds: float

    @property
    def height(self) -> int:
        return 22 * len(self.bars) + 4

    @classmethod
    def of(cls, job: Job, rows: Sequence[CheckResult]) -> Timing:
        spans = [(row, *span) for row in rows if (span := _span(row))]
        spans.sort(key=lambda one: one[1])
        begin = min((one[1] for one in spans), default=0.0)
        whole = max((one[2] for one in spans), default=0.0) - begin
        scale = WIDTH / whole if whole else 0.0
        heard = [
            Heard(
                results.check_label(row.check_id),
                _verdict(row),
                row.received_at,
                (row.received_at - job.created_at).total_seconds(),
            )
            for row in rows
            if row.source == CheckResult.Source.TOOL
        ]
        bars = [
            Bar(
                results.check_label(row.check_id),
                _verdict(row),
                round(min((start - begin) * scale, WIDTH - LEAST), 1),
                round(max((end - start) * scale, LEAST), 1),
                22 * at,
                f"{end - start:.1f}",
            )
            for at, (row, start, end) in enumerate(spans)
        ]
        return cls(bars, heard, whole)


def _span(row: CheckResult) -> tuple[float, float] | None:
    """When the check began and ended, where the service says both."""
    if row.source != CheckResult.Source.CHECK or not isinstance(row.body, dict):
        return None
    start, end = (_moment(row.body.get(name)) for name in ("created_at", "updated_at"))
    return (
        (start, end) if start is not None and end is not None and end >= start else None
    )


def _moment(value: object) -> float | None:
    try:
        found = parse_datetime(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return found.timestamp() if found and is_aware(found) else None


def _verdict(row: CheckResult) -> str:
    body = row.body if isinstance(row.body, dict) else {}
    said = body.get("result") if row.source == CheckResult.Source.CHECK else body
    return results.verdict(said if isinstance(said, dict) else {}, otherwise=row.passed)
