"""Work is rows: each has a due time and a lease; a lane claims what is due and does it.

The database is the queue of record. A row that is due and not leased is waiting; a claim leases
it; whoever holds the lease settles it. A worker that dies lets its lease run out, and the row is
claimed again. `claims` counts the claims and fences a worker that lost its lease: it can no
longer settle the row.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple

from django.db import connections, models, router
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.module_loading import autodiscover_modules
from django.utils.timezone import now

from compliance import bell, statements
from compliance.states import Stateful

log = logging.getLogger(__name__)


# What a thread has not come to so many seconds after it was claimed goes to whoever is free.
PATIENCE = 1.0


class LeaseLostError(Exception):
    """Another worker has the row now: stop, and write nothing more."""


class Work(Stateful):
    """A row that a lane works on. `due_at` is null when nothing is to be done."""

    due_at = models.DateTimeField(null=True, blank=True, default=now, editable=False)
    leased_until = models.DateTimeField(null=True, blank=True, editable=False)
    claims = models.PositiveIntegerField(default=0, editable=False)
    # How often in a row working on it raised.
    faults = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        abstract = True
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["due_at"],
                name="%(app_label)s_%(class)s_due",
                condition=Q(due_at__isnull=False),
            )
        ]

    def settle(self, *, due_at: datetime | None = None, **changes: Any) -> bool:
        """Give the lease back, with `changes`; due again at `due_at`, or never (None).

        Returns False, changing nothing, where the lease was lost to another worker or the row
        has moved on meanwhile: then who moved it has said what is due.
        """
        written = {"due_at": due_at, "leased_until": None, "faults": 0, **changes}
        return self.write(written)

    def extend(self, lease: timedelta) -> bool:
        """Hold the lease for longer. Returns False where it was lost to another worker."""
        return self.write({"leased_until": Now() + lease})

    def keep(self, lease: timedelta) -> None:
        """Hold the lease for longer. Raises LeaseLostError, which ends the work on this row."""
        if not self.extend(lease):
            raise LeaseLostError

    def write(self, changes: Mapping[str, Any]) -> bool:
        """Write while the lease is held. Returns False where it was lost to another worker."""
        mine = {"pk": self.pk, "claims": self.claims, "status": self.status}
        return bool(statements.update(type(self), changes, **mine))


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


def backoff(tries: int, *, first: float = 2.0, most: float = 300.0) -> datetime:
    """When to try again after `tries` failures: doubling from `first` seconds, jitter ±20 %."""
    seconds = min(most, first * 2 ** min(max(tries - 1, 0), 16))
    return now() + timedelta(seconds=seconds * random.uniform(0.8, 1.2))  # noqa: S311


@dataclass(frozen=True)
class Lane:
    """One kind of work: the rows of `model`, done one by one by `perform`.

    `perform` settles the row (or moves it on with a new `due_at`). If it raises, the row comes due
    again after a backoff, so a fault of ours delays a row but never loses it; after `most_faults`
    in a row `give_up` ends it with a reason that a person can read.
    `together` does several rows for less than each alone costs: it takes some from the front and
    returns how many. If it raises, the rows are done one by one, so that only what is at fault
    suffers.
    `burst` is how many rows a claim takes at most: its thread's share of those that wait. A claim
    costs the same for many, but few should not wait for each other in one thread; so those that
    `together` leaves are given back, for whoever is free.
    `lease` is how long a worker may be silent before its row is given to another.
    `rush` is how many seconds a worker waits where there is no end of rows: those that come
    meanwhile are then done together.
    `apart` names a column: while one row of a group is leased, no other of that group is claimed.
    `needs` is SQL that must hold besides: for a lane whose rows are due over and over, or one that
    shares its table with another lane. It names columns without their table.
    `fair` names a foreign key, such as "account". A claim takes rows of the account that has the
    fewest leased; of several such, of the one that was served longest ago. However many rows one
    account has, the others wait for one claim, not for all of them. The model then has a
    `claimed_at`, and indexes that begin with the key (see AgentJob).
    """

    name: str
    model: type[Work]
    perform: Callable[[Any], None]
    together: Callable[[Sequence[Any]], int] | None = None
    lease: timedelta = timedelta(seconds=30)
    batch: int = 1
    burst: int = 0
    threads: int = 1
    apart: str = ""
    rush: float = 0.0
    needs: str = ""
    fair: str = ""
    give_up: Callable[[Any, str], None] | None = None
    most_faults: int = 8

    def is_due(self) -> bool:
        """A cheap look that takes no lock: most wake-ups of a lane find nothing."""
        return bool(due([self]))

    def claim(self) -> list[Work]:
        """Lease up to `batch` (or `burst`) due rows, oldest first, in one statement by the database's clock."""
        if not self.fair:
            return self._claim(self._free)
        rows = self._claim(f"{self._free} AND {self._next_in_turn}")
        if rows or not self.is_due():
            return rows
        # Another worker is claiming the rows of whose turn it is: take any.
        return self._claim(self._free)

    def _claim(self, condition: str) -> list[Work]:
        clock, key = self._clock, f'"{self.model._meta.pk.column}"'
        claimed_at = f", claimed_at = {clock.moment}" if self.fair else ""
        sql = (
            f"UPDATE {self._table} SET leased_until = {clock.later}, claims = claims + 1{claimed_at}"
            f" WHERE {key} IN (SELECT {key} FROM {self._table} this WHERE {condition}"
            f" ORDER BY due_at LIMIT {self._most} {clock.lock})"
        )
        with statements.unsynced():  # a lease lost with the power is that of a worker that is gone
            claimed = statements.returned(
                self.model, sql, [clock.seconds.format(self.lease.total_seconds())]
            )
        return sorted(claimed, key=attrgetter("due_at"))

    @property
    def look(self) -> str:
        """SQL that gives the lane's name if a row is due, and nothing else."""
        # Ordered, so that it is the index of due rows that is read, however many are done.
        return (
            f"SELECT '{self.name}' FROM (SELECT 1 FROM {self._table} this"
            f" WHERE {self._free} ORDER BY due_at LIMIT 1) AS found"
        )

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
    def _most(self) -> str:
        """SQL: how many rows a claim takes."""
        if not self.burst:
            return str(self.batch)
        waiting = f"this.due_at <= {self._clock.moment} AND this.leased_until IS NULL"
        if self.needs:
            waiting = f"{waiting} AND {self.needs}"
        # Ordered, for the same reason as in `look`.
        some = f"SELECT 1 FROM {self._table} this WHERE {waiting} ORDER BY due_at"
        share = f"count(*) / {self.threads}"
        return (
            f"(SELECT CASE WHEN {share} > {self.batch} THEN {share} ELSE {self.batch} END"
            f" FROM ({some} LIMIT {self.threads * self.burst}) AS waiting)"
        )

    @property
    def _free(self) -> str:
        """SQL: `this` row is due and nobody's."""
        moment = self._clock.moment
        free = f"this.due_at <= {moment} AND (this.leased_until IS NULL OR this.leased_until < {moment})"
        if self.needs:
            free = f"{free} AND {self.needs}"
        if not self.apart:
            return free
        return (
            f"{free} AND NOT EXISTS (SELECT 1 FROM {self._table} other"
            f" WHERE other.{self.apart} = this.{self.apart} AND other.leased_until >= {moment})"
        )

    @property
    def _next_in_turn(self) -> str:
        """SQL: `this` row belongs to whose turn it is."""
        field: Any = self.model._meta.get_field(self.fair)
        owners = field.related_model._meta
        own = f'this."{field.column}" = owner."{owners.pk.column}"'
        if self.needs:
            own = f"{own} AND {self.needs}"
        leased = (
            f"SELECT count(*) FROM {self._table} this"
            f" WHERE {own} AND this.leased_until >= {self._clock.moment}"
        )
        # NOT NULL, so that the index of claimed rows alone is read.
        served = (
            f"SELECT max(this.claimed_at) FROM {self._table} this"
            f" WHERE {own} AND this.claimed_at IS NOT NULL"
        )
        return (
            f'this."{field.column}" = (SELECT owner."{owners.pk.column}"'
            f' FROM "{owners.db_table}" owner'
            f" WHERE EXISTS (SELECT 1 FROM {self._table} this WHERE {own} AND {self._free})"
            f' ORDER BY ({leased}), ({served}) NULLS FIRST, owner."{owners.pk.column}" LIMIT 1)'
        )

    def drain(self, *, seconds: float = 20.0) -> int:
        """Claim and do until nothing is due (or `seconds` have passed: then ring for the rest)."""
        done, end = 0, time.monotonic() + seconds
        is_more = True  # who calls nearly always has work, and to look first would be one more step
        while (is_more or self.is_due()) and (rows := self.claim()):
            if is_more := len(rows) >= self.batch and self.is_due():
                bell.ring_now(self.name)  # more than one worker's worth: call another
            count = self._do_all(rows)
            done += count
            if count == len(rows) and not is_more and not self.apart:
                break  # that was all, and what came since has rung
            if time.monotonic() > end:
                bell.ring_now(self.name)
                break
        return done

    def _do_all(self, rows: Sequence[Work]) -> int:
        """Returns how many were done; the others were lost, or given back."""
        done, claimed = 0, time.monotonic()
        while rows:
            done += (count := self._do_some(rows))
            rows = rows[count:]
            if self.burst and rows and time.monotonic() - claimed > PATIENCE:
                self._give_back(rows)
                break
            # The rows of a batch wait for each other: hold on to those whose turn comes late.
            if time.monotonic() - claimed > self.lease.total_seconds() / 3:
                rows = [row for row in rows if row.extend(self.lease)]
                claimed = time.monotonic()
        return done

    def _give_back(self, rows: Sequence[Work]) -> None:
        ours = Q(*(Q(pk=row.pk, claims=row.claims) for row in rows), _connector=Q.OR)
        self.model._default_manager.filter(ours).update(leased_until=None)
        bell.ring_now(self.name)

    def _do_some(self, rows: Sequence[Work]) -> int:
        if not self.together or len(rows) == 1:
            self._do(rows[0])
            return 1
        try:
            return self.together(rows)
        except Exception:
            log.exception("%s: %d rows failed together", self.name, len(rows))
            for row in rows:
                row.refresh_from_db(fields=["status"])
                self._do(row)
            return len(rows)

    def _do(self, row: Work) -> None:
        try:
            self.perform(row)
        except LeaseLostError:
            log.info("%s: row %s went to another worker", self.name, row.pk)
        except Exception as exc:
            # The last line of defence: whatever went wrong, the row must end or come due again.
            # A status that it was moved to in a transaction that failed is not its status.
            row.refresh_from_db(fields=["status"])
            faults = row.faults + 1
            log.exception("%s: row %s failed, %d in a row", self.name, row.pk, faults)
            if self.give_up and faults >= self.most_faults:
                self.give_up(row, f"It failed after {faults} attempts ({type(exc).__name__}).")
            else:
                row.settle(due_at=backoff(faults), faults=faults)

    def release(self) -> None:
        """Drop all leases: right only where no other worker can be alive."""
        self.model._default_manager.filter(leased_until__isnull=False).update(leased_until=None)


def due(asked: Sequence[Lane]) -> set[str]:
    """The names of those lanes that have a row to work on, by one statement that takes no lock."""
    return {name for (name,) in statements.asked(_look(tuple(asked)))}


@lru_cache
def _look(lanes: tuple[Lane, ...]) -> str:
    return " UNION ALL ".join(lane.look for lane in lanes)


_lanes: dict[str, Lane] = {}


def declare(lane: Lane) -> Lane:
    """Make a lane known. An app declares its lanes in its tasks.py."""
    _lanes[lane.name] = lane
    return lane


def lanes() -> dict[str, Lane]:
    """All lanes of the installed apps, by name."""
    autodiscover_modules("tasks")
    return _lanes
