"""Status changes as compare-and-swap: one UPDATE, no lock, the same on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar, TypeVar

from django.db import models
from django.utils.timezone import now

from compliance.db import fast_sql

Row = TypeVar("Row", bound="Stateful")


class Stateful(models.Model):
    """A row whose status changes only along FLOW: status → the statuses that may follow.

    >>> job.move(Job.Status.RUNNING, started_at=now())
    True
    """

    FLOW: ClassVar[Mapping[str, Collection[str]]]

    status = models.CharField(max_length=16)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True

    def move(self, to: str, **changes: object) -> bool:
        """Set the status and `changes`, if FLOW allows it from the status in the database.

        Returns False and changes nothing otherwise: another worker was faster, or the event came
        late or twice.
        """
        return bool(move_all([self], to, **stored_values(self, changes)))


def stored_values(
    row: models.Model, changes: Mapping[str, object]
) -> dict[str, object]:
    """The values as an UPDATE of this row writes them.

    An encrypted field needs the row's data key.
    """
    values = dict(changes)
    for name, value in changes.items():
        sealed_for = getattr(row._meta.get_field(name), "sealed_for", None)
        if sealed_for:
            values[name] = sealed_for(row, value)
    return values


def move_all(rows: Sequence[Row], to: str, **changes: object) -> list[Row]:
    """Move rows of one model in one statement.

    Returns the rows that moved; sets their new values.
    """
    if not rows:
        return []
    model = type(rows[0])
    # The statuses from which FLOW allows this one.
    sources = [source for source, targets in model.FLOW.items() if to in targets]
    keys = [row.pk for row in rows]
    # An UPDATE does not apply auto_now, so set updated_at here.
    moment = now()
    values = {"status": to, "updated_at": moment, **changes}
    count = fast_sql.update(model, values, pk__in=keys, status__in=sources)
    if count == 0:
        return []
    moved = list(rows)
    if count < len(rows):
        # Find out which rows moved: only this worker wrote exactly this updated_at.
        ours = model._default_manager.filter(pk__in=keys, status=to, updated_at=moment)
        moved_keys = set(ours.values_list("pk", flat=True))
        moved = [row for row in rows if row.pk in moved_keys]
    # Set only these attributes. A full refresh would also read another worker's claim number, and
    # this worker would no longer notice that it has lost its lease.
    for row in moved:
        for name, value in values.items():
            setattr(row, name, value)
    return moved
