"""The findings of `manage.py doctor` about lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from agenthub.models.lists import ListRefresh, ListVersion
from compliance.operation.doctor.registry import Finding, failed, ok, warning

if TYPE_CHECKING:
    from agenthub.screening.status import ListStatus

PART = "lists"


def look() -> Iterator[Finding]:
    # Imported here: it loads the checks, and every process registers this function.
    from agenthub.screening import status

    rows = status.all_lists()
    if not rows:
        advice = "Load lists, or checks of sanctions cannot tell: docs/screening.md."
        yield warning(PART, "none is loaded", advice)
        return
    faults = [finding for row in rows for finding in _of(row)]
    for refresh in ListRefresh.objects.exclude(error="").select_related("source"):
        text = f"{refresh.source.slug} could not be fetched"
        yield warning(PART, text, "Its page at /hub/lists/ says why.")
    yield from faults
    if not faults:
        newest = ListVersion.objects.filter(status=ListVersion.Status.ACTIVE).count()
        yield ok(PART, f"{newest} are active and young enough")


def _of(row: ListStatus) -> Iterator[Finding]:
    if row.version is None:
        yield failed(
            PART, f"{row.slug} has no active version", "Load it: docs/screening.md."
        )
    elif row.engine_before:
        text = (
            f"{row.slug} was indexed by engine {row.engine_before}: checks cannot tell"
        )
        advice = "Workers index it again; /hub/lists/ says how far they are."
        yield warning(PART, text, advice)
    elif row.is_stale:
        text = f"{row.slug} is older than {row.max_age_days} days: checks cannot tell"
        yield failed(PART, text, "Load a new version: docs/screening.md.")
    if row.held is not None:
        text = f"a version of {row.slug} waits for a person"
        yield warning(PART, text, "Release it, or load another, at /hub/lists/.")
