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

from compliance.db import fast_sql
from compliance.db.states import Stateful


class LeaseLostError(Exception):
    """Another worker has the row now: stop, and write nothing more."""


class Work(Stateful):
    """A row that a queue works on. `due_at` is null when nothing is to be done."""

    due_at = models.DateTimeField(null=True, blank=True, default=now, editable=False)
    leased_until = models.DateTimeField(null=True, blank=True, editable=False)
    # The number of the claim. It fences a worker that lost its lease: it can write no more.
    claims = models.PositiveIntegerField(default=0, editable=False)
    # How often in a row the work raised.
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

    def complete(self, *, due_at: datetime | None = None, **changes: Any) -> bool:
        """End this piece of work with `changes`, and give the lease back. The row is due again at
        `due_at`, or never (None).

        Returns False, changing nothing, where the lease was lost to another worker or the row
        has moved on meanwhile: then who moved it has written when it is due.
        """
        return self.write({"due_at": due_at, "leased_until": None, "faults": 0, **changes})

    def renew(self, lease: timedelta) -> bool:
        """Hold the lease for longer. Returns False where it was lost to another worker."""
        return self.write({"leased_until": Now() + lease})

    def heartbeat(self, lease: timedelta) -> None:
        """Hold the lease for longer. Raises LeaseLostError, which ends the work on this row."""
        if not self.renew(lease):
            raise LeaseLostError

    def write(self, changes: Mapping[str, Any]) -> bool:
        """Write while the lease is held. Returns False where it was lost to another worker."""
        mine = {"pk": self.pk, "claims": self.claims, "status": self.status}
        return bool(fast_sql.update(type(self), changes, **mine))


def backoff(tries: int, *, first: float = 2.0, most: float = 300.0) -> datetime:
    """When to try again after `tries` failures: doubling from `first` seconds, jitter ±20 %."""
    doublings = min(max(tries - 1, 0), 16)
    seconds = min(most, first * 2**doublings)
    return now() + timedelta(seconds=seconds * random.uniform(0.8, 1.2))  # noqa: S311
