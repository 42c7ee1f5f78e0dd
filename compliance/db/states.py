"""Status changes as compare-and-swap: one UPDATE, no lock, the same on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from django.db import models
from django.utils.timezone import now

from compliance.db import fast_sql

Row = TypeVar("Row", bound="Stateful")


class Stateful(models.Model):
    """A row whose status only moves along FLOW.

    >>> job.move(Job.Status.RUNNING, started_at=now())
    True
    """

    FLOW: ClassVar[Mapping[str, Collection[str]]]

    status = models.CharField(max_length=16)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True

    def move(self, to: str, **changes: Any) -> bool:
        """Set the status and `changes` if FLOW allows it from where the row stands now.

        Return False, changing nothing, when it does not: another worker was
        faster, or the event came late or twice.
        """
        return bool(move_all([self], to, **changes))


def move_all(rows: Sequence[Row], to: str, **changes: Any) -> list[Row]:
    """Move rows of one model in one statement. Returns those that FLOW let move."""
    if not rows:
        return []
    model = type(rows[0])
    sources = [source for source, targets in model.FLOW.items() if to in targets]
    keys = [row.pk for row in rows]
    # update() skips auto_now, hence updated_at.
    written = {"status": to, "updated_at": now(), **changes}
    count = fast_sql.update(model, written, pk__in=keys, status__in=sources)
    moved = list(rows)
    if count < len(rows):
        # The moment is ours alone: it tells the rows that we moved from those moved before.
        own = model._default_manager.filter(pk__in=keys, status=to)
        ours = own.filter(updated_at=written["updated_at"]).values_list("pk", flat=True)
        gone = set(ours) if count else set()
        moved = [row for row in rows if row.pk in gone]
    # Only what was written: a full refresh would also read the claim of another worker,
    # and this one would no longer notice that its lease is gone.
    for row in moved:
        for name, value in written.items():
            setattr(row, name, value)
    return moved
