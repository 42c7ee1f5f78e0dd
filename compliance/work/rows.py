"""A row that is work: it has a due time, and whoever works on it holds a lease."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.timezone import now

from compliance.db import clock, fast_sql
from compliance.db.states import Stateful, stored_values


class LeaseLostError(Exception):
    """Another worker has claimed the row: stop, and write nothing more."""


class DueTimeField(models.DateTimeField):  # type: ignore[type-arg]
    """By default a row is due at once, by the database's clock."""

    def get_default(self) -> datetime:
        return clock.now()

    def deconstruct(self) -> Any:
        # In migrations it is the column that it is.
        name, _, args, options = super().deconstruct()
        return name, "django.db.models.DateTimeField", args, options


class Work(Stateful):
    """A row that a queue works on. `due_at` is null when nothing is to be done."""

    due_at = DueTimeField(null=True, blank=True, default=now, editable=False)
    leased_until = models.DateTimeField(null=True, blank=True, editable=False)
    # How often the row was claimed: the fencing token. A worker that lost its lease has an old
    # number, so it can write no more.
    claim_count = models.PositiveIntegerField(default=0, editable=False)
    # How many times in a row the work raised. A row that fails for ever must not be tried for ever.
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
        """End this piece of work with `changes`, and drop the lease. The row is due again at
        `due_at`, or never (None).

        Returns False, changing nothing, where another worker has the lease or the status has
        changed: whoever changed it has also written when the row is due.
        """
        end = {"due_at": due_at, "leased_until": None, "failures": 0}
        return self.write({**end, **changes})

    def renew(self, lease: timedelta) -> bool:
        """Extend the lease. Returns False where another worker has it."""
        return self.write({"leased_until": Now() + lease})

    def heartbeat(self, lease: timedelta) -> None:
        """Extend the lease. Raises LeaseLostError, which ends the work on this row."""
        if not self.renew(lease):
            raise LeaseLostError

    def parent_span(self) -> str:
        """The traceparent of the span that made this row; empty where it was not kept."""
        return ""

    def write(self, changes: Mapping[str, object]) -> bool:
        """Write while the lease holds. Returns False where another worker has it."""
        count = fast_sql.update(
            type(self),
            stored_values(self, changes),
            pk=self.pk,
            # Another worker that claimed the row since has counted this up.
            claim_count=self.claim_count,
            # A person may have moved the row meanwhile: what we know of it is then out of date.
            status=self.status,
        )
        return count > 0


def backoff(failures: int, *, first: float = 2.0, longest: float = 300.0) -> datetime:
    """When to try again after so many failures: the wait doubles from `first` to `longest` seconds,
    with a jitter of 20 %."""
    doublings = min(max(failures - 1, 0), 16)
    seconds = min(longest, first * 2**doublings)
    # Rows that failed together, because a service was away, must not come back together.
    jitter = random.uniform(0.8, 1.2)  # noqa: S311
    return clock.now() + timedelta(seconds=seconds * jitter)
