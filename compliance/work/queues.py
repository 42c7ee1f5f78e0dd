"""Work queues: which rows are due, how workers claim them, and how they handle them.

The database is the queue. A row waits if it is due and not leased. A claim leases the row, and the
worker that holds the lease completes it. If a worker dies, its lease expires and the row is claimed
again. A queue has the name of the Celery task that drains it.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias, TypeVar

from celery.signals import celeryd_after_setup
from django.core.exceptions import ObjectDoesNotExist
from django.db import (
    OperationalError,
    close_old_connections,
    connections,
    models,
    router,
    transaction,
)
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils.module_loading import autodiscover_modules

from compliance.db import fast_sql, locks, newer_schema
from compliance.db.durability import relaxed_durability
from compliance.storage import outages
from compliance.tracing import spans
from compliance.tracing.spans import Kind
from compliance.work import fairness, isolation, notify, tallies
from compliance.work.fairness import FairShare, InHand
from compliance.work.rows import LeaseLostError, Work, backoff
from compliance.work.timing import DRAIN_SECONDS, SWEEP_SECONDS

log = logging.getLogger(__name__)

# After this many consecutive failures a row may be what ends its workers, for example because it
# needs more memory than there is. Or they died with another row that was handled beside it. So it
# is handled once more, alone, and ended if the worker dies again. The number is more than handlers allow for
# a document that cannot be fetched, and more than a worker is usually restarted within the time of
# one row.
MAX_DEATHS = 8
# For how many seconds other threads wait while a row is tried alone. A document takes less. After
# that the trial may hang, and must not stop the rest.
TRIAL_SECONDS = 60.0
# How often the wait for the end of an outage doubles: to half a minute.
OUTAGE_DOUBLINGS = 5
# How many rows `each` looks at, and for how many seconds. Several calls fit into one lease.
MOST_KEYS = 10_000
EACH_SECONDS = 5.0
# How long `each` waits for a row that somebody else has locked. The next run comes soon.
ROW_SECONDS = 0.5

AnyModel = TypeVar("AnyModel", bound=models.Model)
Result = TypeVar("Result")


class _Clock(NamedTuple):
    """SQL for times in one database.

    All workers use the database's clock: those of machines differ.
    """

    moment: str  # the current time
    later: str  # the current time plus an interval, which is a parameter
    seconds: str  # a format string: seconds → the interval parameter
    elapsed: str  # a format string: SQL of a time → the seconds since it
    lock: str  # lets a claim skip rows that another claim has locked


_POSTGRESQL = _Clock(
    moment="statement_timestamp()",
    later="statement_timestamp() + %s::interval",
    seconds="{:.3f} seconds",
    elapsed="EXTRACT(EPOCH FROM statement_timestamp() - {})",
    lock="FOR UPDATE SKIP LOCKED",
)
# SQLite has one writer, so no rows are locked. Its times are text in Django's format (% is doubled
# for Django's cursor). strftime rounds down to milliseconds, so one is added: otherwise a row that
# is due now would become due only in the next millisecond.
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
    """One kind of work: `handler` handles the rows of `model`.

    `name` is the name of the Celery task that drains the queue.
    `handler` completes the row, or gives it a new `due_at`. If it raises, the row is due again
    after a backoff: an error delays a row but does not lose it. After `max_failures` consecutive
    failures `on_exhausted` ends the row (dead letter), with a reason for people. A worker that
    dies with the row is such a failure, too: see MAX_DEATHS. An outage is none: the row is tried
    again until it is over. `batch_size` is the maximum number of rows per claim. `batch_handler` handles several rows more cheaply than one
    by one: it handles some from the front of the batch and returns how many. The others are
    released for any worker. If it raises, the rows are handled one by one, so that only the faulty
    row fails. It opens the tracing spans of its rows, since only it knows when each row is handled.
    `lease` is how long a worker may be silent before another worker may claim its row.
    `concurrency` is the number of threads in the embedded worker. Celery workers use their own
    `--concurrency` instead. `group_by` names a column: while one row of a group is leased, no other
    row of it is claimed. `condition` is additional SQL that must be true for a row: for rows that
    are due repeatedly, or if two queues share a table. It names columns without their table. A
    condition about time is a function: it gets `elapsed`, which turns a column into SQL for the
    seconds since its time. `fair_share` says which owners share the workers, such as accounts: an
    owner with many rows delays the others by one claim only (fairness.py). `spare_threads` is for rows
    that take long: so many threads of a process are never one owner's.
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
    spare_threads: int = 0
    on_exhausted: Callable[[Any, str], None] | None = None
    max_failures: int = 8
    _in_hand: InHand = field(default_factory=InHand, init=False, compare=False)

    def is_due(self) -> bool:
        """Whether a row is due. Cheap and without a lock: most notifications find nothing to do."""
        return bool(due([self]))

    def claim(self) -> list[Work]:
        """Lease up to `batch_size` due rows, the oldest first, or by fair share.

        It is one statement, by the database's clock. An empty list: no row is due, or others took
        them.
        """
        share = self.fair_share
        if share is None:
            return self._claim(self._free, order="due_at")
        free = self._free
        if full := self._in_hand.owners_of(self._most_per_owner):
            free += f" AND this.{share.owner}_id NOT IN ({', '.join(map(str, full))})"
            # Ask first: a claim is a write even if it finds nothing, and these owners have due rows.
            others = f"SELECT 1 FROM {self._table} this WHERE {free} LIMIT 1"
            if not fast_sql.fetch_rows(others):
                return []
        bulk_first = bool(share.bulk) and fairness.is_turn_of_bulk(self.name)
        in_turn = share.next_in_turn(
            self.model,
            free=free,
            condition=self.condition_sql,
            moment=self._clock.moment,
            elapsed=self._clock.elapsed,
            bulk_first=bulk_first,
        )
        order = share.order(bulk_first=bulk_first)
        rows = self._claim(f"{free} AND {in_turn}", order=order)
        if rows or not self.is_due():
            return rows
        # Another worker has just locked the rows of the owner whose turn it is: take any row.
        return self._claim(free, order=order)

    def drain(self, *, seconds: float = DRAIN_SECONDS) -> int:
        """Claim and handle rows until none is due, `seconds` have passed, or this process is to end.

        Returns the number of handled rows: none if a newer version has migrated the database.
        """
        if newer_schema.WATCH.is_newer():
            return 0
        count = 0
        has_notified = False
        end = time.monotonic() + seconds
        while True:
            with _claims.shared(), self._claimed() as rows:
                if not rows:
                    return count
                is_full = len(rows) >= self.batch_size
                # More is due than this worker can handle at once: notify another worker, which
                # will notify the next.
                if is_full and not has_notified and self.is_due():
                    notify.at_once(self.name)
                    has_notified = True
                count += self._work(rows)
            if time.monotonic() > end or isolation.is_stopping():
                # Stop: an endless task would delay a restart, and Celery's time limit would kill
                # it.
                notify.at_once(self.name)
                return count
            # After a full claim more rows are likely to be due: claim at once. Otherwise check
            # first, because a claim is a write even if it finds nothing.
            if not is_full and not self.is_due():
                return count

    def _claimed(self) -> AbstractContextManager[list[Work]]:
        """The rows of a claim, which are in the hands of this process inside this context."""
        if self.fair_share is None or not self.spare_threads:
            return nullcontext(self.claim())
        return self._in_hand.claimed(
            self.claim, owner=attrgetter(f"{self.fair_share.owner}_id")
        )

    def drop_leases(self) -> None:
        """End all leases. Correct only if no other worker can be alive."""
        changes: dict[str, object] = {"leased_until": None}
        if self.on_exhausted:
            # The worker that held them has died: the next claim would count that.
            changes["failures"] = F("failures") + 1
        self.model._default_manager.filter(leased_until__isnull=False).update(**changes)

    @property
    def due_sql(self) -> str:
        """A query that returns one row with the queue's name if a row is due, else none."""
        # ORDER BY makes the database use the index of due rows, however many completed rows there
        # are.
        return (
            f"SELECT '{self.name}' FROM (SELECT 1 FROM {self._table} this"
            f" WHERE {self._free} ORDER BY due_at LIMIT 1) AS due"
        )

    @property
    def condition_sql(self) -> str:
        """`condition` as SQL for the queue's database."""
        if isinstance(self.condition, str):
            return self.condition
        return self.condition(self._clock.elapsed.format)

    def _claim(self, condition: str, *, order: str) -> list[Work]:
        clock = self._clock
        key = f'"{self.model._meta.pk.column}"'
        more = f", claimed_at = {clock.moment}" if self.fair_share else ""
        if self.on_exhausted:
            # A lease that has expired: its worker died with the row, or hangs.
            more += ", failures = failures + CASE WHEN leased_until IS NULL THEN 0 ELSE 1 END"
        # The lock is part of the inner query, so simultaneous claims take different rows.
        # MATERIALIZED makes PostgreSQL run it once. It may run a plain subquery once for each row of
        # the table, and LIMIT then finds other rows each time: more than `batch_size` were claimed.
        # The new claim_count makes later writes by an earlier holder of the lease fail (see Work).
        sql = (
            f"WITH claimable AS MATERIALIZED (SELECT {key} FROM {self._table} this WHERE {condition}"
            f" ORDER BY {order} LIMIT {self.batch_size} {clock.lock})"
            f" UPDATE {self._table} SET leased_until = {clock.later}, claim_count = claim_count + 1{more}"
            f" WHERE {key} IN (SELECT {key} FROM claimable)"
        )
        lease = clock.seconds.format(self.lease.total_seconds())
        # A lost commit is harmless: after a power cut the worker is gone as well.
        with relaxed_durability(), self._claims_in_turn():
            rows = fast_sql.update_returning(
                self.model,
                sql,
                [lease],
                on_unreadable=self._postpone,
                readable=("pk", "claim_count", "failures", "status"),
            )
        # RETURNING guarantees no order.
        return sorted(rows, key=attrgetter("due_at"))

    def _postpone(self, row: Work, error: Exception) -> None:
        """Give back a row that this code cannot read, such as one that newer code has written.

        It is no failure of the row. It is due again after the time of a lease, so that others come
        first. `error` may quote the row, so only its class is logged.
        """
        kind = type(error).__name__
        log.error("%s: row %s cannot be read (%s)", self.name, row.pk, kind)
        wait = backoff(1, first=self.lease.total_seconds())
        row.complete(due_at=wait, failures=row.failures)
        self._tally("failed", time.monotonic())

    def _claims_in_turn(self) -> AbstractContextManager[None]:
        """Claims of groups happen one at a time: a claim must see which groups another has leased."""
        if not self.group_by:
            return nullcontext()
        using = router.db_for_write(self.model)
        return locks.one_at_a_time(f"claims of {self.name}", using=using)

    @property
    def _most_per_owner(self) -> int:
        threads = min(self.concurrency, _threads_of_worker or self.concurrency)
        return max(1, threads - self.spare_threads)

    @property
    def _clock(self) -> _Clock:
        database = connections[router.db_for_write(self.model)]
        return _POSTGRESQL if database.vendor == "postgresql" else _SQLITE

    @property
    def _table(self) -> str:
        return f'"{self.model._meta.db_table}"'

    @property
    def _free(self) -> str:
        """A condition in SQL: the row `this` is due and not leased."""
        moment = self._clock.moment
        parts = [
            f"this.due_at <= {moment}",
            f"(this.leased_until IS NULL OR this.leased_until < {moment})",
        ]
        if self.condition:
            parts.append(self.condition_sql)
        if self.group_by:
            # No other row of the group may be leased.
            same_group = f"other.{self.group_by} = this.{self.group_by}"
            parts.append(
                f"NOT EXISTS (SELECT 1 FROM {self._table} other"
                f" WHERE {same_group} AND other.leased_until >= {moment})"
            )
        return " AND ".join(parts)

    def _work(self, rows: Sequence[Work]) -> int:
        """Handle the rows of one claim. Returns how many were handled.

        The others were released, or another worker claimed them meanwhile."""
        if len(rows) > 1 and self._is_any_suspect(rows):
            # One of them may end this worker, and that must not count for the others.
            self._release(rows[1:])
            rows = rows[:1]
        if self.batch_handler and len(rows) > 1:
            return self._work_together(rows, self.batch_handler)
        return self._work_each(rows)

    def _is_any_suspect(self, rows: Sequence[Work]) -> bool:
        if self.on_exhausted is None:
            return False
        return any(row.failures >= MAX_DEATHS // 2 for row in rows)

    def _work_each(self, rows: Sequence[Work]) -> int:
        """Handle rows one after another. Returns how many were handled."""
        count = 0
        claimed_at = time.monotonic()
        for place, row in enumerate(rows):
            if isolation.is_stopping():
                self._release(rows[place:])
                break
            # The rows of a claim are handled one after another: renew the lease of a row that
            # waited long.
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
        except Exception as exc:
            log.exception("%s: %d rows failed together", self.name, len(rows))
            _reconnect(exc, seconds=self.lease.total_seconds())
            return self._work_each(_as_stored(rows))
        self._tally("handled", start, count=count)
        if count < len(rows):
            self._release(rows[count:])
        return count

    def _release(self, rows: Sequence[Work]) -> None:
        """End the leases of rows that were not handled."""
        claims = Q()
        for row in rows:
            # Match the number of the claim: another worker may have claimed the row since.
            claims |= Q(pk=row.pk, claim_count=row.claim_count)
        self.model._default_manager.filter(claims).update(leased_until=None)
        notify.at_once(self.name)

    def _work_one(self, row: Work) -> None:
        start = time.monotonic()
        if self._is_deadly(row):
            reason = f"The worker ended {row.failures} times before it was done."
            log.error("%s: row %s: %s", self.name, row.pk, reason)
            self._tally(self._exhaust(row, reason, failures=row.failures), start)
            return
        if self._is_last_trial(row):
            self._handle_alone(row, start)
        else:
            self._handle(row, start)

    def _handle_alone(self, row: Work, start: float) -> None:
        failures = row.failures
        # A worker that dies during the wait does not die with this row.
        row.write({"failures": failures - 1})
        with _claims.alone(seconds=self.lease.total_seconds() / 2) as is_alone:
            if not is_alone:
                # Others take long, or another trial runs: try later. This is no failure.
                row.complete(due_at=backoff(failures), failures=failures)
            elif row.write({"failures": failures, "leased_until": Now() + self.lease}):
                self._handle(row, start)

    def _handle(self, row: Work, start: float) -> None:
        """Call the handler. `start` is a time.monotonic() value."""
        try:
            with self._span(row):
                self.handler(row)
            self._tally("handled", start)
        except LeaseLostError:
            # Nothing to do: the other worker completes the row.
            log.info("%s: row %s went to another worker", self.name, row.pk)
        except isolation.StoppedError:
            # Not the row's fault: the next worker handles it.
            log.info("%s: row %s waits for the next worker", self.name, row.pk)
            self._release([row])
        except Exception as exc:
            # After any error, the row must end or become due again.
            log.exception("%s: row %s failed", self.name, row.pk)
            _reconnect(exc, seconds=self.lease.total_seconds())
            self._tally(self._end_failure(row, exc), start)

    def _span(self, row: Work) -> AbstractContextManager[object]:
        if self.batch_handler:
            return nullcontext()  # it opens the spans itself
        return spans.span(
            self.name,
            kind=Kind.CONSUMER,
            parent=row.parent_span(),
            attributes={"row": str(row.pk), "claim": row.claim_count},
        )

    def _end_failure(self, row: Work, error: Exception) -> str:
        """Handle an error of the handler: end the row, or make it due again.

        Returns the tally's outcome.
        """
        # The status may have been set in a transaction that was rolled back.
        try:
            row.refresh_from_db(fields=["status"])
        except ObjectDoesNotExist:
            # Somebody deleted the row meanwhile, such as an erasure: nothing is left to do.
            return "failed"
        if _is_outage(error):
            # Not the row's fault: it is not counted, so that no outage ends rows for good.
            wait = backoff(min(row.claim_count, OUTAGE_DOUBLINGS))
            row.complete(due_at=wait, failures=row.failures)
            return "failed"
        failures = row.failures + 1
        if self.on_exhausted and failures >= self.max_failures:
            reason = f"It failed after {failures} attempts ({type(error).__name__})."
            return self._exhaust(row, reason, failures=failures)
        row.complete(due_at=backoff(failures), failures=failures)
        return "failed"

    def _is_last_trial(self, row: Work) -> bool:
        """Whether workers may have died with this row, so that it must be handled alone."""
        if self.on_exhausted is None:
            return False
        return row.failures == max(MAX_DEATHS, self.max_failures)

    def _is_deadly(self, row: Work) -> bool:
        """Whether a worker died with this row alone, so that it must not be handled again."""
        if self.on_exhausted is None:
            return False
        return row.failures > max(MAX_DEATHS, self.max_failures)

    def _exhaust(self, row: Work, reason: str, *, failures: int) -> str:
        """End a row for good, unless another worker holds it. Returns the tally's outcome."""
        try:
            # `on_exhausted` moves the status, and a move does not compare the claim.
            if not row.renew(self.lease):
                return "failed"
            if self.on_exhausted:
                self.on_exhausted(row, reason)
        except Exception:
            # The row is tried again later, and the other rows of the claim are handled now.
            log.exception("%s: row %s could not be ended", self.name, row.pk)
            row.complete(due_at=backoff(failures), failures=failures)
            return "failed"
        return "exhausted"

    def _tally(self, outcome: str, start: float, *, count: int = 1) -> None:
        """Record an outcome. `start` is a time.monotonic() value."""
        seconds = time.monotonic() - start
        tallies.add(
            tallies.Kind.QUEUE, self.name, outcome, count=count, seconds=seconds
        )


class _Claims:
    """Counts the claims that the threads of this process handle, and lets one be the only one.

    If the process dies, each of its rows counts a failure. So a row that may be the cause is tried
    alone before it is ended. Other processes are not affected: they do not die with this one.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0
        self._has_trial = False

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Hold a claim. Waits while another thread tries a row alone, for at most TRIAL_SECONDS."""
        with self._changed:
            self._changed.wait_for(lambda: not self._has_trial, timeout=TRIAL_SECONDS)
            self._count += 1
        try:
            yield
        finally:
            with self._changed:
                self._count -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self, *, seconds: float) -> Iterator[bool]:
        """Inside of `shared`: wait for the end of the others, and let none begin meanwhile.

        Waits for at most `seconds`. Yields whether this thread is alone.
        """
        with self._changed:
            has_other_trial = self._has_trial
            self._has_trial = True
        try:
            yield not has_other_trial and self._wait_for_others(seconds)
        finally:
            if not has_other_trial:
                with self._changed:
                    self._has_trial = False
                    self._changed.notify_all()

    def _wait_for_others(self, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self._count == 1, timeout=seconds)


