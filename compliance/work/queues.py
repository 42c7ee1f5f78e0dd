"""Queues of work: which rows are due, who claims them, and how they are worked.

The database is the queue of record. A row that is due and not leased is waiting; a claim leases
it; whoever holds the lease completes it. A worker that dies lets its lease run out, and the row is
claimed again. A queue is named for the Celery task that drains it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import connections, router
from django.db.models import Q
from django.utils.module_loading import autodiscover_modules

from compliance.db import fast_sql
from compliance.work import isolation, notify
from compliance.work.rows import LeaseLostError, Work, backoff
from compliance.work.timing import DRAIN_SECONDS

log = logging.getLogger(__name__)


class _Clock(NamedTuple):
    """How a database tells the time, in SQL."""

    moment: str
    later: str
    seconds: str
    lock: str


_POSTGRESQL = _Clock(
    moment="statement_timestamp()",
    later="statement_timestamp() + %s::interval",
    seconds="{:.3f} seconds",
    lock="FOR UPDATE SKIP LOCKED",
)
# SQLite's clock is this machine's; times are text of one format, and % is doubled for Django. It
# tells milliseconds only, cut off: one is added, or what is due now would not be for a moment.
_SQLITE = _Clock(
    moment="strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now', '+0.001 seconds')",
    later="strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now', %s)",
    seconds="+{:.3f} seconds",
    lock="",
)


@dataclass(frozen=True)
class WorkQueue:
    """One kind of work: the rows of `model`, worked by `handler`.

    `name` is that of the Celery task that drains the queue.
    `handler` completes the row (or moves it on with a new `due_at`). If it raises, the row comes due
    again after a backoff, so a fault of ours delays a row but never loses it; after `max_failures`
    in a row `on_exhausted` ends it with a reason that a person can read.
    `batch_size` is how many rows a claim takes at most. `batch_handler` works several rows for less
    than each alone costs: it takes some from the front and returns how many. Those that it leaves
    are given back, for whoever is free. If it raises, the rows are worked one by one, so that only
    what is at fault suffers.
    `lease` is how long a worker may be silent before its row is given to another.
    `concurrency` is how many threads the embedded worker gives to the queue. With Celery it is the
    worker's own `--concurrency`.
    `group_by` names a column: while one row of a group is leased, no other of that group is claimed.
    `condition` is SQL that must hold besides: for a queue whose rows are due over and over, or one
    that shares its table with another queue. It names columns without their table.
    `fair_by` names a foreign key, such as "account". A claim takes rows of the account that has the
    fewest leased; of several such, of the one that was served longest ago. However many rows one
    account has, the others wait for one claim, not for all of them. The model then has a
    `claimed_at`, and indexes that begin with the key (see AgentJob).
    """

    name: str
    model: type[Work]
    handler: Callable[[Any], None]
    batch_handler: Callable[[Sequence[Any]], int] | None = None
    lease: timedelta = timedelta(seconds=30)
    batch_size: int = 1
    concurrency: int = 1
    group_by: str = ""
    condition: str = ""
    fair_by: str = ""
    on_exhausted: Callable[[Any, str], None] | None = None
    max_failures: int = 8

    def is_due(self) -> bool:
        """A cheap look that takes no lock: most wake-ups of a queue find nothing."""
        return bool(due([self]))

    def claim(self) -> list[Work]:
        """Lease up to `batch_size` due rows, oldest first, in one statement by the database's clock."""
        if not self.fair_by:
            return self._claim(self._free)
        rows = self._claim(f"{self._free} AND {self._next_in_turn}")
        if rows or not self.is_due():
            return rows
        # Another worker is claiming the rows of whose turn it is: take any.
        return self._claim(self._free)

    def drain(self, *, seconds: float = DRAIN_SECONDS) -> int:
        """Claim and work until nothing is due, or `seconds` have passed. Returns how many rows were
        worked."""
        count = 0
        end = time.monotonic() + seconds
        rows = self.claim()
        while rows:
            is_full = len(rows) >= self.batch_size
            if is_full and self.is_due():
                notify.at_once(self.name)  # more than one worker's worth: wake another
            count += self._work(rows)
            if time.monotonic() > end:
                notify.at_once(self.name)
                break
            # A claim is a write, even where it finds nothing.
            rows = self.claim() if self.is_due() else []
        return count

    def drop_leases(self) -> None:
        """Right only where no other worker can be alive."""
        self.model._default_manager.filter(leased_until__isnull=False).update(leased_until=None)

    @property
    def due_sql(self) -> str:
        """SQL that gives the queue's name if a row is due, and nothing else."""
        # Ordered, so that it is the index of due rows that is read, however many are done.
        return (
            f"SELECT '{self.name}' FROM (SELECT 1 FROM {self._table} this"
            f" WHERE {self._free} ORDER BY due_at LIMIT 1) AS due"
        )

    def _claim(self, condition: str) -> list[Work]:
        clock = self._clock
        key = f'"{self.model._meta.pk.column}"'
        claimed_at = f", claimed_at = {clock.moment}" if self.fair_by else ""
        sql = (
            f"UPDATE {self._table} SET leased_until = {clock.later}, claims = claims + 1{claimed_at}"
            f" WHERE {key} IN (SELECT {key} FROM {self._table} this WHERE {condition}"
            f" ORDER BY due_at LIMIT {self.batch_size} {clock.lock})"
        )
        lease = clock.seconds.format(self.lease.total_seconds())
        with (
            fast_sql.relaxed_durability()
        ):  # a lease lost with the power is that of a worker that is gone
            rows = fast_sql.update_returning(self.model, sql, [lease])
        return sorted(rows, key=attrgetter("due_at"))

    @property
    def _using(self) -> str:
        return router.db_for_write(self.model)

    @property
    def _clock(self) -> _Clock:
        return _POSTGRESQL if connections[self._using].vendor == "postgresql" else _SQLITE

    @property
    def _table(self) -> str:
        return f'"{self.model._meta.db_table}"'

    @property
    def _free(self) -> str:
        """SQL: `this` row is due and nobody's."""
        moment = self._clock.moment
        free = f"this.due_at <= {moment} AND (this.leased_until IS NULL OR this.leased_until < {moment})"
        if self.condition:
            free = f"{free} AND {self.condition}"
        if not self.group_by:
            return free
        return (
            f"{free} AND NOT EXISTS (SELECT 1 FROM {self._table} other"
            f" WHERE other.{self.group_by} = this.{self.group_by} AND other.leased_until >= {moment})"
        )

    @property
    def _next_in_turn(self) -> str:
        """SQL: `this` row belongs to whose turn it is."""
        field: Any = self.model._meta.get_field(self.fair_by)
        owners = field.related_model._meta
        same_owner = f'this."{field.column}" = owner."{owners.pk.column}"'
        if self.condition:
            same_owner = f"{same_owner} AND {self.condition}"
        leased = (
            f"SELECT count(*) FROM {self._table} this"
            f" WHERE {same_owner} AND this.leased_until >= {self._clock.moment}"
        )
        # NOT NULL, so that the index of claimed rows alone is read.
        served = (
            f"SELECT max(this.claimed_at) FROM {self._table} this"
            f" WHERE {same_owner} AND this.claimed_at IS NOT NULL"
        )
        return (
            f'this."{field.column}" = (SELECT owner."{owners.pk.column}"'
            f' FROM "{owners.db_table}" owner'
            f" WHERE EXISTS (SELECT 1 FROM {self._table} this WHERE {same_owner} AND {self._free})"
            f' ORDER BY ({leased}), ({served}) NULLS FIRST, owner."{owners.pk.column}" LIMIT 1)'
        )

    def _work(self, rows: Sequence[Work]) -> int:
        """Work the rows of one claim. Returns how many were worked; the others were given back, or
        lost to another worker."""
        if self.batch_handler and len(rows) > 1:
            return self._work_together(rows, self.batch_handler)
        count = 0
        renewed = time.monotonic()
        for row in rows:
            # The rows of a claim wait for each other: hold on to those whose turn comes late.
            waited = time.monotonic() - renewed
            if waited > self.lease.total_seconds() / 3 and not row.renew(self.lease):
                continue
            self._work_one(row)
            count += 1
        return count

    def _work_together(self, rows: Sequence[Work], handler: Callable[[Any], int]) -> int:
        try:
            count = handler(rows)
        except Exception:
            log.exception("%s: %d rows failed together", self.name, len(rows))
            for row in rows:
                row.refresh_from_db(fields=["status"])
                self._work_one(row)
            return len(rows)
        if count < len(rows):
            self._give_back(rows[count:])
        return count

    def _give_back(self, rows: Sequence[Work]) -> None:
        ours = Q()
        for row in rows:
            ours |= Q(pk=row.pk, claims=row.claims)
        self.model._default_manager.filter(ours).update(leased_until=None)
        notify.at_once(self.name)

    def _work_one(self, row: Work) -> None:
        try:
            self.handler(row)
        except LeaseLostError:
            log.info("%s: row %s went to another worker", self.name, row.pk)
        except isolation.StoppedError:
            # No failure of the row: it is repeated after its lease, or once the next worker starts.
            log.info("%s: row %s waits for the next worker", self.name, row.pk)
            raise
        except Exception as exc:
            # The last line of defence: whatever went wrong, the row must end or come due again.
            # A status that it was moved to in a transaction that failed is not its status.
            row.refresh_from_db(fields=["status"])
            failures = row.faults + 1
            log.exception("%s: row %s failed, %d in a row", self.name, row.pk, failures)
            if self.on_exhausted and failures >= self.max_failures:
                reason = f"It failed after {failures} attempts ({type(exc).__name__})."
                self.on_exhausted(row, reason)
            else:
                row.complete(due_at=backoff(failures), faults=failures)


def due(queues: Sequence[WorkQueue]) -> set[str]:
    """The names of those queues that have a row to work on, by one statement that takes no lock."""
    return {name for (name,) in fast_sql.fetch_rows(_due_sql(tuple(queues)))}


@lru_cache
def _due_sql(queues: tuple[WorkQueue, ...]) -> str:
    return " UNION ALL ".join(queue.due_sql for queue in queues)


_registered: dict[str, WorkQueue] = {}


def register(queue: WorkQueue) -> WorkQueue:
    """Make a queue known. An app registers its queues in its tasks.py."""
    _registered[queue.name] = queue
    return queue


def registered() -> dict[str, WorkQueue]:
    """All queues of the installed apps, by name."""
    autodiscover_modules("tasks")
    return _registered
