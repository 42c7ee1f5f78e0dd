"""Queues of work: which rows are due, who claims them, and how they are worked.

The database is the queue. A row that is due and not leased waits; a claim leases it; the worker
that has the lease completes it. When a worker dies, its lease ends, and the row is claimed again. A
queue has the name of the Celery task that drains it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from django.db import connections, router
from django.db.models import Q
from django.utils.module_loading import autodiscover_modules

from compliance.db import fast_sql
from compliance.db.durability import relaxed_durability
from compliance.tracing import spans
from compliance.tracing.spans import Kind
from compliance.work import fairness, isolation, notify, tallies
from compliance.work.fairness import FairShare
from compliance.work.rows import LeaseLostError, Work, backoff
from compliance.work.timing import DRAIN_SECONDS

log = logging.getLogger(__name__)


class _Clock(NamedTuple):
    """The time in the SQL of a database. All workers use its clock: those of machines differ."""

    moment: str  # the time now
    later: str  # the time after an interval, which is a parameter
    seconds: str  # such an interval, as a format
    elapsed: str  # the seconds since a time, as a format
    lock: str  # how a claim skips the rows that another claim is locking


_POSTGRESQL = _Clock(
    moment="statement_timestamp()",
    later="statement_timestamp() + %s::interval",
    seconds="{:.3f} seconds",
    elapsed="EXTRACT(EPOCH FROM statement_timestamp() - {})",
    lock="FOR UPDATE SKIP LOCKED",
)
# SQLite has one writer, so nothing is locked. Its times are text in the format that Django writes
# (% is doubled for Django's cursor). They have milliseconds only, rounded down: one is added, or
# what is due now would not count as due until the next.
_SQLITE = _Clock(
    moment="strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now', '+0.001 seconds')",
    later="strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now', %s)",
    seconds="+{:.3f} seconds",
    elapsed="(julianday('now') - julianday({})) * 86400",
    lock="",
)


Elapsed: TypeAlias = Callable[[str], str]


@dataclass(frozen=True)
class WorkQueue:
    """One kind of work: the rows of `model`, worked by `handler`.

    `name` is that of the Celery task that drains the queue.
    `handler` completes the row, or gives it a new `due_at`. If it raises, the row is due again after
    a backoff: an error delays a row but does not lose it. After `max_failures` in a row
    `on_exhausted` ends the row (dead letter), with a reason that a person can read.
    `batch_size` is how many rows a claim takes at most. `batch_handler` works several rows for less
    than they would cost one by one: it works some from the front of the batch and returns how many.
    The others are released for any worker. If it raises, the rows are worked one by one, so that
    only the row with the error fails. It opens the spans of its rows, since it alone knows when each
    of them is worked.
    `lease` is how long a worker may be silent before another may claim its row.
    `concurrency` is how many threads the embedded worker gives to the queue. With Celery it is the
    worker's own `--concurrency`.
    `group_by` names a column: while one row of a group is leased, no other of that group is claimed.
    `condition` is more SQL that must hold for a row: for rows that are due again and again, or where
    two queues share a table. It names columns without their table. Where it is about time, it is a
    function that gets `elapsed`, by which a column becomes SQL of the seconds since its time.
    `fair_share` says whose rows share the workers, such as those of accounts: one with many rows delays
    the others by one claim only (fairness.py).
    """

    name: str
    model: type[Work]
    handler: Callable[[Any], None]
    batch_handler: Callable[[Sequence[Any]], int] | None = None
    lease: timedelta = timedelta(seconds=30)
    batch_size: int = 1
    concurrency: int = 1
    group_by: str = ""
    condition: str | Callable[[Elapsed], str] = ""
    fair_share: FairShare | None = None
    on_exhausted: Callable[[Any, str], None] | None = None
    max_failures: int = 8

    def is_due(self) -> bool:
        """Whether a row is due. Cheap, and takes no lock: most wake-ups find nothing to do."""
        return bool(due([self]))

    def claim(self) -> list[Work]:
        """Lease up to `batch_size` due rows, oldest first or in turn, in one statement by the database's
        clock."""
        share = self.fair_share
        if share is None:
            return self._claim(self._free, order="due_at")
        bulk_first = bool(share.bulk) and fairness.is_turn_of_bulk(self.name)
        in_turn = share.next_in_turn(
            self.model,
            free=self._free,
            condition=self.condition_sql,
            moment=self._clock.moment,
            elapsed=self._clock.elapsed,
            bulk_first=bulk_first,
        )
        order = share.order(bulk_first=bulk_first)
        rows = self._claim(f"{self._free} AND {in_turn}", order=order)
        if rows or not self.is_due():
            return rows
        # Another worker has just locked the rows of the account whose turn it is: take any.
        return self._claim(self._free, order=order)

    def drain(self, *, seconds: float = DRAIN_SECONDS) -> int:
        """Claim and work rows until none is due, or `seconds` have passed.

        Returns how many rows were worked.
        """
        count = 0
        has_notified = False
        end = time.monotonic() + seconds
        rows = self.claim()
        while rows:
            is_full = len(rows) >= self.batch_size
            # More is due than this worker can do at once: wake another for it, which will wake the
            # next.
            if is_full and not has_notified and self.is_due():
                notify.at_once(self.name)
                has_notified = True
            count += self._work(rows)
            if time.monotonic() > end:
                # A task that never ended would hold up a restart, and Celery's time limit kills it.
                notify.at_once(self.name)
                return count
            # After a full claim more is likely to be due. After another one, look first: a claim is
            # a write, even where it finds nothing.
            if not is_full and not self.is_due():
                return count
            rows = self.claim()
        return count

    def drop_leases(self) -> None:
        """End all leases. Right only where no other worker can be alive."""
        self.model._default_manager.filter(leased_until__isnull=False).update(
            leased_until=None
        )

    @property
    def due_sql(self) -> str:
        """SQL with one row, the name of the queue, if a row is due; else with none."""
        # The order makes the database read the index of due rows, however many rows are done.
        return (
            f"SELECT '{self.name}' FROM (SELECT 1 FROM {self._table} this"
            f" WHERE {self._free} ORDER BY due_at LIMIT 1) AS due"
        )

    @property
    def condition_sql(self) -> str:
        """`condition` in the SQL of the database of the queue."""
        if isinstance(self.condition, str):
            return self.condition
        return self.condition(self._clock.elapsed.format)

    def _claim(self, condition: str, *, order: str) -> list[Work]:
        clock = self._clock
        key = f'"{self.model._meta.pk.column}"'
        claimed_at = f", claimed_at = {clock.moment}" if self.fair_share else ""
        sql = (
            f"UPDATE {self._table} SET leased_until = {clock.later}, claim_count = claim_count + 1{claimed_at}"
            f" WHERE {key} IN (SELECT {key} FROM {self._table} this WHERE {condition}"
            f" ORDER BY {order} LIMIT {self.batch_size} {clock.lock})"
        )
        lease = clock.seconds.format(self.lease.total_seconds())
        # If a power cut loses the lease, its worker is gone as well.
        with relaxed_durability():
            rows = fast_sql.update_returning(self.model, sql, [lease])
        # RETURNING promises no order.
        return sorted(rows, key=attrgetter("due_at"))

    @property
    def _clock(self) -> _Clock:
        database = connections[router.db_for_write(self.model)]
        return _POSTGRESQL if database.vendor == "postgresql" else _SQLITE

    @property
    def _table(self) -> str:
        return f'"{self.model._meta.db_table}"'

    @property
    def _free(self) -> str:
        """SQL: `this` row is due and not leased."""
        moment = self._clock.moment
        parts = [
            f"this.due_at <= {moment}",
            f"(this.leased_until IS NULL OR this.leased_until < {moment})",
        ]
        if self.condition:
            parts.append(self.condition_sql)
        if self.group_by:
            same_group = f"other.{self.group_by} = this.{self.group_by}"
            parts.append(
                f"NOT EXISTS (SELECT 1 FROM {self._table} other"
                f" WHERE {same_group} AND other.leased_until >= {moment})"
            )
        return " AND ".join(parts)

    def _work(self, rows: Sequence[Work]) -> int:
        """Work the rows of one claim. Returns how many were worked: the others were released, or
        another worker claimed them."""
        if self.batch_handler and len(rows) > 1:
            return self._work_together(rows, self.batch_handler)
        count = 0
        claimed_at = time.monotonic()
        for row in rows:
            # The rows of a claim are worked one after the other: renew the lease of a late one.
            age = time.monotonic() - claimed_at
            is_old = age > self.lease.total_seconds() / 3
            if is_old and not row.renew(self.lease):
                continue
            self._work_one(row)
            count += 1
        return count

    def _work_together(
        self, rows: Sequence[Work], handler: Callable[[Any], int]
    ) -> int:
        start = time.monotonic()
        try:
            count = handler(rows)
        except Exception:
            log.exception("%s: %d rows failed together", self.name, len(rows))
            for row in rows:
                # A status that was set in a transaction that failed is not in the database.
                row.refresh_from_db(fields=["status"])
                self._work_one(row)
            return len(rows)
        self._tally("handled", start, count=count)
        if count < len(rows):
            self._release(rows[count:])
        return count

    def _release(self, rows: Sequence[Work]) -> None:
        """End the leases of rows that were not worked."""
        claims = Q()
        for row in rows:
            # With the number of the claim: another worker may have claimed the row since.
            claims |= Q(pk=row.pk, claim_count=row.claim_count)
        self.model._default_manager.filter(claims).update(leased_until=None)
        notify.at_once(self.name)

    def _work_one(self, row: Work) -> None:
        start = time.monotonic()
        try:
            with self._span(row):
                self.handler(row)
            self._tally("handled", start)
        except LeaseLostError:
            # Nothing is to be done: the other worker completes the row.
            log.info("%s: row %s went to another worker", self.name, row.pk)
        except isolation.StoppedError:
            # Not an error of the row: it is worked again after its lease, or when the next embedded
            # worker starts.
            log.info("%s: row %s waits for the next worker", self.name, row.pk)
            raise
        except Exception as exc:
            # Whatever the error is, the row must end or be due again.
            log.exception("%s: row %s failed", self.name, row.pk)
            self._tally(self._end_failure(row, exc), start)

    def _span(self, row: Work) -> AbstractContextManager[object]:
        if self.batch_handler:
            return nullcontext()  # it opens the spans of its rows itself
        return spans.span(
            self.name,
            kind=Kind.CONSUMER,
            parent=row.parent_span(),
            attributes={"row": str(row.pk), "claim": row.claim_count},
        )

    def _end_failure(self, row: Work, error: Exception) -> str:
        """Make a row due again whose handler raised, or end it. Returns what is counted of it."""
        # A status that was set in a transaction that failed is not in the database.
        row.refresh_from_db(fields=["status"])
        failures = row.failures + 1
        if self.on_exhausted and failures >= self.max_failures:
            reason = f"It failed after {failures} attempts ({type(error).__name__})."
            self.on_exhausted(row, reason)
            return "exhausted"
        row.complete(due_at=backoff(failures), failures=failures)
        return "failed"

    def _tally(self, outcome: str, start: float, *, count: int = 1) -> None:
        """`start`: of the monotonic clock."""
        seconds = time.monotonic() - start
        tallies.add(
            tallies.Kind.QUEUE, self.name, outcome, count=count, seconds=seconds
        )


def due(queues: Sequence[WorkQueue]) -> set[str]:
    """The names of the queues with a due row, by one statement that takes no lock."""
    rows = fast_sql.fetch_rows(_due_sql(tuple(queues)))
    return {name for (name,) in rows}


@lru_cache
def _due_sql(queues: tuple[WorkQueue, ...]) -> str:
    return " UNION ALL ".join(queue.due_sql for queue in queues)


_registered: dict[str, WorkQueue] = {}


def register(queue: WorkQueue) -> WorkQueue:
    """Add a queue to those that workers serve. An app registers its queues in its tasks.py."""
    _registered[queue.name] = queue
    return queue


def registered() -> dict[str, WorkQueue]:
    """All queues of the installed apps, by name."""
    # Importing an app's tasks.py registers its queues.
    autodiscover_modules("tasks")
    return _registered
