"""The identities of findings and of fields, as keyed hashes.

They are made of names, dates of birth and numbers. A plain hash of them is guessed in seconds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from django.db import models, transaction
from django.db.migrations import Migration

from compliance.security import data_keys
from reviews.audit import verification
from reviews.models import Dismissal, HitLabel, ValueChoice

# After this one the plain hashes of an earlier version are keyed.
MIGRATION = "0054_keyed_findings"
_Row = Dismissal | HitLabel | ValueChoice
MODELS: tuple[type[_Row], ...] = (Dismissal, HitLabel, ValueChoice)


def of(parts: Iterable[str]) -> str:
    """The keyed hash of an identity that has these parts, in hexadecimal."""
    content = "\x1f".join(parts)
    plain = hashlib.sha256(content.encode(errors="replace")).hexdigest()
    return _keyed(plain)


def _keyed(plain: str) -> str:
    # Of the plain hash, so that what an earlier version stored can be keyed.
    return data_keys.keyed_hash(plain, b"findings")


def key_after_migrate(plan: Sequence[tuple[Migration, bool]] = (), **_: object) -> None:
    """Key the hashes of an earlier version, once. Connected to post_migrate."""
    ours = [item for item, is_backwards in plan if not is_backwards]
    names = {item.name for item in ours if item.app_label == "reviews"}
    if MIGRATION not in names:
        return
    with transaction.atomic():
        for model in MODELS:
            key_hashes(model)


def key_hashes(model: type[_Row]) -> int:
    """Key the hashes of a table, and bind its rows again. Returns their number.

    A row that is not as its line says stays as it is, so that `audit_verify` names it.
    """
    batch: list[models.Model] = []
    count = 0
    for row in list(_rows_as_bound(model)):
        row.key = _keyed(row.key)
        row.save(update_fields=["key"])
        batch.append(row)
        if len(batch) == verification.BATCH:
            count += verification.bind(batch)
            batch = []
    return count + verification.bind(batch)


def _rows_as_bound(model: type[_Row]) -> Iterator[_Row]:
    lines = verification.latest_lines()
    # The key of an erased case is empty.
    rows = model.objects.exclude(key="").order_by("pk")
    for row in rows:
        line = lines.get((model._meta.db_table, str(row.pk)))
        if line is not None and verification.is_as_bound(row, line[0], line[2]):
            yield row