_claims = _Claims()
# The threads of this Celery worker; 0: it has processes, or this is no Celery worker.
_threads_of_worker = 0


@celeryd_after_setup.connect
def count_threads(instance: Any, **_: object) -> None:
    """Note how many threads share the queues: `--concurrency` of a pool of threads."""
    global _threads_of_worker
    if instance.pool_cls.__module__ == "celery.concurrency.thread":
        _threads_of_worker = instance.concurrency


def _is_outage(error: Exception) -> bool:
    """Whether something that all rows need was away. A row may be the cause of a slow statement."""
    kind, _ = outages.of(error) or (None, error)
    return kind not in {None, outages.Kind.TOO_SLOW}


def _reconnect(error: Exception, *, seconds: float) -> None:
    """If the error is that the database was lost, wait for it for at most `seconds`.

    A restart of it takes less. A row that cannot be given back is due again only when its lease
    ends, and that counts as the death of its worker.
    """
    kind, _ = outages.of(error) or (None, error)
    database = connections["default"]
    if kind is not outages.Kind.NO_DATABASE or database.in_atomic_block:
        return
    end = time.monotonic() + seconds
    while time.monotonic() < end and not isolation.is_stopping():
        close_old_connections()
        try:
            database.ensure_connection()
        except OperationalError:
            time.sleep(SWEEP_SECONDS)
        else:
            return


