"""Runs a trial (what-if) over past rows in chunks. A crash never makes it count a row twice."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from django.conf import settings
from django.db import DatabaseError, models, transaction
from django.db.models import Count, Exists, OuterRef, Prefetch, Q
from django.db.models.functions import Now
from django.utils.timezone import now

from compliance.work.rows import LeaseLostError
from reviews.models.policies.versions import (
    NOT_TRIED,
    NOT_TRIED_CASES,
    Trial,
    TrialStatus,
)

# Seconds of one part of a trial, plus its last chunk. A trial of ten thousand cases takes many, and
# other work of the same worker waits for one part only.
PART_SECONDS = 2.0
# After so many errors in a row the rows are worked one by one, and the one that raises is left out.
MOST_FAILURES = 3
MOST_NAMED = 100  # cases that a trial names as not tried

log = logging.getLogger(__name__)


class OfCase(Protocol):
    case_id: int


Row = TypeVar("Row", bound=OfCase)


@dataclass(frozen=True)
class Chunk:
    """The result of some rows: figures of the trial, and new rows to store."""

    values: dict[str, object]
    made: Sequence[models.Model] = field(default_factory=list)


def newest(
    model: type[Trial], counted: str, condition: Q | None = None
) -> Prefetch[str]:
    """For a list of versions: reads only the newest of the `trials` of each, in one query.

    Each trial has `counted`: how many rows of this relation meet the condition.
    """
    rows = model._default_manager.all()
    # Each trial names its version `policy`; the abstract class cannot declare it.
    later = rows.filter(  # type: ignore[misc]
        policy=OuterRef("policy"), pk__gt=OuterRef("pk")
    )
    rows = rows.filter(~Exists(later))
    rows = rows.annotate(counted=Count(counted, filter=condition))
    return Prefetch("trials", rows)


def run(
    trial: Trial,
    *,
    next_rows: Callable[[int], Sequence[Row]],
    work: Callable[[Sequence[Row]], Chunk],
    record_end: Callable[[], None],
) -> None:
    """One part of a trial, and its end. Raises LeaseLostError if another worker has claimed it.

    After PART_SECONDS the trial is due again, so that other work of the worker comes in between.

    `next_rows` returns the rows after the case with the given id, in order of the id. `work`
    evaluates them. If it raises again and again for one of them, that case is counted and named as
    not tried, so that the trial ends. `record_end` runs in the transaction that ends the trial. Each chunk is counted
    in the transaction that stores its rows.
    """
    end = time.monotonic() + PART_SECONDS
    one_by_one = trial.failures >= MOST_FAILURES
    while rows := next_rows(trial.last_case):
        # Outside the transaction, because it may take long.
        if one_by_one:
            rows = rows[:1]
            chunk = _work_one(trial, rows, work)
        else:
            chunk = work(rows)
        values = {
            **chunk.values,
            "done": trial.done + len(rows),
            "last_case": rows[-1].case_id,
        }
        with transaction.atomic():
            # The rows, the figures and the position in one transaction.
            _store(chunk.made)
            if not trial.write({**values, "leased_until": Now() + settings.LEASE}):
                raise LeaseLostError
        for name, value in values.items():
            setattr(trial, name, value)
        if time.monotonic() > end:
            # Due by the clock of the database: so it is due when the next task asks.
            rest = {"due_at": Now(), "leased_until": None, "failures": 0}
            if not trial.write(rest):
                raise LeaseLostError
            return
    with transaction.atomic():
        ended = {"ended_at": now(), "due_at": None, "leased_until": None}
        if trial.move(TrialStatus.DONE, **ended):
            record_end()


def _work_one(
    trial: Trial, rows: Sequence[Row], work: Callable[[Sequence[Row]], Chunk]
) -> Chunk:
    """The result of one row, or its case as not tried if it raises."""
    try:
        return work(rows)
    except (DatabaseError, LeaseLostError):
        # Nothing that the case causes: the trial is tried again.
        raise
    except Exception:
        case = rows[0].case_id
        log.exception("trial %s: case %s could not be tried", trial.pk, case)
        not_tried = trial.not_tried
        counts = {
            **trial.counts,
            NOT_TRIED: not_tried.count + 1,
            NOT_TRIED_CASES: [*not_tried.cases, case][:MOST_NAMED],
        }
        return Chunk({"counts": counts})


def _store(rows: Sequence[models.Model]) -> None:
    if rows:
        type(rows[0])._default_manager.bulk_create(rows)
