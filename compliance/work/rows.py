"""Work rows: a row has a due time, and the worker that handles it holds a lease."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.timezone import now

from compliance.db import clock, fast_sql
from compliance.db.states import Stateful, stored_values

# Seconds to wait after the first, second, … failed attempt to fetch a document from somebody else's
# server: 14 attempts in about 6 hours. A server that restarts answers within a minute; one that is
# maintained is back after some hours. The links that a desk offers end after a day, and a person
# waits for the case.
FETCH_SCHEDULE = (2, 5, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 7200)


class LeaseLostError(Exception):
    """Another worker has claimed the row: stop, and write nothing more."""


class ClockTimeField(models.DateTimeField):  # type: ignore[type-arg]
    """A time by the database's clock, which all machines share."""

    def deconstruct(self) -> tuple[str, str, Sequence[object], dict[str, object]]:
        # Migrations see a plain DateTimeField.
        name, _, args, options = super().deconstruct()
        return name, "django.db.models.DateTimeField", args, options


class DueTimeField(ClockTimeField):
    """A time whose default is now: a new row is due at once."""

    def get_default(self) -> datetime:
        return clock.now()


class CreationTimeField(ClockTimeField):
    """When the row was created: rows of all machines have one order."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{**options, "auto_now_add": True})

    def pre_save(self, model_instance: models.Model, add: bool) -> object:  # noqa: FBT001 - as in Django
        if add:
            setattr(model_instance, self.attname, clock.now())
        return getattr(model_instance, self.attname)


class Work(Stateful):
    """A row that a queue handles. `due_at` is null if there is nothing to do."""

    due_at = DueTimeField(null=True, blank=True, default=now, editable=False)
    leased_until = models.DateTimeField(null=True, blank=True, editable=False)
    # The fencing token: the number of claims of the row. A worker that lost its lease has an old
    # number, so its writes match no row.
    claim_count = models.PositiveIntegerField(default=0, editable=False)
    # Consecutive failures. Queues end a row after too many, so that it is not tried for ever.
    failures = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        abstract = True
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["due_at"],
                name="%(app_label)s_%(class)s_due",
                condition=Q(due_at__isnull=False),
            )
        ]

    def complete(self, *, due_at: datetime | None = None, **changes: object) -> bool:
        """End this piece of work with `changes`, and drop the lease.

        The row is due again at `due_at`, or never (None). Returns False and changes nothing if
        another worker holds the lease or the status has changed: whoever changed the status has
        also set `due_at`.
        """
        end = {"due_at": due_at, "leased_until": None, "failures": 0}
        return self.write({**end, **changes})

    def renew(self, lease: timedelta) -> bool:
        """Extend the lease. Returns False if another worker holds it."""
        return self.write({"leased_until": Now() + lease})

    def heartbeat(self, lease: timedelta) -> None:
        """Extend the lease. Raises LeaseLostError, which ends the work on this row."""
        if not self.renew(lease):
            raise LeaseLostError

    def move_held(self, to: str, **changes: object) -> None:
        """Move the row while this worker holds the lease. Raises LeaseLostError otherwise."""
        if to not in self.FLOW.get(self.status, ()):
            raise LeaseLostError
        values = {**changes, "status": to, "updated_at": now()}
        if not self.write(values):
            raise LeaseLostError
        for name, value in values.items():
            setattr(self, name, value)

    def parent_span(self) -> str:
        """The traceparent of the span that created this row; empty if it was not stored."""
        return ""

    def write(self, changes: Mapping[str, object]) -> bool:
        """Write `changes` while this worker holds the lease. Returns False if another holds it."""
        count = fast_sql.update(
            type(self),
            stored_values(self, changes),
            pk=self.pk,
            # A claim by another worker has increased this number.
            claim_count=self.claim_count,
            # A person may have moved the row meanwhile, so our view of it would be outdated.
            status=self.status,
        )
        return count > 0


def backoff(failures: int, *, first: float = 2.0, longest: float = 300.0) -> datetime:
    """When to try again after `failures` consecutive failures.

    The wait doubles from `first` up to `longest` seconds, with a jitter of 20 %.
    """
    doublings = min(max(failures - 1, 0), 16)
    seconds = min(longest, first * 2**doublings)
    # The jitter spreads rows that failed together, for example because a service was down.
    jitter = random.uniform(0.8, 1.2)  # noqa: S311
    return clock.now() + timedelta(seconds=seconds * jitter)


def next_fetch(failures: int, *, at_least: float = 0.0) -> datetime | None:
    """When to try again after `failures` failed attempts to fetch a document; None: not again.

    It is the time of FETCH_SCHEDULE with a jitter of 20 %. `at_least` is the wait in seconds that
    the server asks for; it may be as long as the longest of the schedule.
    """
    if failures > len(FETCH_SCHEDULE):
        return None
    jitter = random.uniform(0.8, 1.2)  # noqa: S311
    seconds = FETCH_SCHEDULE[max(failures, 1) - 1] * jitter
    asked = min(at_least, max(FETCH_SCHEDULE))
    return clock.now() + timedelta(seconds=max(seconds, asked))