def each(
    queue: str,
    rows: QuerySet[AnyModel],
    act: Callable[[AnyModel], object],
    *,
    most: int = MOST_KEYS,
) -> int:
    """Act on each of these rows, in their order. Returns how many failed.

    For tasks of one work row that concern many others. An error of one does not stop the others:
    see `attempt`. The row comes again at the next run. It ends after `most` rows. One that failed,
    or for which `act` returned False because there was nothing to do, does not count: however many
    of them are first in the order, the others get their turn.
    """
    keys = list(rows.values_list("pk", flat=True)[:MOST_KEYS])
    end = time.monotonic() + EACH_SECONDS
    done = failed = 0
    for key in _in_turn(keys, most=most, until=end - EACH_SECONDS / 2):
        if done >= most or time.monotonic() > end or isolation.is_stopping():
            break
        outcome = attempt(queue, f"row {key}", partial(_act_on, rows, key, act))
        if outcome is None:
            failed += 1
        elif outcome:
            done += 1
    return failed


def _in_turn(keys: Sequence[object], *, most: int, until: float) -> Iterator[object]:
    """The first ones by their order, `until` this time. Then all others by lot: if rows that fail take
    all of the time, it is not the time of each run for the same ones.
    """
    count = 0
    while count < min(most, len(keys)) and time.monotonic() < until:
        yield keys[count]
        count += 1
    others = list(keys[count:])
    random.shuffle(others)
    yield from others


