"""The labelled set as CSV for `manage.py evaluate_hits`. Names need a permission."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db import transaction

from compliance.security import csv_cells
from reviews.access import masking, roles
from reviews.audit import trail
from reviews.findings import hit_labels
from reviews.models import HitLabel

COLUMNS = (
    "kind", "source", "list", "script", "schema", "band", "score", "certain", "day",
)  # fmt: skip
NAMES = ("name", "listed_name")
CHUNK = 500


def has_names(user: User) -> bool:
    """Whether the user's file may contain names: they may export cases, and names are not
    hidden.
    """
    return user.has_perm(roles.EXPORT) and masking.sees_names(user)


@transaction.atomic
def record(user: User, *, names: bool) -> None:
    """Record in the trail who took the file. Raises PermissionDenied."""
    roles.require(user, roles.SCREENING_QUALITY)
    data = {"labels": hit_labels.visible(user).count(), "names": names}
    trail.record(None, "hit_labels_taken", data, user=user)


class _Line:
    """A file-like object that returns each line, so that csv.writer can be used as a generator."""

    def write(self, line: str) -> str:
        return line


def lines(user: User, *, names: bool) -> Iterator[str]:
    writer = csv.writer(_Line())
    yield writer.writerow([*COLUMNS, *(NAMES if names else ())])
    rows = hit_labels.visible(user).order_by("pk")
    if names:
        # The case has the data key that decrypts the names.
        rows = rows.select_related("case")
    else:
        rows = rows.defer("asked", "title", "entry_id")
    for row in rows.iterator(chunk_size=CHUNK):
        cells = _cells(row)
        if names:
            cells += [row.asked, row.title]
        yield writer.writerow([csv_cells.escape(cell) for cell in cells])


def _cells(row: HitLabel) -> list[str]:
    return [
        row.kind,
        row.source,
        row.list_slug,
        row.script,
        row.schema,
        row.band,
        "" if row.score is None else str(row.score),
        "yes" if row.is_certain else "no",
        row.at.date().isoformat(),
    ]
