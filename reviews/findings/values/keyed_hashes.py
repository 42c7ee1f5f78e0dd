"""The identities of findings, of fields and of results, as keyed hashes.

They are made of names, dates of birth and numbers. A plain hash of them is guessed in seconds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from django.db import models, transaction
from django.db.migrations import Migration

from compliance.security import data_keys
from reviews.audit import verification
from reviews.models import CheckResult, Dismissal, HitLabel, ValueChoice

# By the migration after which the plain hashes of an earlier version are keyed: the tables, and the
# column that holds the hash.
FINDINGS, RESULTS = "0054_keyed_findings", "0055_keyed_results"
COLUMNS: dict[str, dict[type[models.Model], str]] = {
    FINDINGS: {Dismissal: "key", HitLabel: "key", ValueChoice: "key"},
    RESULTS: {CheckResult: "subject"},
}


def of(parts: Iterable[str]) -> str:
    """The keyed hash of an identity that has these parts, in hexadecimal."""
    content = "\x1f".join(parts)
    plain = hashlib.sha256(content.encode(errors="replace")).hexdigest()
    return keyed(plain)


def keyed(plain: str) -> str:
    """The keyed hash of what an earlier version stored in the clear."""
    return data_keys.keyed_hash(plain, b"findings")


def key_after_migrate(plan: Sequence[tuple[Migration, bool]] = (), **_: object) -> None:
    """Key the hashes of an earlier version, once. Connected to post_migrate."""
    ours = [item for item, is_backwards in plan if not is_backwards]
    names = {item.name for item in ours if item.app_label == "reviews"}
    with transaction.atomic():
        for migration, columns in COLUMNS.items():
            if migration not in names:
                continue
            for model, column in columns.items():
                key_hashes(model, column)


def key_hashes(model: type[models.Model], column: str) -> int:
    """Key the hashes of a table, and bind its rows again. Returns their number.

    A row that is not as its line says stays as it is, so that `audit_verify` names it.
    """
    lines = verification.latest_lines()
    count = 0
    for page in _pages(model, column):
        rows = list(_rows_as_bound(page, lines))
        for row in rows:
            plain = getattr(row, column)
            setattr(row, column, keyed(plain))
        model._default_manager.bulk_update(rows, [column])
        count += verification.bind(rows)
    return count


def _pages(model: type[models.Model], column: str) -> Iterator[list[models.Model]]:
    """The rows that have a hash. Erased ones have none, or one that says nothing."""
    rows = model._default_manager.exclude(**{column: ""}).order_by("pk")
    last = 0
    while page := list(rows.filter(pk__gt=last)[: verification.BATCH]):
        yield page
        last = page[-1].pk


def _rows_as_bound(
    page: Sequence[models.Model], lines: verification.Lines
) -> Iterator[models.Model]:
    for row in page:
        line = lines.get((row._meta.db_table, str(row.pk)))
        if line is not None and verification.is_as_bound(row, line[0], line[2]):
            yield row