def _act_on(
    rows: QuerySet[AnyModel], key: object, act: Callable[[AnyModel], object]
) -> bool:
    with transaction.atomic():
        locks.wait_at_most(ROW_SECONDS)
        # Read again: a person may have changed the row meanwhile.
        row = rows.filter(pk=key).first()
        return row is not None and act(row) is not False


def attempt(queue: str, what: str, act: Callable[[], Result]) -> Result | None:
    """Do one of several independent pieces of work. Returns what `act` returns.

    An error is logged with `what`, which names no value, and counted for the queue; then it returns
    None. Errors that concern all pieces are raised: an outage, and the end of this process.
    """
    start = time.monotonic()
    try:
        return act()
    except (LeaseLostError, isolation.StoppedError):
        raise
    except Exception as exc:
        if _is_outage(exc) and not _is_row_locked(exc):
            raise
        log.exception("%s: %s failed", queue, what)
    seconds = time.monotonic() - start
    tallies.add(tallies.Kind.QUEUE, queue, "failed", seconds=seconds)
    return None


def _is_row_locked(error: Exception) -> bool:
    """Whether another transaction holds this row for long. SQLite locks no rows, but all of them."""
    kind, _ = outages.of(error) or (None, error)
    is_busy = kind is outages.Kind.BUSY
    return is_busy and connections["default"].vendor == "postgresql"


