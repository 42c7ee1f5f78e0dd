"""Draws when the checks of a job ran as bars, and lists when its tools sent results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_aware

from reviews import results
from reviews.models import CheckResult, Job

# SVG units: width of the drawing, least width of a bar, height of a row.
WIDTH = 1000
LEAST = 4  # a check that took no time still has a visible bar
ROW_HEIGHT = 22


class Bar(NamedTuple):
    label: str
    verdict: str
    x: float
    width: float
    y: int
    duration: float  # in seconds


class ToolResult(NamedTuple):
    label: str
    verdict: str
    at: datetime
    after: float  # seconds since the job was created


@dataclass(frozen=True)
class Timing:
    """Checks by the service's clock, from the first start to the last end. Tools by time of
    arrival.
    """

    bars: Sequence[Bar]
    tools: Sequence[ToolResult]
    seconds: float

    @property
    def height(self) -> int:
        return ROW_HEIGHT * len(self.bars) + 4

    @classmethod
    def of(cls, job: Job, rows: Sequence[CheckResult]) -> Timing:
        spans = _spans(rows)
        seconds = 0.0
        if spans:
            end = max(span.end for span in spans)
            seconds = end - spans[0].start
        bars = _bars(spans, seconds)
        tools = _tools(job, rows)
        return cls(bars, tools, seconds)


class _Span(NamedTuple):
    """When a check ran, as timestamps of the service's clock."""

    row: CheckResult
    start: float
    end: float


def _spans(rows: Sequence[CheckResult]) -> list[_Span]:
    """The checks for which the service sent both times, ordered by start."""
    spans = []
    for row in rows:
        span = _span(row)
        if span is not None:
            spans.append(span)
    # The drawing goes from the first start to the last end.
    spans.sort(key=lambda span: span.start)
    return spans


def _span(row: CheckResult) -> _Span | None:
    """When a check started and ended; None if the service did not send both times."""
    body = row.body
    if row.source != CheckResult.Source.CHECK or not isinstance(body, dict):
        return None
    start = _timestamp(body.get("created_at"))
    end = _timestamp(body.get("updated_at"))
    # Times of a service may be missing or contradictory.
    if start is None or end is None or end < start:
        return None
    return _Span(row, start, end)


def _timestamp(value: object) -> float | None:
    if not isinstance(value, str):
        return None
    try:
        moment = parse_datetime(value)
    except ValueError:
        return None
    if moment is None or not is_aware(moment):
        return None
    return moment.timestamp()


def _bars(spans: Sequence[_Span], seconds: float) -> list[Bar]:
    # If all checks took no time, every bar has the least width.
    scale = 0.0
    if seconds:
        scale = WIDTH / seconds
    bars = []
    for place, span in enumerate(spans):
        duration = span.end - span.start
        x = (span.start - spans[0].start) * scale
        bar = Bar(
            label=results.check_label(span.row.check_id),
            verdict=_verdict(span.row),
            x=round(min(x, WIDTH - LEAST), 1),
            width=round(max(duration * scale, LEAST), 1),
            y=ROW_HEIGHT * place,
            duration=duration,
        )
        bars.append(bar)
    return bars


def _tools(job: Job, rows: Sequence[CheckResult]) -> list[ToolResult]:
    tools = []
    for row in rows:
        if row.source != CheckResult.Source.TOOL:
            continue
        after = row.received_at - job.created_at
        tool = ToolResult(
            label=results.check_label(row.check_id),
            verdict=_verdict(row),
            at=row.received_at,
            after=after.total_seconds(),
        )
        tools.append(tool)
    return tools


def _verdict(row: CheckResult) -> str:
    members = row.body
    # The result of a check is wrapped in a member `result`, that of a tool is not.
    if row.source == CheckResult.Source.CHECK and isinstance(members, dict):
        members = members.get("result")
    if not isinstance(members, dict):
        members = {}
    return results.verdict(members, otherwise=row.passed)