def _as_stored(rows: Sequence[Work]) -> list[Work]:
    """The rows as they are in the database, which this worker still holds.

    A handler that failed may have changed its own: a status that was rolled back, a value that it
    decrypted.
    """
    stored = []
    for row in rows:
        manager = type(row)._default_manager
        # Another worker has counted its claim; a row may have been deleted meanwhile.
        claimed = manager.filter(pk=row.pk, claim_count=row.claim_count).first()
        if claimed is not None:
            stored.append(claimed)
    return stored


def due(queues: Sequence[WorkQueue]) -> set[str]:
    """The names of the queues with a due row: one statement without a lock."""
    rows = fast_sql.fetch_rows(_due_sql(tuple(queues)))
    return {name for (name,) in rows}


# Cached, because workers ask many times a second and the statement depends only on the queues.
@lru_cache
def _due_sql(queues: tuple[WorkQueue, ...]) -> str:
    return " UNION ALL ".join(queue.due_sql for queue in queues)


_registered: dict[str, WorkQueue] = {}


def register(queue: WorkQueue) -> WorkQueue:
    """Register a queue with the workers. An app registers its queues in its tasks.py."""
    _registered[queue.name] = queue
    return queue


def registered() -> dict[str, WorkQueue]:
    """All queues of the installed apps, by name."""
    # Importing an app's tasks.py registers its queues.
    autodiscover_modules("tasks")
    return _registered
